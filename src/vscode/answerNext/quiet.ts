/** For how long something that is new to the eye takes no answer, in milliseconds. */
const quietMs = 500;

/**
 * Keeps what has just appeared from taking a key that was meant for what stood there before. A key that comes too early
 * begins the pause anew, so one that is held down or hammered never gets through.
 */
export class Quiet {
  readonly #now: () => number;
  #until = 0;

  /** @param now milliseconds, from whenever. */
  constructor(now: () => number) {
    this.#now = now;
  }

  startOver(): void {
    this.#until = this.#now() + quietMs;
  }

  takesKey(): boolean {
    if (this.#now() >= this.#until) return true;
    this.startOver();
    return false;
  }
}
