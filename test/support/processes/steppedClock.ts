import type { Clock } from '../../../src/base/clock.ts';
import { toDisposable } from '../../../src/base/disposable.ts';
import { eventually } from './runs.ts';

/** For code that waits for real processes: each of its timers fires when the test names its length, and not before. */
export class SteppedClock implements Clock {
  readonly waits: { ms: number; fire: () => void }[] = [];

  now(): number {
    return 0;
  }

  after(ms: number, fire: () => void) {
    const wait = { ms, fire };
    this.waits.push(wait);
    return toDisposable(() => this.waits.splice(this.waits.indexOf(wait), 1));
  }

  async pass(ms: number): Promise<void> {
    await eventually(`something waits for ${ms} ms`, () => this.waits.some((wait) => wait.ms === ms));
    const index = this.waits.findIndex((wait) => wait.ms === ms);
    this.waits.splice(index, 1)[0]?.fire();
  }
}
