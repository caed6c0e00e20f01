import { randomUUID } from 'node:crypto';
import { oneLine } from '../base/displayText.ts';
import { Emitter } from '../base/event.ts';
import type { Engine, Resume } from '../engines/engine.ts';
import type { Entry, RunRecord } from '../journal/entry.ts';
import type { EngineId, Failure } from '../protocol/model.ts';
import { answerOf, type Verdict } from './answer.ts';
import { attempt, type Attempt, type AttemptDeps } from './attempt.ts';
import { carryOutFiltered } from './command/filtered.ts';
import type { LogPage } from './command/logFile.ts';
import { followUpJob, type Job, resumeOf } from './followUp.ts';
import { formatHandle, parseHandle } from './handle.ts';
import { type InstructionDeps, withInstructions } from './instructions.ts';
import { RunInProgress } from './liveRun.ts';
import { leadWorkers, workerTasks } from './fanOut.ts';
import { inWorktree, moved, noWorktree } from './isolated.ts';
import type { Behind, Delegation, FanOut, Filtered, FollowUp, LiveRun, RunResult, Task } from './task.ts';
import { type Candidate, candidatesFor, type Ladders, tiersFor } from './tiers.ts';
import { readTranscript, type Transcript } from './transcript.ts';
import { Turns } from './turns.ts';
import { problemOf } from './validate.ts';
import type { Worktrees } from './worktrees.ts';
import { Writers } from './writers.ts';

/** What of the settings the use case obeys. Read anew for every run. */
export interface DelegationSettings extends Ladders {
  /** A follow-up without `mode` may write although its session began read-only. */
  allowWiden: boolean;
  maxParallelRuns: number;
  /** Every worker is told to be terse. */
  terseWorkers: boolean;
}

/** What the use case needs of the journal. */
export interface RunJournal {
  append(entry: Entry): Promise<void>;
  /** All known runs, newest first. */
  read(): Promise<RunRecord[]>;
}

export interface DelegationDeps extends AttemptDeps, InstructionDeps {
  settings(): DelegationSettings;
  engines: ReadonlyMap<EngineId, Engine>;
  journal: RunJournal;
  owner: RunRecord['owner'];
  worktrees: Worktrees;
  /** Why no run can be carried out any more, with what to do; undefined when it can. */
  outOfService(): Promise<string | undefined>;
  /** Why an engine should be passed over for now, judged by its recent runs. */
  illHealth(engine: EngineId): Promise<string | undefined>;
}

export function createDelegation(deps: DelegationDeps): Delegation {
  return new Delegator(deps);
}

class Delegator implements Delegation {
  readonly #deps: DelegationDeps;
  readonly #turns = new Turns();
  #lastLook: Promise<unknown> = Promise.resolve();
  readonly #live = new Set<RunInProgress>();
  readonly #writers: Writers;
  readonly #changes = new Emitter<LiveRun>();
  readonly onDidChange = this.#changes.event;

