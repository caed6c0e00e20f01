import assert from 'node:assert/strict';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { type Disposable, toDisposable } from '../../../src/base/disposable.ts';
import type { Logger } from '../../../src/base/logger.ts';
import type { WatchedChat } from '../../../src/cursor/session/watchedChat.ts';
import { type ChatWatcher, type ChatWatcherOptions, createChatWatcher } from '../../../src/cursor/session/watcher.ts';
import { createOpenFiles } from '../../../src/process/openFiles.ts';
import { createProcessStates } from '../../../src/process/processStates.ts';
import { eventually } from '../processes/runs.ts';
import { Session } from './session.ts';

/** The real clock, which knows how many of its timers are under way. */
export class CountingClock implements Clock {
  pending = 0;

  now(): number {
    return systemClock.now();
  }

  after(ms: number, callback: () => void): Disposable {
    this.pending++;
    const end = toDisposable(() => this.pending--);
    const timer = systemClock.after(ms, () => {
      end.dispose();
      callback();
    });
    return toDisposable(() => {
      timer.dispose();
      end.dispose();
    });
  }
}

/** Watchers and sessions of a test, ended after it. */
export interface WatchSetup {
  watch: (roots: readonly string[], options?: Partial<ChatWatcherOptions>) => ChatWatcher;
  session: (...args: Parameters<typeof Session.start>) => Promise<Session>;
  /** What was logged, at every level. */
  logged: string[];
}

export function useWatchers(): WatchSetup {
  const watchers: ChatWatcher[] = [];
  const sessions: Session[] = [];
  const logged: string[] = [];
  const write = (message: string): number => logged.push(message);
  const log: Logger = { debug: write, info: write, warn: write, error: write };
  afterEach(async () => {
    for (const watcher of watchers.splice(0)) watcher.dispose();
    await Promise.all(sessions.splice(0).map((session) => session.kill()));
    logged.length = 0;
  });
  return {
    logged,
    watch(roots, options = {}) {
      const watcher = createChatWatcher({
        roots,
        clock: systemClock,
        openFiles: createOpenFiles(),
        processes: createProcessStates(),
        log,
        ...options,
      });
      watchers.push(watcher);
      return watcher;
    },
    async session(...args) {
      const session = await Session.start(...args);
      sessions.push(session);
      return session;
    },
  };
}

/** The chat of a folder, once it fulfils the condition. */
export async function chatOf(
  watcher: ChatWatcher,
  { folder }: { folder: string },
  what = 'the chat was read',
  holds: (chat: WatchedChat) => boolean = (chat) => chat.state !== undefined,
  timeoutMs?: number,
): Promise<WatchedChat> {
  const find = (): WatchedChat | undefined => watcher.chats().find((chat) => chat.folder === folder);
  await eventually(
    what,
    () => {
      const chat = find();
      return chat !== undefined && holds(chat);
    },
    timeoutMs,
  );
  return find() ?? assert.fail('the chat is gone');
}

export function pendingIds(chat: WatchedChat): string[] | undefined {
  return chat.state?.pending.map(({ toolCallId }) => toolCallId);
}
