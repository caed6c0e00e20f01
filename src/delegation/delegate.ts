import { Emitter } from '../base/event.ts';
import type { Resume } from '../engines/engine.ts';
import type { RunRecord } from '../journal/entry.ts';
import type { Failure } from '../protocol/model.ts';
import { Admission } from './admission.ts';
import { answerOf, type Verdict } from './answer.ts';
import type { Assigned } from './assigned.ts';
import { carryOutFiltered } from './command/filtered.ts';
import type { LogPage } from './command/logFile.ts';
import { type DelegationDeps, noteInJournal } from './deps.ts';
import { tryInOrder } from './fallback.ts';
import { leadWorkers, workerTasks } from './fanOut.ts';
import { followUpJob, resumeOf } from './followUp.ts';
import { formatHandle, parseHandle } from './handle.ts';
import { inWorktree } from './isolated.ts';
import type { Job } from './job.ts';
import { RunInProgress } from './liveRun.ts';
import { answersTo, endedEntry, newRecord } from './runRecord.ts';
import type { Delegation, FanOut, Filtered, FollowUp, LiveRun, RunResult, Task } from './task.ts';
import { candidatesFor, tiersFor } from './tiers.ts';
import { readTranscript, type Transcript } from './transcript.ts';
import { Turns } from './turns.ts';

export function createDelegation(deps: DelegationDeps): Delegation {
  return new Delegator(deps);
}

class Delegator implements Delegation {
  readonly #deps: DelegationDeps;
  readonly #turns = new Turns();
  readonly #live = new Set<RunInProgress>();
  readonly #admission: Admission;
  readonly #changes = new Emitter<LiveRun>();
  readonly onDidChange = this.#changes.event;

  constructor(deps: DelegationDeps) {
    this.#deps = deps;
    this.#admission = new Admission(deps);
  }

