import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { type Disposable, toDisposable } from '../../../src/base/disposable.ts';

interface Alarm {
  /** By this clock, milliseconds since the epoch. */
  readonly at: number;
  readonly callback: () => void;
  readonly real: Disposable;
}

/** The real clock, which a test moves ahead to reach a limit of half an hour at once. */
export class JumpingClock implements Clock {
  #ahead = 0;
  readonly #alarms = new Set<Alarm>();

  now(): number {
    return systemClock.now() + this.#ahead;
  }

  after(ms: number, callback: () => void): Disposable {
    const alarm: Alarm = {
      at: this.now() + ms,
      callback,
      real: systemClock.after(ms, () => {
        this.#alarms.delete(alarm);
        callback();
      }),
    };
    this.#alarms.add(alarm);
    return toDisposable(() => {
      this.#alarms.delete(alarm);
      alarm.real.dispose();
    });
  }

  /** Lets `ms` milliseconds pass at once. */
  jump(ms: number): void {
    this.#ahead += ms;
    const due = [...this.#alarms].filter(({ at }) => at <= this.now()).sort((a, b) => a.at - b.at);
    for (const alarm of due) {
      // An earlier one of them may have called it off.
      if (!this.#alarms.delete(alarm)) continue;
      alarm.real.dispose();
      alarm.callback();
    }
  }
}
