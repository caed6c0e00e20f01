import type { Verdict } from './answer.ts';
import type { Job } from './job.ts';
import type { RunInProgress } from './liveRun.ts';

/** A job, and how it is done where it has no worker of its own but leads so many others. */
export interface Assigned extends Job {
  lead?: { workers: number; carryOut: (run: RunInProgress) => Promise<Verdict> };
  /** What Sallyport does itself; the part of it that takes the place of a worker is done in the run's turn. */
  own?: (run: RunInProgress, inTurn: <T>(work: () => Promise<T>) => Promise<T>) => Promise<Verdict>;
}
