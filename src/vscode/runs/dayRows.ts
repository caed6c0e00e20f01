import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { DayNode, RunNode } from './runNode.ts';

/** More than a view shows at once. */
const firstRows = 50;
/** By then the first ones are on the screen. */
const restAfterMs = 200;

/**
 * The rows of a day as the editor is to get them: the first ones, as all of a long day would delay these, then all. What was
 * once there is never taken away again.
 */
export class DayRows implements Disposable {
  readonly #clock: Clock;
  readonly #askAgain: (day: DayNode) => void;
  readonly #asked = new Set<number>();
  readonly #timers = new DisposableStore();

  /** @param askAgain Makes the editor ask once more for the rows of a day. */
  constructor(clock: Clock, askAgain: (day: DayNode) => void) {
    this.#clock = clock;
    this.#askAgain = askAgain;
  }

  of(day: DayNode): RunNode[] {
    if (this.#asked.has(day.start) || day.runs.length <= firstRows) return day.runs;
    this.#asked.add(day.start);
    this.#timers.add(this.#clock.after(restAfterMs, () => this.#askAgain(day)));
    return day.runs.slice(0, firstRows);
  }

  dispose(): void {
    this.#timers.dispose();
  }
}
