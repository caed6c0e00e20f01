import type { Clock } from '../base/clock.ts';
import type { WatchedChat } from '../cursor/session/watchedChat.ts';

/** A store that was caught in the middle of something can be read again a moment later. */
const unreadableMs = 10_000;

/** What a person should hear about these chats: each text once. */
export class Problems {
  readonly #clock: Clock;
  readonly #said = new Set<string>();
  /** Since when the store of a chat cannot be read, by its folder. */
  readonly #unreadable = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What is new. */
  update(chats: readonly WatchedChat[], limitation: string | undefined): string[] {
    const now = this.#clock.now();
    const folders = new Set(chats.filter(({ problem }) => problem !== undefined).map(({ folder }) => folder));
    for (const folder of this.#unreadable.keys()) if (!folders.has(folder)) this.#unreadable.delete(folder);
    for (const folder of folders) if (!this.#unreadable.has(folder)) this.#unreadable.set(folder, now);
    const texts = chats.flatMap((chat) => this.#textsOf(chat, now));
    return this.#unsaid(limitation === undefined ? texts : [...texts, limitation]);
  }

  /** In how many milliseconds to update again though nothing else happens. */
  get dueInMs(): number | undefined {
    const left = [...this.#unreadable.values()].map((since) => since + unreadableMs - this.#clock.now());
    const next = Math.min(...left.filter((ms) => ms > 0));
    return Number.isFinite(next) ? next : undefined;
  }

  #textsOf({ folder, state, problem }: WatchedChat, now: number): string[] {
    const texts: string[] = [];
    if (state?.certainty === 'unknownLayout') {
      const why = state.why ?? 'Its chat store is laid out in an unknown way.';
      texts.push(`What Cursor's agent waits for may not be seen. ${why} Watch its terminal.`);
    }
    const since = this.#unreadable.get(folder);
    if (problem !== undefined && since !== undefined && now - since >= unreadableMs) {
      texts.push(`A chat of Cursor's agent cannot be read. ${problem} Watch its terminal.`);
    }
    return texts;
  }

  #unsaid(texts: readonly string[]): string[] {
    const fresh = [...new Set(texts)].filter((text) => !this.#said.has(text));
    for (const text of fresh) this.#said.add(text);
    return fresh;
  }
}
