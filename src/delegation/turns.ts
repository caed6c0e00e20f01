import PQueue from 'p-queue';
import type { RunInProgress } from './liveRun.ts';

/** Who may run now: at most so many runs at once, in the order they came, and one at a time on a session. */
export class Turns {
  readonly #queue = new PQueue();
  readonly #waiting: RunInProgress[] = [];
  readonly #sessionTails = new Map<string, Promise<void>>();
  #running = 0;

  /**
   * Does the work when its turn comes; while it waits, the run's phase says how many are ahead.
   * Rejects as soon as the run is cancelled, whether it waits or works (the work then ends by the run's own signal).
   */
  async take<T>(run: RunInProgress, limit: number, session: string | undefined, work: () => Promise<T>): Promise<T> {
    this.#queue.concurrency = limit;
    const before = session === undefined ? undefined : this.#sessionTails.get(session);
    this.#waiting.push(run);
    this.#announce();
    let begun = false;
    const turn = this.#queue.add(async () => {
      await before;
      this.#leave(run);
      run.signal.throwIfAborted();
      begun = true;
      this.#running++;
      try {
        return await work();
      } finally {
        this.#running--;
        this.#announce();
      }
    });
    if (session !== undefined) this.#follow(session, turn);
    const cancelled = Promise.withResolvers<never>();
    const onAbort = () => {
      if (!begun) cancelled.reject(new Error('Cancelled while waiting.'));
    };
    run.signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([turn, cancelled.promise]);
    } finally {
      run.signal.removeEventListener('abort', onAbort);
      this.#leave(run);
    }
  }

  #follow(session: string, turn: Promise<unknown>): void {
    const over = () => {
      if (this.#sessionTails.get(session) === tail) this.#sessionTails.delete(session);
    };
    const tail: Promise<void> = turn.then(over, over);
    this.#sessionTails.set(session, tail);
  }

  #leave(run: RunInProgress): void {
    const at = this.#waiting.indexOf(run);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    this.#announce();
  }

  #announce(): void {
    this.#waiting.forEach((run, index) => run.enter({ kind: 'waiting', ahead: this.#running + index }));
  }
}
