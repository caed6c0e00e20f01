import type { Failure } from '../protocol/model.ts';
import { type DelegationDeps, noteInJournal } from './deps.ts';
import { withInstructions } from './instructions.ts';
import { moved, noWorktree } from './isolated.ts';
import type { Assigned } from './assigned.ts';
import type { RunInProgress } from './liveRun.ts';
import { answersTo, startedEntry } from './runRecord.ts';
import type { Behind, Task } from './task.ts';
import type { Candidate } from './tiers.ts';
import { problemOf } from './validate.ts';
import { Writers } from './writers.ts';

/** A job that was looked at, and what must be over before its turn. */
export interface Look {
  job: Assigned;
  before?: { over: Promise<unknown>; behind: Behind };
}

/** Decides whether a job is taken on, by whom, where, and what must be over first. */
export class Admission {
  readonly #deps: DelegationDeps;
  readonly #writers: Writers;
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: DelegationDeps) {
    this.#deps = deps;
    this.#writers = new Writers(deps);
  }

  /**
   * Jobs are looked at one after the other, so that they come to the queue in the order they were asked for. One that is
   * not refused is in the journal afterwards. `earlier` are the live runs of this process that were asked for before.
   */
  look(run: RunInProgress, asked: Assigned, earlier: readonly RunInProgress[]): Promise<Look> {
    const look = this.#last.then(async (): Promise<Look> => {
      const refused = asked.refused ?? (await this.#problemOf(asked.task));
      if (refused) return { job: { ...asked, refused } };
      const told = await withInstructions(asked, this.#deps);
      if (told.refused) return { job: told };
      const job = await this.#placed(run, await this.#passOverTheIll(told));
      if (job.refused) return { job };
      const first = job.candidates[0];
      if (first && first !== asked.candidates[0]) run.handOver(first);
      const written = noteInJournal(startedEntry(run.record), this.#deps);
      if (job.lead) return { job };
      // Others must be able to see it before it looks for them, and before there is a worktree to remove.
      if (job.task.access !== 'readOnly') await written;
      return this.#withTurn(run, job, earlier);
    });
    this.#last = look.catch(() => undefined);
    return look;
  }

  async #problemOf(task: Task): Promise<Failure | undefined> {
    const problem = await problemOf(task, this.#deps.limits(undefined).wallMs);
    if (problem) return problem;
    const why = await this.#deps.outOfService();
    return why === undefined ? undefined : { reason: 'environment', message: `${why} Nothing was started.` };
  }

  /** A run that asks for a worktree works there. One that leads others makes none, but is refused where they would be. */
  async #placed(run: RunInProgress, job: Assigned): Promise<Assigned> {
    if (!job.task.isolation) return job;
    if (!job.lead) return moved(run, job, this.#deps);
    const place = await this.#deps.worktrees.place(run.id, job.task.cwd);
    return 'why' in place ? { ...job, refused: noWorktree(place.why) } : job;
  }

  /** What must be over before the run may take its turn. What has a worktree to itself waits for nobody. */
  async #withTurn(run: RunInProgress, job: Assigned, earlier: readonly RunInProgress[]): Promise<Look> {
    const { resume, task } = job;
    // A session has one writer.
    const session = resume ? earlier.filter(({ record }) => answersTo(record, run.record.engine, resume.id)) : [];
    const ended = Promise.all(session.map(({ result }) => result));
    const writes = task.access !== 'readOnly' && !task.isolation;
    const writers = writes ? await this.#writers.before(run, task.cwd, earlier) : undefined;
    if (session.length > 0) return { job, before: { over: ended.then(() => writers?.over), behind: 'session' } };
    if (!writers) return { job };
    return {
      job: { ...job, notes: [...job.notes, writers.note] },
      before: { over: writers.over, behind: 'checkout' },
    };
  }

  /** An engine that failed a lot lately is not asked, as long as there is another one. */
  async #passOverTheIll(job: Assigned): Promise<Assigned> {
    if (job.candidates.length < 2) return job;
    const candidates: Candidate[] = [];
    const notes: string[] = [];
    for (const candidate of job.candidates) {
      const why = await this.#deps.illHealth(candidate.engine);
      if (why === undefined) candidates.push(candidate);
      else if (candidates.length === 0) notes.push(why);
    }
    return candidates.length === 0 ? job : { ...job, candidates, notes: [...job.notes, ...notes] };
  }
}
