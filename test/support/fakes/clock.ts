import type { Clock } from '../../../src/base/clock.ts';
import { type Disposable, toDisposable } from '../../../src/base/disposable.ts';

interface Timer {
  at: number;
  callback: () => void;
}

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();

  constructor(now = 1_700_000_000_000) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): Disposable {
    const timer = { at: this.#now + ms, callback };
    this.#timers.add(timer);
    return toDisposable(() => this.#timers.delete(timer));
  }

  /** How many timers nobody has disposed of. */
  get pending(): number {
    return this.#timers.size;
  }

  /** The system's clock is set back: timers fall due when they would have. */
  setBack(ms: number): void {
    this.#now -= ms;
    for (const timer of this.#timers) timer.at -= ms;
  }

  /** Moves on, calling back what falls due in its order, each at its own time. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (let due = this.#nextUntil(end); due; due = this.#nextUntil(end)) {
      this.#timers.delete(due);
      this.#now = due.at;
      due.callback();
    }
    this.#now = end;
  }

  #nextUntil(end: number): Timer | undefined {
    return [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
  }
}
