import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { WatchedChat } from './watchedChat.ts';

/** Follows the chats of all live sessions. Event-driven: while no session lives, nothing is done. */
export interface ChatWatcher extends Disposable {
  /** The chats that live or may live. A chat object is never changed: a new state is a new object under the same folder. */
  chats(): readonly WatchedChat[];
  /** Something about `chats()` is different: a chat came, moved on or ended. */
  readonly onDidChange: Event<void>;
  /** Looks again at who holds this chat (by its folder) and what children it has; resolves when `chats()` says so. Never rejects. */
  lookAtSession(folder: string): Promise<void>;
  /** Why chats may be noticed late, for people (no more watches to be had); undefined when all is well. */
  readonly limitation: string | undefined;
}
