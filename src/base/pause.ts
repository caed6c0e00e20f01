import type { Clock } from './clock.ts';

/** Resolves after `ms` milliseconds; rejects with the signal's reason when aborted. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = clock.after(ms, () => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
    const abort = (): void => {
      timer.dispose();
      reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    };
    signal.addEventListener('abort', abort, { once: true });
  });
}
