import type { Resume } from '../engines/engine.ts';
import type { Failure } from '../protocol/model.ts';
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
