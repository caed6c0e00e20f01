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
