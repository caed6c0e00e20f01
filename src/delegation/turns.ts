import PQueue from 'p-queue';
import type { RunInProgress } from './liveRun.ts';
import type { Behind } from './task.ts';

/** Who may run now: at most so many runs at once, in the order they came. */
export class Turns {
  readonly #queue = new PQueue();
  readonly #waiting: { run: RunInProgress; behind: Behind | undefined }[] = [];
  #running = 0;

  /**
   * Does the work when its turn comes; while it waits, the run's phase says how many are ahead. A run that has to wait for
   * something else (`before`, whose promise must not reject) takes its place in the line only then, so that it keeps nobody out.
   * Rejects as soon as the run is cancelled while it waits; work under way then ends by the run's own signal.
   */
  async take<T>(
    run: RunInProgress,
    limit: number,
    before: { over: Promise<unknown>; behind: Behind } | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    this.#queue.concurrency = limit;
    const place = { run, behind: before?.behind };
    this.#waiting.push(place);
    this.#announce();
    let begun = false;
    const step = async () => {
      this.#leave(run);
      run.signal.throwIfAborted();
      begun = true;
      this.#running++;
      run.enter({ kind: 'waiting', ahead: 0 });
      try {
        return await work();
      } finally {
        this.#running--;
        this.#announce();
      }
    };
    const queue = () => {
      place.behind = undefined;
      this.#announce();
      return this.#queue.add(step);
    };
    const turn = before ? before.over.then(queue) : this.#queue.add(step);
    let onAbort = (): void => undefined;
    const cancelled = new Promise<never>((_, reject) => {
      onAbort = () => {
        if (!begun) reject(new Error('Cancelled while waiting.'));
      };
    });
    run.signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([turn, cancelled]);
    } finally {
      run.signal.removeEventListener('abort', onAbort);
      this.#leave(run);
    }
  }

  #leave(run: RunInProgress): void {
    const at = this.#waiting.findIndex((place) => place.run === run);
    if (at < 0) return;
    this.#waiting.splice(at, 1);
    this.#announce();
  }

  #announce(): void {
    this.#waiting.forEach(({ run, behind }, index) =>
      run.enter({ kind: 'waiting', ahead: this.#running + index, ...(behind && { behind }) }),
    );
  }
}