  get live(): readonly LiveRun[] {
    return [...this.#live];
  }

  start(task: Task): LiveRun {
    return this.#begin(this.#jobOf(task));
  }

  fanOut(fanOut: FanOut): LiveRun {
    const jobs = workerTasks(fanOut).map((task) => this.#jobOf(task));
    const first = jobs.find(({ refused }) => refused) ?? jobs[0];
    if (!first) throw new RangeError('A fan-out needs a level.');
    const carryOut = (run: RunInProgress) =>
      leadWorkers(run, fanOut, {
        start: (task) => this.#begin({ ...this.#jobOf(task), ledBy: run.id }),
        close: (worker, why) => this.#close(worker, why),
      });
    const task = { ...first.task, tool: fanOut.task.tool };
    return this.#begin({ ...first, task, lead: { workers: jobs.length, carryOut } });
  }

  runFiltered(filtered: Filtered): LiveRun {
    const { tool, command, cwd, timeoutMs, filterBy } = filtered;
    const task: Task = {
      ...{ tool, prompt: command, access: 'full', cwd, choice: { by: 'tier', tier: filterBy } },
      ...(timeoutMs !== undefined && { timeoutMs }),
    };
    const deps = {
      ...this.#deps,
      // Of the log's own folder nobody asked for anything: what counts is where the command ran.
      startFilter: (agent: Task) => this.#begin({ ...this.#jobOf(agent), origin: cwd }),
    };
    const candidates = candidatesFor(task, this.#deps.settings()).slice(0, 1);
    const own: Assigned['own'] = (run, inTurn) => carryOutFiltered(run, filtered, inTurn, deps);
    return this.#begin({ task, candidates, notes: [], own });
  }

  #jobOf(task: Task): Job {
    const ladders = this.#deps.settings();
    const candidates = candidatesFor(task, ladders);
    const levels = tiersFor(task.choice, ladders).length;
    const refused: Failure | undefined =
      candidates.length > 0
        ? undefined
        : { reason: 'badRequest', message: `There is no such level. Choose one from 1 to ${levels}.` };
    return { task: this.#withLimit(task), candidates, notes: [], ...(refused && { refused }) };
  }

  async followUp(followUp: FollowUp): Promise<LiveRun> {
    const handle = parseHandle(followUp.handle);
    const known = handle && (await this.#recordsOf(followUp.handle));
    const { allowWiden } = this.#deps.settings();
    const isLiveHere = (runId: string) => [...this.#live].some(({ id }) => id === runId);
    return this.#begin(followUpJob(followUp, handle, known ?? [], allowWiden, isLiveHere));
  }

  findLive(handle: string): LiveRun | undefined {
    const wanted = parseHandle(handle);
    return wanted && [...this.#live].reverse().find((run) => answersTo(run.record, wanted.engine, wanted.id));
  }

  async findRecord(handle: string): Promise<RunRecord | undefined> {
    return (await this.#recordsOf(handle))[0];
  }

  readResult(runId: string): Promise<string | undefined> {
    return this.#deps.folders.readResult(runId);
  }

  readLog(runId: string, page: number, bytes: number): Promise<LogPage | undefined> {
    return this.#deps.folders.readLog(runId, page, bytes);
  }

  async readTranscript(runId: string): Promise<Transcript | undefined> {
    return readTranscript(this.#deps.folders.transcriptFile(runId));
  }

  readPrompt(runId: string): Promise<string | undefined> {
    return this.#deps.folders.readPrompt(runId);
  }

  noteReturned(runId: string, chars: number): void {
    void noteInJournal({ type: 'returned', at: this.#deps.clock.now(), runId, chars }, this.#deps);
  }

  async shutdown(): Promise<void> {
    while (this.#live.size > 0) {
      for (const run of this.#live) run.cancel();
      await Promise.all([...this.#live].map((run) => run.result));
    }
    this.#changes.dispose();
  }

  async #recordsOf(handle: string): Promise<RunRecord[]> {
    const wanted = parseHandle(handle);
    if (!wanted) return [];
    return (await this.#deps.journal.read()).filter((record) => answersTo(record, wanted.engine, wanted.id));
  }

  #withLimit(task: Task): Task {
    if (task.timeoutMs !== undefined || task.usualMs === undefined) return task;
    return { ...task, timeoutMs: Math.min(task.usualMs, this.#deps.limits(undefined).wallMs) };
  }

  #begin(job: Assigned): LiveRun {
    const record = newRecord(job, this.#deps);
    const run = new RunInProgress(record, (changed) => this.#changes.fire(changed));
    this.#live.add(run);
    this.#changes.fire(run);
    void this.#carryOut(run, job);
    return run;
  }

  /** The one path every run takes; whatever is thrown on it becomes the run's result. */
  async #carryOut(run: RunInProgress, asked: Assigned): Promise<void> {
    const thread = this.#deps.redactor.keep();
    const verdict = await this.#decide(run, asked).catch((error: unknown): Verdict => {
      const why = error instanceof Error ? error.message : String(error);
      this.#deps.log.error(`run ${run.id}: ${why}`);
      return { failure: { reason: 'environment', message: `Sallyport could not carry this out: ${why}` }, notes: [] };
    });
    const result = await answerOf(run.record, asked.task, verdict, this.#deps);
    thread.dispose();
    if (!verdict.refused) this.#recordEnd(result, verdict);
    this.#live.delete(run);
    run.learn({
      status: result.status,
      endedAt: this.#deps.clock.now(),
      files: result.files,
      ...(result.branch !== undefined && { branch: result.branch }),
      notes: result.notes,
    });
    run.settle(result);
  }

  /** What the log says of an end: no answer and no prompt, but what helps to find out why one failed. */
  #logEnd(result: RunResult, { failure, end }: Verdict): void {
    const seconds = (result.durationMs / 1000).toFixed(1);
    const what = `run ${result.runId}: ${result.status} on ${result.engine} after ${seconds} s`;
    if (!failure || failure.reason === 'cancelled') {
      this.#deps.log.info(what);
      return;
    }
    const said = end?.stderrTail.trim() ? `\n${end.stderrTail.trim().slice(-2_000)}` : '';
    this.#deps.log.warn(this.#deps.redactor.quick(`${what} (${failure.reason}): ${failure.message}${said}`));
  }

  #recordEnd(result: RunResult, verdict: Verdict): void {
    this.#logEnd(result, verdict);
    void noteInJournal(endedEntry(result, verdict, this.#deps.clock.now(), this.#deps), this.#deps);
  }

  /** A task that is refused at once was never a run: its caller hears why, the journal does not. */
  async #decide(run: RunInProgress, asked: Assigned): Promise<Verdict> {
    const live = [...this.#live];
    const { job, before } = await this.#admission.look(run, asked, live.slice(0, live.indexOf(run)));
    if (job.refused) return { refused: true, failure: job.refused, notes: job.notes };
    this.#deps.log.info(`run ${run.id}: ${job.task.tool} to ${run.record.engine}${modelOf(run.record)} begins`);
    try {
      run.signal.throwIfAborted();
      if (job.lead) return await job.lead.carryOut(run);
      const { maxParallelRuns } = this.#deps.settings();
      const inTurn = <T>(work: () => Promise<T>) => this.#turns.take(run, maxParallelRuns, before, work);
      if (job.own) {
        const verdict = await job.own(run, inTurn);
        return { ...verdict, notes: [...job.notes, ...verdict.notes] };
      }
      return await inTurn(async () =>
        inWorktree(
          run,
          { ...job, ...(job.resume && { resume: await this.#resumeOf(run, job.resume) }) },
          this.#deps,
          (placed) => tryInOrder(run, placed, this.#deps),
        ),
      );
    } catch (error) {
      if (!run.signal.aborted) throw error;
      return { failure: { reason: 'cancelled', message: 'Cancelled.' }, notes: job.notes };
    }
  }

  /** What there is to continue by now: a run of the session that ended meanwhile has moved its count of tokens. */
  async #resumeOf(run: RunInProgress, { id }: Resume): Promise<Resume> {
    const known = await this.#recordsOf(formatHandle({ engine: run.record.engine, id }));
    return resumeOf(
      id,
      known.filter(({ runId }) => runId !== run.id),
    );
  }

  /** Nobody may ask the session of a run again, and nothing of its worktree is left. */
  async #close(run: LiveRun, why: string): Promise<void> {
    await noteInJournal({ type: 'closed', at: this.#deps.clock.now(), runId: run.id, why }, this.#deps);
    await this.#deps.worktrees.remove(run.id, true).catch((error: unknown) => {
      this.#deps.log.warn(`run ${run.id}: its worktree was not removed: ${String(error)}`);
    });
  }
}

const modelOf = ({ model }: RunRecord) => (model === undefined ? '' : ` (${model})`);
