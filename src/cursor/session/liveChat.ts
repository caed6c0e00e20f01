import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { infoName, readChatInfo } from '../store/chatInfo.ts';
import type { ChatState, UnreadChat } from '../store/chatState.ts';
import { openChat } from '../store/readChat.ts';
import { type ChatFolder, storeName } from '../store/storePaths.ts';
import type { Liveness } from './liveness.ts';
import { readPermissions } from './permissions.ts';
import type { WatchedChat } from './watchedChat.ts';

/** Between two reads as long as the last one took, within these bounds: a chat that never rests costs half a core at most. */
const rest = { leastMs: 15, mostMs: 250 };
/** A store that was being written is read again after this long, then twice as long up to the bound, but not for ever. */
const busyMs = { first: 20, bound: 1000, forAll: 30_000 };
/** What cannot be read for this long is a problem, and not a moment between two writes. */
const problemMs = 1000;

export interface LiveChatOptions {
  chat: ChatFolder;
  session: Liveness;
  clock: Clock;
  /** `watched` is different. */
  onDidChange: () => void;
  /** The store is gone. */
  onStoreGone: () => void;
}

/** Reads one chat whenever it changes, for as long as its session lives. */
export class LiveChat implements Disposable {
  /** The newest; undefined until the chat was looked at for the first time. */
  watched: WatchedChat | undefined;
  readonly #options: LiveChatOptions;
  readonly #reader;
  #session: Liveness;
  #reading = false;
  /** Something happened while nobody could attend to it. */
  #again = false;
  #infoChanged = true;
  /** The next read, or the end of a rest. */
  #timer: Disposable | undefined;
  #resting = false;
  #unread: { sinceMs: number; tries: number } | undefined;
  #disposed = false;

  constructor(options: LiveChatOptions) {
    this.#options = options;
    this.#session = options.session;
    this.#reader = openChat(options.chat.folder);
    this.#wake();
  }

  /** An entry of the chat's folder is different; undefined: any may be. */
  changed(name: string | undefined): void {
    if (name === undefined || name === infoName) this.#infoChanged = true;
    if (name === undefined || name === infoName || name.startsWith(storeName)) this.#wake();
  }

  setSession(session: Liveness): void {
    this.#session = session;
    if (this.watched) this.#publish({ ...this.watched, session });
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.dispose();
  }

  #wake(): void {
    if (this.#disposed) return;
    if (this.#reading || this.#resting) {
      this.#again = true;
      return;
    }
    this.#timer?.dispose();
    this.#timer = undefined;
    void this.#read();
  }

  async #read(): Promise<void> {
    const { clock, chat, onStoreGone } = this.#options;
    const startedAt = clock.now();
    this.#reading = true;
    this.#again = false;
    const infoChanged = this.#infoChanged;
    this.#infoChanged = false;
    const [state, newInfo] = await Promise.all([
      this.#reader.read(),
      infoChanged ? readChatInfo(chat.folder) : undefined,
    ]);
    const former = this.watched;
    // A description that is being replaced cannot be read for a moment.
    const info = newInfo ?? former?.info;
    const isAsking = state.certainty !== 'unknown' && state.pending.length > 0;
    const permissions = former && !isAsking ? former.permissions : await readPermissions(chat.root, info?.cwd);
    this.#reading = false;
    if (this.#disposed) return;

    const retryMs = this.#judge(state);
    const newest = state.certainty === 'unknown' ? former?.state : state;
    const problem = state.certainty === 'unknown' ? this.#problem(state) : undefined;
    this.#publish({ ...chat, info, state: newest, problem, session: this.#session, permissions });
    if (state.certainty === 'unknown' && state.reason === 'gone') onStoreGone();
    if (state.certainty !== 'unknown' && !state.historyComplete) this.#again = true;
    this.#rest(clock.now() - startedAt, retryMs);
  }

  /** In how many milliseconds to read again though nothing happens; undefined: not before something does. */
  #judge(state: ChatState): number | undefined {
    if (state.certainty !== 'unknown') {
      this.#unread = undefined;
      return undefined;
    }
    const { sinceMs, tries } = this.#unread ?? { sinceMs: this.#options.clock.now(), tries: 0 };
    this.#unread = { sinceMs, tries: tries + 1 };
    const lastedMs = this.#unreadForMs();
    if (state.reason !== 'busy') return lastedMs < problemMs ? problemMs - lastedMs : undefined;
    return lastedMs < busyMs.forAll ? Math.min(busyMs.first * 2 ** tries, busyMs.bound) : undefined;
  }

  #problem({ why }: UnreadChat): string | undefined {
    return this.#unreadForMs() >= problemMs ? why : this.watched?.problem;
  }

  /** How long nothing could be read. */
  #unreadForMs(): number {
    const lastedMs = this.#unread ? this.#options.clock.now() - this.#unread.sinceMs : 0;
    // A clock that was set back does not tell.
    return lastedMs < 0 ? Infinity : lastedMs;
  }

  #rest(tookMs: number, retryMs: number | undefined): void {
    if (this.#disposed) return;
    const ms = Math.min(Math.max(rest.leastMs, tookMs), rest.mostMs);
    this.#resting = true;
    this.#timer = this.#options.clock.after(ms, () => {
      this.#resting = false;
      this.#timer = undefined;
      if (this.#again) this.#wake();
      else if (retryMs !== undefined) this.#timer = this.#options.clock.after(retryMs, () => this.#wake());
    });
  }

  #publish(next: WatchedChat): void {
    if (isDeepStrictEqual(next, this.watched)) return;
    this.watched = next;
    this.#options.onDidChange();
  }
}
