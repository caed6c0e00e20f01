import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { ProcessStates } from '../../process/processStates.ts';
import { type ChatFolder, storeName } from '../store/storePaths.ts';
import type { ChatKeeper } from './chatFolders.ts';
import { LiveChat } from './liveChat.ts';
import type { Liveness } from './liveness.ts';
import { oneAtATime } from './oneAtATime.ts';
import type { LookAtSession } from './sessionLooks.ts';
import type { WatchedChat } from './watchedChat.ts';

/**
 * Where it cannot be seen who holds a store, a chat lives when it has a write-ahead log, which a session's clean exit removes,
 * and was written to within this time: long enough for a request that waits over night, short enough to leave out what
 * crashed sessions have left behind.
 */
const recentMs = 24 * 60 * 60 * 1000;
/** A session removes the log a moment before it lets go of the store, and nothing tells of the latter. */
const secondLooksMs = [200, 1000, 4000];

export interface KeeperOptions {
  chat: ChatFolder;
  look: LookAtSession;
  processes: Pick<ProcessStates, 'of'>;
  clock: Clock;
  log: Logger;
  /** `watched` is different. */
  onDidChange: () => void;
}

/** Looks after one chat: knows whether its session lives, and reads it while it does. */
export class SessionKeeper implements ChatKeeper {
  readonly #options: KeeperOptions;
  readonly #store: string;
  readonly #look = oneAtATime(() => this.#lookNow());
  #live: LiveChat | undefined;
  /** Of the session's processes, when they were last looked for. */
  #startTimes = new Map<number, string>();
  #secondLook: Disposable | undefined;
  #wasAsking = false;
  /** Of the log, where events do not tell when it changes. */
  #traces = '';
  #disposed = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#store = join(options.chat.folder, storeName);
  }

  /** Undefined while no session lives, and until a live chat was read for the first time. */
  get watched(): WatchedChat | undefined {
    return this.#live?.watched;
  }

  get lives(): boolean {
    return this.#live !== undefined;
  }

  /** Calls are under way, so the end of the session matters at once. */
  get isAsking(): boolean {
    return (this.watched?.state?.pending.length ?? 0) > 0;
  }

  changed(name: string | undefined, cameOrWent: boolean): void {
    const isStore = name === undefined || name.startsWith(storeName);
    if (this.#live) {
      this.#live.changed(name);
      if (isStore && cameOrWent) this.#lookSoon();
    } else if (isStore) void this.#look();
  }

  tick(): void {
    if (this.#live) this.#live.changed(undefined);
    else void this.#lookIfWritten();
  }

  /** Looks who holds the chat. Resolves when `watched` says so. Never rejects. */
  lookAtSession(): Promise<void> {
    return this.#look();
  }

  /** Looks closer when a process of the session has ended; costs hardly anything while none has. */
  async checkProcesses(): Promise<void> {
    for (const [pid, startedAt] of this.#startTimes) {
      const state = await this.#options.processes.of(pid);
      if (this.#disposed || state === 'unknown') continue;
      if (state === 'ended' || state.startedAt !== startedAt) {
        await this.#look();
        return;
      }
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#secondLook?.dispose();
    this.#end();
  }

  async #lookNow(): Promise<void> {
    const session = await this.#options.look(this.#store);
    const lives = session.state === 'alive' || (session.state === 'unknown' && (await this.#wasWrittenRecently()));
    const startTimes = lives ? await this.#startTimesOf(session) : new Map<number, string>();
    if (this.#disposed) return;
    this.#startTimes = startTimes;
    if (!lives) this.#end();
    else if (this.#live) this.#live.setSession(session);
    else this.#begin(session);
  }

  #begin(session: Liveness): void {
    const { chat, clock, log } = this.#options;
    log.debug(`Chat ${chat.id} lives; it is followed.`);
    this.#live = new LiveChat({
      chat,
      session,
      clock,
      onDidChange: () => this.#tell(),
      onStoreGone: () => this.#lookSoon(),
    });
    // Whoever holds the store now may just have been about to let go of it.
    this.#lookLater(secondLooksMs);
  }

  #end(): void {
    if (!this.#live) return;
    this.#options.log.debug(`The session of chat ${this.#options.chat.id} has ended.`);
    this.#live.dispose();
    this.#live = undefined;
    this.#tell();
  }

  #tell(): void {
    // Who asks now may be another process than the one that was seen last.
    if (this.isAsking && !this.#wasAsking) void this.checkProcesses();
    this.#wasAsking = this.isAsking;
    this.#options.onDidChange();
  }

  #lookSoon(): void {
    void this.#look();
    this.#lookLater(secondLooksMs);
  }

  #lookLater([delay, ...later]: readonly number[]): void {
    this.#secondLook?.dispose();
    if (delay === undefined || this.#disposed) return;
    this.#secondLook = this.#options.clock.after(delay, () => {
      if (!this.#live) return;
      void this.#look();
      this.#lookLater(later);
    });
  }

  async #startTimesOf(session: Liveness): Promise<Map<number, string>> {
    const times = new Map<number, string>();
    for (const { pid } of session.state === 'alive' ? session.processes : []) {
      const state = await this.#options.processes.of(pid);
      if (typeof state === 'object') times.set(pid, state.startedAt);
    }
    return times;
  }

  async #wasWrittenRecently(): Promise<boolean> {
    const [store, log] = await Promise.all([statOf(this.#store), statOf(`${this.#store}-wal`)]);
    if (!store || !log) return false;
    // What seems to be written in the future was written by another clock, or before ours was set back.
    return this.#options.clock.now() - Math.max(store.mtimeMs, log.mtimeMs) <= recentMs;
  }

  /** The folder cannot be watched: only a store that looks different is worth a look at all processes. */
  async #lookIfWritten(): Promise<void> {
    const log = await statOf(`${this.#store}-wal`);
    const traces = log === undefined ? '' : [log.ino, log.size, log.mtimeMs, log.ctimeMs].join(' ');
    if (this.#disposed || traces === this.#traces) return;
    this.#traces = traces;
    await this.#look();
  }
}

async function statOf(file: string) {
  return await stat(file).catch(() => undefined);
}
