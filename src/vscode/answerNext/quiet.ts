import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';

/** For how long something that is new to the eye takes no answer, in milliseconds. */
const quietMs = 500;
/** So soon after a key that counts no other one may come: a key that is held down, or hammered, does not wait. */
const aloneMs = 120;

/**
 * Keeps what has just appeared from taking a key that was meant for what stood there before. A key counts when none came for
 * a while before it and none comes at once behind it: when this process was busy, what was typed long ago arrives in a heap.
 */
export class Quiet implements Disposable {
  readonly #clock: Clock;
  #untilMs = 0;
  #taken: Disposable | undefined;

  /** Begins with a pause. */
  constructor(clock: Clock) {
    this.#clock = clock;
    this.startOver();
  }

  startOver(): void {
    this.#taken?.dispose();
    this.#untilMs = this.#clock.now() + quietMs;
  }

  /** A key came: does what it is for, in a moment, if it counts. */
  take(act: () => void): void {
    const counts = this.#clock.now() >= this.#untilMs;
    this.startOver();
    if (counts) this.#taken = this.#clock.after(aloneMs, act);
  }

  dispose(): void {
    this.#taken?.dispose();
  }
}
