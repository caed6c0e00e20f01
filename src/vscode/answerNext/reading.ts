import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';

/** A row must keep the focus for so long, in milliseconds, before it counts as come to. */
const stayMs = 150;
/** For so long after a letter was typed the editor itself moves the focus: to what the letter matches, and back. */
const filteringMs = 500;

/** Knows how far down a list the person has gone: where a typed letter takes the focus, nobody has read anything. */
export class Reading implements Disposable {
  readonly #clock: Clock;
  readonly #onReach: (count: number) => void;
  #typedAtMs = -Infinity;
  #staying: Disposable | undefined;

  /** @param onReach called with how many rows, from the top, are behind the person. */
  constructor(clock: Clock, onReach: (count: number) => void) {
    this.#clock = clock;
    this.#onReach = onReach;
  }

  /** The row of this number, from 1, has the focus. */
  cameTo(count: number): void {
    this.#staying?.dispose();
    if (this.#clock.now() - this.#typedAtMs < filteringMs) return;
    this.#staying = this.#clock.after(stayMs, () => this.#onReach(count));
  }

  /** A letter was typed: whatever has the focus since a moment ago may have it because of that. */
  typed(): void {
    this.#typedAtMs = this.#clock.now();
    this.#staying?.dispose();
  }

  dispose(): void {
    this.#staying?.dispose();
  }
}
