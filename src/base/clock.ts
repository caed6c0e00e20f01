import { type Disposable, toDisposable } from './disposable.ts';

/** Time as a parameter, so that tests move it by hand. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after `ms` milliseconds, unless disposed before. Does not keep the process alive. */
  after(ms: number, callback: () => void): Disposable;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return toDisposable(() => clearTimeout(timer));
  },
};

/**
 * The same clock for measuring how long things take: when it is set back this one goes on from where it was, so that nobody waits
 * for an hour because of it.
 */
export function neverBack(clock: Clock): Clock {
  let last = clock.now();
  let ahead = 0;
  return {
    now() {
      const now = clock.now() + ahead;
      if (now < last) ahead += last - now;
      last = Math.max(last, now);
      return last;
    },
    after: (ms, callback) => clock.after(ms, callback),
  };
}
