import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import type { OpenFiles } from '../../process/openFiles.ts';
import type { ProcessStates } from '../../process/processStates.ts';
import { ChatFolders } from './chatFolders.ts';
import { SessionKeeper } from './chatKeeper.ts';
import { FolderWatches } from './folderWatch.ts';
import { createLifeChecks } from './lifeChecks.ts';
import { createSessionLooks } from './sessionLooks.ts';
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

export interface ChatWatcherOptions {
  /** Cursor's configuration folders, absolute, whether they exist or not. */
  roots: readonly string[];
  clock: Clock;
  openFiles: OpenFiles;
  processes: Pick<ProcessStates, 'of'>;
  log: Logger;
  /** How folders are watched, for tests that run out of watches. */
  watchFolder?: ConstructorParameters<typeof FolderWatches>[0]['watchFolder'];
}

/**
 * Begins to watch. Chats that live already show up in `chats()` as they are found and read. Nothing is written, locked or
 * created below the roots.
 */
export function createChatWatcher({
  roots,
  clock,
  openFiles,
  processes,
  log,
  watchFolder,
}: ChatWatcherOptions): ChatWatcher {
  const owned = new DisposableStore();
  const changed = owned.add(new Emitter<void>());
  const keepers = new Map<string, SessionKeeper>();
  const watches = owned.add(new FolderWatches({ clock, log, ...(watchFolder && { watchFolder }) }));
  const lifeChecks = owned.add(createLifeChecks(keepers, clock));
  const look = createSessionLooks(openFiles, clock);
  const onDidChange = (): void => {
    lifeChecks.update();
    changed.fire();
  };
  owned.add(watches.onDidChange(() => changed.fire()));
  owned.add(
    new ChatFolders(roots, watches, (chat) => {
      const keeper = new SessionKeeper({ chat, look, processes, clock, log, onDidChange });
      keepers.set(chat.folder, keeper);
      return {
        changed: (name, cameOrWent) => keeper.changed(name, cameOrWent),
        tick: () => keeper.tick(),
        dispose: () => {
          keepers.delete(chat.folder);
          keeper.dispose();
        },
      };
    }),
  );
  return {
    chats: () => [...keepers.values()].map(({ watched }) => watched).filter((chat) => chat !== undefined),
    onDidChange: changed.event,
    lookAtSession: async (folder) => await keepers.get(folder)?.lookAtSession(),
    get limitation() {
      return watches.limitation;
    },
    dispose() {
      // That nobody looks any more does not mean that sessions have ended.
      changed.dispose();
      owned.dispose();
    },
  };
}