  constructor(deps: DelegationDeps) {
    this.#deps = deps;
    this.#writers = new Writers(deps);
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
    return wanted && [...this.#live].reverse().find((run) => names(run.record, wanted.engine, wanted.id));
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
    void this.#journal({ type: 'returned', at: this.#deps.clock.now(), runId, chars });
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
    return (await this.#deps.journal.read()).filter((record) => names(record, wanted.engine, wanted.id));
  }

  #withLimit(task: Task): Task {
    if (task.timeoutMs !== undefined || task.usualMs === undefined) return task;
    return { ...task, timeoutMs: Math.min(task.usualMs, this.#deps.limits(undefined).wallMs) };
  }

  #begin(job: Assigned): LiveRun {
    const first = job.candidates[0];
    const { task } = job;
    const record: RunRecord = {
      runId: randomUUID(),
      startedAt: this.#deps.clock.now(),
      status: 'running',
      owner: this.#deps.owner,
      tool: task.tool,
      engine: first?.engine ?? 'codex',
      ...(first?.model !== undefined && { model: first.model }),
      ...(first?.effort !== undefined && { effort: first.effort }),
      ...(first?.level !== undefined && { level: first.level }),
      access: task.access,
      ...(task.web && { web: task.web }),
      cwd: task.cwd,
      ...(job.origin !== undefined && { origin: job.origin }),
      ...(job.lead && { leads: job.lead.workers }),
      ...(job.own && { command: true }),
      ...(job.ledBy !== undefined && { ledBy: job.ledBy }),
      title: oneLine(this.#deps.redactor.quick(firstLine(task.prompt)), maxTitleChars),
      ...(job.resume && { resumes: job.resume.id, sessionId: job.resume.id }),
      charsRead: 0,
      charsReturned: 0,
      files: [],
      notes: [],
      moved: [],
    };
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
    void this.#journal({
      type: 'ended',
      at: this.#deps.clock.now(),
      runId: result.runId,
      status: result.status,
      ...(result.reason && { reason: result.reason }),
      ...(verdict.failure && { message: this.#deps.redactor.quick(verdict.failure.message) }),
      ...(result.usage && { usage: result.usage }),
      ...(verdict.end?.threadUsage && { threadUsage: verdict.end.threadUsage }),
      charsRead: verdict.end?.charsRead ?? verdict.charsRead ?? 0,
      files: result.files,
      ...(result.branch !== undefined && { branch: result.branch }),
      notes: result.notes,
    });
  }

  /** A task that is refused at once was never a run: its caller hears why, the journal does not. */
  async #decide(run: RunInProgress, asked: Assigned): Promise<Verdict> {
    const { job, before } = await this.#lookAt(run, asked);
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
          (placed) => this.#tryAll(run, placed),
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

  /**
   * Jobs are looked at one after the other, so that they come to the queue in the order they were asked for. One that is
   * not refused is in the journal afterwards.
   */
  #lookAt(run: RunInProgress, asked: Assigned): Promise<Look> {
    const look = this.#lastLook.then(async (): Promise<Look> => {
      const refused = asked.refused ?? (await this.#problemOf(asked.task));
      if (refused) return { job: { ...asked, refused } };
      const told = await withInstructions(asked, this.#deps);
      if (told.refused) return { job: told };
      const job = await this.#placed(run, await this.#passOverTheIll(told));
      if (job.refused) return { job };
      const first = job.candidates[0];
      if (first && first !== asked.candidates[0]) run.handOver(first);
      const written = this.#journal(startedEntry(run.record));
      if (job.lead) return { job };
      // Others must be able to see it before it looks for them, and before there is a worktree to remove.
      if (job.task.access !== 'readOnly') await written;
      return this.#withTurn(run, job);
    });
    this.#lastLook = look.catch(() => undefined);
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
  async #withTurn(run: RunInProgress, job: Assigned): Promise<Look> {
    const live = [...this.#live];
    const earlier = live.slice(0, live.indexOf(run));
    const { resume, task } = job;
    // A session has one writer.
    const session = resume ? earlier.filter(({ record }) => names(record, run.record.engine, resume.id)) : [];
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

  /** Nobody may ask the session of a run again, and nothing of its worktree is left. */
  async #close(run: LiveRun, why: string): Promise<void> {
    await this.#journal({ type: 'closed', at: this.#deps.clock.now(), runId: run.id, why });
    await this.#deps.worktrees.remove(run.id, true).catch((error: unknown) => {
      this.#deps.log.warn(`run ${run.id}: its worktree was not removed: ${String(error)}`);
    });
  }

  async #tryAll(run: RunInProgress, job: Job): Promise<Verdict> {
    const tried: { title: string; candidate: Candidate; attempt: Attempt }[] = [];
    for (const candidate of job.candidates) {
      const engine = this.#deps.engines.get(candidate.engine);
      if (!engine) continue;
      const before = tried.at(-1);
      if (before) this.#move(run, candidate, before.attempt);
      const now = await attempt(run, { ...job, candidate, engine }, this.#deps);
      if (!now.mayMove) return { ...now, notes: [...job.notes, ...tried.map(passedOver), ...now.notes] };
      tried.push({ title: engine.title, candidate, attempt: now });
    }
    const [first, ...rest] = tried;
    const last = rest.at(-1);
    if (first && last) this.#move(run, first.candidate, last.attempt);
    const nobody: Failure = { reason: 'environment', message: 'No engine is configured for this.' };
    return { failure: nobody, ...first?.attempt, notes: [...job.notes, ...rest.map(passedOver)] };
  }

  #move(run: RunInProgress, candidate: Candidate, before: Attempt): void {
    const failed = { engine: run.record.engine, reason: before.failure?.reason ?? ('environment' as const) };
    run.handOver(candidate, failed);
    void this.#journal({
      type: 'moved',
      at: this.#deps.clock.now(),
      runId: run.id,
      engine: candidate.engine,
      ...(candidate.model !== undefined && { model: candidate.model }),
      ...(candidate.effort !== undefined && { effort: candidate.effort }),
      failed,
    });
  }

  #journal(entry: Entry): Promise<void> {
    return this.#deps.journal
      .append(entry)
      .catch((error: unknown) => this.#deps.log.error(`journal: ${String(error)}`));
  }
}

/** A job, and how it is done where it has no worker of its own but leads so many others. */
interface Assigned extends Job {
  lead?: { workers: number; carryOut: (run: RunInProgress) => Promise<Verdict> };
  /** What Sallyport does itself; the part of it that takes the place of a worker is done in the run's turn. */
  own?: (run: RunInProgress, inTurn: <T>(work: () => Promise<T>) => Promise<T>) => Promise<Verdict>;
}

/** A job that was looked at, and what must be over before its turn. */
interface Look {
  job: Assigned;
  before?: { over: Promise<unknown>; behind: Behind };
}

const passedOver = ({ title, attempt: { failure } }: { title: string; attempt: Attempt }) =>
  `${title} could not take this: ${failure?.message ?? 'it gave no reason.'}`;

const modelOf = ({ model }: RunRecord) => (model === undefined ? '' : ` (${model})`);

/** A run answers to its session's id, and to its own whichever engine took it in the end. */
const names = (record: RunRecord, engine: EngineId, id: string) =>
  record.runId === id || (record.engine === engine && record.sessionId === id);

const maxTitleChars = 120;
/** Longer than a title: a secret is only known for one while it is whole. */
const firstLine = (prompt: string) => (prompt.trim().split('\n', 1)[0] ?? '').slice(0, 4_000);

function startedEntry(record: RunRecord): Entry {
  const {
    runId,
    startedAt,
    owner,
    tool,
    engine,
    model,
    effort,
    level,
    access,
    web,
    cwd,
    origin,
    leads,
    command,
    ledBy,
    title,
    resumes,
  } = record;
  return {
    type: 'started',
    at: startedAt,
    runId,
    owner,
    tool,
    engine,
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { effort }),
    ...(level !== undefined && { level }),
    access,
    ...(web && { web }),
    cwd,
    ...(origin !== undefined && { origin }),
    ...(leads !== undefined && { leads }),
    ...(command && { command }),
    ...(ledBy !== undefined && { ledBy }),
    title,
    ...(resumes !== undefined && { resumes }),
  };
}
