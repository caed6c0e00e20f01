import type { ChatInfo } from '../store/chatInfo.ts';
import type { ReadChat } from '../store/chatState.ts';
import type { ChatFolder } from '../store/storePaths.ts';
import type { Liveness } from './liveness.ts';
import type { Permissions } from './permissions.ts';

/** A chat whose session lives, or may live. */
export interface WatchedChat extends ChatFolder {
  info: ChatInfo | undefined;
  /** As it was last read: a read that fails later leaves it as it is. Undefined until the first one succeeds. */
  state: ReadChat | undefined;
  /** Why the newest state could not be read, for people; undefined when it could. */
  problem: string | undefined;
  session: Liveness;
  permissions: Permissions;
}
