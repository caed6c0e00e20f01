import { Emitter } from '../../../src/base/event.ts';
import { parseHandle } from '../../../src/delegation/handle.ts';
import { RunInProgress } from '../../../src/delegation/liveRun.ts';
import type {
  CheckedAnswer,
  Delegation,
  FanOut,
  Filtered,
  FollowUp,
  LiveRun,
  RunResult,
  Task,
} from '../../../src/delegation/task.ts';
import { problemOf } from '../../../src/delegation/validate.ts';
import type { RunRecord } from '../../../src/journal/entry.ts';

type Asked = Task | FollowUp | FanOut | Filtered;

/** A worker under the test's control: it does nothing until told. */
export interface FakeRun {
  run: RunInProgress;
  /** What was asked for, as it reached the use case. */
  asked: Asked;
  beginSession: (id: string) => void;
  finish: (result?: Partial<RunResult>) => void;
}

export interface FakeOptions {
  /** Ends every run by itself with this. Without it a run goes on until the test ends it or it is cancelled. */
  answer?: (asked: Asked) => Partial<RunResult> & { sessionId?: string };
  now?: () => number;
}

/** The use case without workers. Bad tasks are refused by the real rules. */
export class FakeDelegation implements Delegation {
  readonly runs: FakeRun[] = [];
  readonly returned: { runId: string; chars: number }[] = [];
  /** Runs of other processes. */
  readonly records: RunRecord[] = [];
  readonly results = new Map<string, string>();
  shutDown = false;
  readonly #changes = new Emitter<LiveRun>();
  readonly #options: FakeOptions;
  readonly onDidChange = this.#changes.event;

  constructor(options: FakeOptions = {}) {
    this.#options = options;
  }

  get live(): LiveRun[] {
    return this.runs.filter(({ run }) => run.phase.kind !== 'ended').map(({ run }) => run);
  }

  start(task: Task): LiveRun {
    return this.#begin(task, task);
  }

  fanOut(fanOut: FanOut): LiveRun {
    const choice = { by: 'level', level: fanOut.levels[0] ?? 1 } as const;
    return this.#begin(fanOut, { ...fanOut.task, access: 'workspaceWrite', choice });
  }

  runFiltered(filtered: Filtered): LiveRun {
    const { tool, command, cwd, filterBy } = filtered;
    return this.#begin(filtered, {
      ...{ tool, prompt: command, access: 'full', cwd, choice: { by: 'tier', tier: filterBy } },
    });
  }

  followUp(followUp: FollowUp): Promise<LiveRun> {
    const known = this.#recordsOf(followUp.handle)[0];
    const handle = parseHandle(followUp.handle);
    const task: Task = {
      tool: followUp.tool,
      prompt: followUp.question,
      access: known && !followUp.mode ? known.access : 'readOnly',
      cwd: followUp.cwd ?? known?.cwd ?? '',
      choice: { by: 'engine', engine: handle?.engine ?? 'codex' },
    };
    return Promise.resolve(this.#begin(followUp, task, known?.sessionId ?? handle?.id));
  }

  findLive(handle: string): LiveRun | undefined {
    return this.live.find((run) => matches(run.record, handle));
  }

  findRecord(handle: string): Promise<RunRecord | undefined> {
    return Promise.resolve(this.#recordsOf(handle)[0]);
  }

  readResult(runId: string): Promise<string | undefined> {
    return Promise.resolve(this.results.get(runId));
  }

  readLog(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  readTranscript(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  readPrompt(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  noteReturned(runId: string, chars: number): void {
    this.returned.push({ runId, chars });
  }

  async shutdown(): Promise<void> {
    this.shutDown = true;
    for (const run of this.live) run.cancel();
    await Promise.all(this.live.map((run) => run.result));
  }

  #recordsOf(handle: string): RunRecord[] {
    const own = this.runs.map(({ run }) => run.record).reverse();
    return [...own, ...this.records].filter((record) => matches(record, handle));
  }

  #begin(asked: Asked, task: Task, resumes?: string): LiveRun {
    const { choice } = task;
    const record = fakeRecord({
      runId: `run-${String(this.runs.length + 1).padStart(8, '0')}`,
      startedAt: this.#now(),
      tool: task.tool,
      engine: choice.by === 'engine' ? choice.engine : choice.by === 'tier' ? choice.tier.engine : 'codex',
      access: task.access,
      cwd: task.cwd,
      ...(resumes !== undefined && { sessionId: resumes }),
    });
    const run = new RunInProgress(record, (changed) => this.#changes.fire(changed));
    const fake: FakeRun = {
      run,
      asked,
      beginSession: (sessionId) => run.learn({ sessionId }),
      finish: (result = {}) => this.#finish(run, result),
    };
    this.runs.push(fake);
    // A worker takes a moment to end.
    run.signal.addEventListener('abort', () =>
      queueMicrotask(() => fake.finish({ status: 'cancelled', reason: 'cancelled', text: 'Cancelled.' })),
    );
    void this.#work(fake, task);
    return run;
  }

  async #work(fake: FakeRun, task: Task): Promise<void> {
    const problem = await problemOf(task, 1_800_000);
    if (fake.run.signal.aborted) return;
    if (problem) {
      fake.finish({ status: 'failed', reason: problem.reason, text: problem.message });
      return;
    }
    fake.run.enter({ kind: 'running', step: 'thinking' });
    if (!this.#options.answer) return;
    const { sessionId, ...result } = this.#options.answer(fake.asked);
    if (sessionId !== undefined && fake.run.record.sessionId === undefined) fake.beginSession(sessionId);
    const checked = result.status === undefined && (await task.check?.(result.text ?? ''));
    fake.finish(checked ? { ...result, ...endOf(checked) } : result);
  }

  #finish(run: RunInProgress, given: Partial<RunResult>): void {
    if (run.phase.kind === 'ended') return;
    const { runId, engine, access, cwd, startedAt, sessionId } = run.record;
    const result: RunResult = {
      runId,
      status: 'completed',
      text: 'Done.',
      ...(sessionId !== undefined && { handle: `${engine}:${sessionId}` }),
      engine,
      access,
      cwd,
      durationMs: this.#now() - startedAt,
      files: [],
      notes: [],
      ...given,
    };
    this.results.set(runId, result.text);
    run.learn({
      status: result.status,
      endedAt: this.#now(),
      files: result.files,
      ...(result.reason && { reason: result.reason }),
    });
    run.settle(result);
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
}

function endOf({ text, notes, failure }: CheckedAnswer): Partial<RunResult> {
  return failure ? { status: 'failed', reason: failure.reason, text: failure.message, notes } : { text, notes };
}

/** A record as the journal gives it, of a run that is under way. */
export function fakeRecord(given: Partial<RunRecord>): RunRecord {
  return {
    runId: 'run-elsewhere',
    startedAt: 0,
    status: 'running',
    owner: { pid: 4711, startedAt: 't', kind: 'standalone' },
    tool: 'delegate',
    engine: 'codex',
    access: 'workspaceWrite',
    cwd: '/',
    title: '',
    charsRead: 0,
    charsReturned: 0,
    files: [],
    notes: [],
    moved: [],
    ...given,
  };
}

function matches({ engine, sessionId, runId }: RunRecord, handle: string): boolean {
  const wanted = parseHandle(handle);
  return wanted?.engine === engine && (wanted.id === sessionId || wanted.id === runId);
}
