import { writeFile } from 'node:fs/promises';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import type { Action, Engine, RunRequest } from '../engines/engine.ts';
import type { startWorker, Worker, WorkerSpec } from '../process/spawn.ts';
import type { Prepared } from '../sandbox/sandbox.ts';
import type { Failure, FileChange, Outcome, RunEvent, Usage } from '../protocol/model.ts';

/** One process life of a worker, to be started. */
export interface RunOrder {
  engine: Engine;
  request: RunRequest;
  runId: string;
  /** Absolute path of the CLI. */
  binary: string;
  /** Everything the worker's environment holds, the engine's own additions included. */
  env: Readonly<Record<string, string>>;
  guard: WorkerSpec['guard'];
  /** Puts the program into a sandbox. Absent: it is started as it is. */
  confine?: Prepared['confine'];
  /** What a raw line of output tells the reader of the result, beyond what the engine understands of it. */
  warningIn?: (line: string) => string | undefined;
  /**
   * The worker learns its task when this has resolved; it must not reject. A CLI that gets its task by standard input is
   * started meanwhile, since it takes longer to come up than the state of a usual workspace takes to keep.
   */
  ready: Promise<unknown>;
  limits: RunLimits;
  onEvent: (event: RunEvent) => void;
  /** Once, when the worker has said its last word or has ended, whichever is first. */
  onDone: () => void;
  signal: AbortSignal;
}

export interface RunLimits {
  /** Wall-clock limit in milliseconds. */
  wallMs: number;
  /** How long a worker may show no progress. Not counted while one of its tools runs: that is the wall clock's business. */
  silenceMs: number;
}

/** What is known once a worker is gone and nothing of it is left. */
export interface RunEnd {
  outcome: Outcome;
  sessionId?: string;
  usage?: Usage;
  threadUsage?: Usage;
  /** The worker started at least one tool, so it may have changed something: nobody else may take over. */
  acted: boolean;
  /** How many processes of it outlived its last word or its end. They may have changed files until they were ended. */
  survivors: number;
  /** Changes the worker reported itself, in order, each path once. */
  reportedChanges: FileChange[];
  /** What the worker said last, so that a run that fails late does not lose it. */
  lastMessage?: string;
  /** What the reader of the result should know, each once. */
  warnings: string[];
  /** Questions and permissions that the CLI decided itself, each once: no result may pass for a person's consent. */
  unasked: string[];
  /** Characters the worker printed. */
  charsRead: number;
  /** The last part of standard error, for the log. */
  stderrTail: string;
}

export interface RunDeps {
  clock: Clock;
  log: Logger;
  startWorker: typeof startWorker;
}

/** How long a worker may stay after its last word (Codex is seen to stay 5 s when it cannot reach its analytics). */
const lingerMs = 3_000;

const cancelled = { status: 'failed', reason: 'cancelled', message: 'Cancelled.' } as const;

/** Runs a worker to its end. Never rejects: whatever goes wrong is the outcome. The tree is gone when it resolves. */
export async function run(order: RunOrder, deps: RunDeps): Promise<RunEnd> {
  const { engine, request } = order;
  const launch = engine.launch(request);
  for (const file of launch.files) await writeFile(file.path, file.text, { mode: 0o600 });
  const program = { file: order.binary, args: launch.args, env: { ...order.env, ...launch.env } };
  return new Life(order, deps).live({
    ...(order.confine ? order.confine(program) : program),
    cwd: request.cwd,
    runId: order.runId,
    guard: order.guard,
  });
}

class Life {
  readonly #order: RunOrder;
  readonly #deps: RunDeps;
  readonly #conversation;
  readonly #changes = new Map<string, FileChange>();
  readonly #toolsRunning = new Set<string>();
  #worker: Worker | undefined;
  #outcome: Outcome | undefined;
  #stopped: Failure | undefined;
  #silence: Disposable | undefined;
  #linger: Disposable | undefined;
  #retrying: string | undefined;
  #sessionId: string | undefined;
  #usage: Usage | undefined;
  #threadUsage: Usage | undefined;
  #lastMessage: string | undefined;
  readonly #warnings = new Set<string>();
  readonly #unasked = new Set<string>();
  #survivors = 0;
  #acted = false;
  #charsRead = 0;
  #stderrTail = '';

  constructor(order: RunOrder, deps: RunDeps) {
    this.#order = order;
    this.#deps = deps;
    this.#conversation = order.engine.conversation(order.request);
  }

