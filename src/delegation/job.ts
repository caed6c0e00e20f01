import type { Resume } from '../engines/engine.ts';
import type { Failure } from '../protocol/model.ts';
import type { Verdict } from './answer.ts';
import type { RunInProgress } from './liveRun.ts';
import type { Task } from './task.ts';
import type { Candidate } from './tiers.ts';

/** A task with everything that was decided before it starts. */
export interface Job {
  task: Task;
  /** Who may take it, best first. */
  candidates: Candidate[];
  resume?: Resume;
  /** The folder that was asked for, where the task's own lies in a worktree made of it. */
  origin?: string;
  /** The run that sends this one out. */
  ledBy?: string;
  /** For the reader of the result. */
  notes: string[];
  /** A failure that was already known when the run was asked for. */
  refused?: Failure;
}

/** A job, and how it is done where it has no worker of its own but leads so many others. */
export interface Assigned extends Job {
  lead?: { workers: number; carryOut: (run: RunInProgress) => Promise<Verdict> };
  /** What Sallyport does itself; the part of it that takes the place of a worker is done in the run's turn. */
  own?: (run: RunInProgress, inTurn: <T>(work: () => Promise<T>) => Promise<T>) => Promise<Verdict>;
}