  async live(spec: WorkerSpec): Promise<RunEnd> {
    const { signal, limits, ready } = this.#order;
    const task = this.#conversation.start();
    if (!task.some(({ kind }) => kind === 'write')) await ready;
    if (signal.aborted) return this.#end(cancelled);
    const worker = this.#deps.startWorker(spec, {
      onLine: (line, cut) => this.#receive(line, cut),
      onFlood: () => this.#stop(this.#flooded()),
      onGuardLost: (why) => this.#deps.log.warn(`run ${this.#order.runId}: ${why}`),
    });
    this.#worker = worker;
    const wall = this.#deps.clock.after(limits.wallMs, () => this.#stop(this.#outOfTime()));
    const onAbort = () => this.#stop(cancelled);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#watchSilence();
    void ready.then(() => {
      if (!this.#stopped) this.#perform(task);
    });
    const exit = await worker.ended;
    signal.removeEventListener('abort', onAbort);
    for (const timer of [wall, this.#silence, this.#linger]) timer?.dispose();
    this.#stderrTail = exit.stderrTail;
    if (!this.#outcome) this.#order.onDone();
    await worker.stop();
    this.#survivors += await worker.swept;
    if (exit.startFailed) return this.#end(this.#didNotStart(exit.stderrTail));
    const ended = this.#conversation.ended(exit);
    return this.#end(this.#stopped ? { status: 'failed', ...this.#stopped } : (this.#outcome ?? ended));
  }

  #receive(line: string, cut: boolean): void {
    this.#charsRead += line.length;
    const warning = this.#order.warningIn?.(line);
    if (warning !== undefined) this.#warnings.add(warning);
    const received = this.#conversation.receive(line, cut);
    for (const event of received.events) this.#note(event);
    if (received.actions) this.#perform(received.actions);
    if (!received.outcome || this.#outcome) return;
    this.#outcome = received.outcome;
    this.#order.onDone();
    this.#silence?.dispose();
    this.#linger = this.#deps.clock.after(lingerMs, () => {
      this.#survivors += 1;
      void this.#worker?.stop();
    });
  }

  #note(event: RunEvent): void {
    switch (event.kind) {
      case 'session':
        this.#sessionId = event.id;
        break;
      case 'toolStarted':
        this.#acted = true;
        this.#toolsRunning.add(event.id);
        break;
      case 'toolEnded':
        this.#toolsRunning.delete(event.id);
        break;
      case 'fileChange':
        this.#acted = true;
        this.#changes.set(event.change.path, event.change);
        break;
      case 'usage':
        this.#usage = event.run;
        this.#threadUsage = event.thread ?? this.#threadUsage;
        break;
      case 'retrying':
        this.#retrying = event.detail;
        break;
      case 'message':
        this.#lastMessage = event.text;
        break;
      case 'warning':
        (event.unasked ? this.#unasked : this.#warnings).add(event.text);
        break;
      case 'remark':
        break;
    }
    if (showsProgress(event)) this.#watchSilence();
    this.#order.onEvent(event);
  }

  #watchSilence(): void {
    this.#silence?.dispose();
    if (this.#outcome || this.#toolsRunning.size > 0) return;
    this.#silence = this.#deps.clock.after(this.#order.limits.silenceMs, () => this.#stop(this.#silent()));
  }

  #stop(why: Failure): void {
    if (this.#stopped || this.#outcome) return;
    this.#stopped = why;
    void this.#worker?.stop(() => this.#perform(this.#conversation.interrupt()));
  }

  #perform(actions: Action[]): void {
    for (const action of actions) {
      if (action.kind === 'write') this.#worker?.write(action.line);
      else this.#worker?.endInput();
    }
  }

  #end(outcome: Outcome): RunEnd {
    return {
      outcome,
      ...(this.#sessionId !== undefined && { sessionId: this.#sessionId }),
      ...(this.#usage && { usage: this.#usage }),
      ...(this.#threadUsage && { threadUsage: this.#threadUsage }),
      acted: this.#acted,
      survivors: this.#survivors,
      reportedChanges: [...this.#changes.values()],
      ...(this.#lastMessage !== undefined && { lastMessage: this.#lastMessage }),
      warnings: [...this.#warnings],
      unasked: [...this.#unasked],
      charsRead: this.#charsRead,
      stderrTail: this.#stderrTail,
    };
  }

  #outOfTime(): Failure {
    const minutes = describeDuration(this.#order.limits.wallMs);
    return {
      reason: 'timedOut',
      message: `${this.#title} did not finish within ${minutes} and was stopped. Give it a smaller task, or more time (sallyport.maxRunMinutes is the most there is).`,
    };
  }

  #silent(): Failure {
    const waited = describeDuration(this.#order.limits.silenceMs);
    const last = this.#retrying === undefined ? '' : ` Its last word: ${this.#retrying}`;
    return {
      reason: this.#retrying === undefined ? 'timedOut' : 'environment',
      message: `${this.#title} made no progress for ${waited} and was stopped. Check the network and the model service, then try again.${last}`,
    };
  }

  #flooded(): Failure {
    return {
      reason: 'badOutput',
      message: `${this.#title} printed more than a run may print and was stopped. Ask for less output, then try again.`,
    };
  }

  #didNotStart(why: string): Outcome {
    return {
      status: 'failed',
      reason: 'environment',
      message: `${this.#title} could not be started (${this.#order.binary}): ${why.trim()}`,
    };
  }

  get #title(): string {
    return this.#order.engine.title;
  }
}

/** Retries are none: a refused connection makes Codex retry for ever. */
const showsProgress = ({ kind }: RunEvent) => kind !== 'retrying' && kind !== 'warning' && kind !== 'remark';

/** A duration in milliseconds for people: `45 s`, `30 min`. */
export function describeDuration(ms: number): string {
  return ms < 90_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}
