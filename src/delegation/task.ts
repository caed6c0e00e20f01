import type { Event } from '../base/event.ts';
import type { RunRecord } from '../journal/entry.ts';
import type { LogPage } from './command/logFile.ts';
import type { Transcript } from './transcript.ts';
import type { Access, EngineId, Failure, FailureReason, FileChange, RunEvent, Tier, Usage } from '../protocol/model.ts';

/** Which worker should take a task. A level names a rung of the ladder (or the fast one), `engine` that engine's own rung. */
export type Choice =
  | { by: 'level'; level: number; fast?: true }
  | { by: 'engine'; engine: EngineId }
  | { by: 'tier'; tier: Tier; level?: number };

/** What a caller asks for. Validated by `start`: bad input becomes a failed result that says what is wrong. */
export interface Task {
  /** Who asks, for the journal: the MCP tool's or the command's name. */
  tool: string;
  prompt: string;
  /** Goes to the worker by the engine's own channel for instructions. */
  instructions?: string;
  /** Who the worker should be, said before the instructions: a persona by name, or its very words. */
  agent?: string | { prompt: string };
  access: Access;
  /** Absolute. Must be an existing folder. */
  cwd: string;
  choice: Choice;
  /** Override the rung's own. */
  model?: string;
  effort?: string;
  /** Wall-clock limit in milliseconds; `usualMs` or the setting's when absent. */
  timeoutMs?: number;
  /** The limit of this kind of task where the setting does not set a shorter one. */
  usualMs?: number;
  /** It works in a git worktree of its own, made of `cwd` as it is when its turn comes. */
  isolation?: 'worktree';
  /** Live web search. */
  web?: true;
  /** Looks over the redacted answer of a run that completed, before it is kept and before anybody gets it. */
  check?: (answer: string) => Promise<CheckedAnswer>;
}

/** What is left of an answer, and what its reader should know; with `failure` it was worth nothing. */
export interface CheckedAnswer {
  text: string;
  notes: string[];
  failure?: Failure;
}

/** A question to an earlier session. `mode` only ever narrows what the session was allowed. */
export interface FollowUp {
  tool: string;
  /** `engine:id`, as every result's footer gives it. */
  handle: string;
  question: string;
  mode?: 'ask' | 'plan';
  cwd?: string;
  timeoutMs?: number;
}

/** One task for several workers at once, each in a worktree of its own. */
export interface FanOut {
  task: Omit<Task, 'choice' | 'access' | 'isolation' | 'web' | 'check' | 'usualMs'>;
  /** One worker for each. */
  levels: readonly number[];
  /** `race`: the first that succeeds counts. `consensus`: all are heard, and an arbiter says where they agree. */
  mode: 'race' | 'consensus';
  arbiter: Tier;
  /** What the arbiter is asked, given the answers of those that succeeded. */
  digest: (answers: readonly { worker: string; text: string }[]) => { prompt: string; instructions: string };
}

/** A command that Sallyport runs itself, once, and whose output an agent filters. */
export interface Filtered {
  tool: string;
  /** As `sh -c` takes it. */
  command: string;
  /** Absolute. */
  cwd: string;
  /** The command's, in milliseconds; the setting's when absent. */
  timeoutMs?: number;
  /** What the agent is asked about an output that is too long to be returned as it is. */
  filter: (output: LoggedOutput) => Pick<Task, 'prompt' | 'instructions' | 'choice' | 'model' | 'effort'>;
  /** Who is to filter it. */
  filterBy: Tier;
  /** Where the whole output of a run is read, for the caller. */
  address: (runId: string) => string;
  /** The longest answer of the agent that is returned, in characters. */
  maxChars: number;
}

/** The output of a command that has ended, as the agent finds it in `file` of its folder. */
export interface LoggedOutput {
  /** How the command ended, in words. */
  outcome: string;
  lines: number;
  chars: number;
  file: string;
}

/** What comes back of a run. `text` is redacted and whole, and on failure says what happened and what to do next. */
export interface RunResult {
  runId: string;
  status: 'completed' | 'failed' | 'cancelled';
  reason?: FailureReason;
  text: string;
  /** `engine:id`. Absent only when the worker never had a session. */
  handle?: string;
  engine: EngineId;
  model?: string;
  access: Access;
  cwd: string;
  durationMs: number;
  /** For the reader of the result: a fallback that was taken, an unknown handle run read-only, redactions made. */
  notes: string[];
  files: FileChange[];
  /** Where its changes are, when it worked in a worktree and made some. */
  branch?: string;
  usage?: Usage;
}

/** Whose end a run waits for, before it takes its place in the line: the run in its session, or the one that writes in its checkout. */
export type Behind = 'session' | 'checkout';

/** What a run is doing this moment. */
export type RunPhase =
  | { kind: 'waiting'; ahead: number; behind?: Behind }
  | { kind: 'running'; step: string }
  | { kind: 'retrying'; detail: string }
  | { kind: 'stopping' }
  | { kind: 'ended' };

/** A run of this process, from the moment it was asked for. */
export interface LiveRun {
  readonly id: string;
  /** A snapshot; a new one with every change. */
  readonly record: RunRecord;
  readonly phase: RunPhase;
  /** `engine:session` once known, else `engine:<run id>`, which `find` resolves too. */
  readonly handle: string;
  /** Never rejects. */
  readonly result: Promise<RunResult>;
  /** Redacted events, for progress. */
  readonly onEvent: Event<RunEvent>;
  /** Ends the whole process tree; `result` then settles as cancelled. Later calls do nothing. */
  cancel(): void;
}

/** The use case behind every command and tool. */
export interface Delegation {
  start(task: Task): LiveRun;
  /** Sends out several workers. The run it returns leads them: cancelling it cancels them, and its result is theirs. */
  fanOut(fanOut: FanOut): LiveRun;
  /** Runs a command in the sandbox. The run's result is how it ended and what matters of its output. */
  runFiltered(filtered: Filtered): LiveRun;
  /** Continues a session with its own access, or narrower. */
  followUp(followUp: FollowUp): Promise<LiveRun>;
  /** The live run behind a handle, when it runs in this process. */
  findLive(handle: string): LiveRun | undefined;
  /** The newest run of a handle that any process recorded. */
  findRecord(handle: string): Promise<RunRecord | undefined>;
  /** The stored (redacted, whole) result text of an ended run, or undefined. */
  readResult(runId: string): Promise<string | undefined>;
  /** A page (from 1, of about `bytes` bytes) of a command's whole redacted output; undefined when the run has none. */
  readLog(runId: string, page: number, bytes: number): Promise<LogPage | undefined>;
  /** The redacted steps of a run as far as they are kept, or undefined. */
  readTranscript(runId: string): Promise<Transcript | undefined>;
  /** What a run was asked, redacted, or undefined where it is not kept. */
  readPrompt(runId: string): Promise<string | undefined>;
  /** Records that `chars` characters about a run (notes and footer included) reached a caller. */
  noteReturned(runId: string, chars: number): void;
  readonly live: readonly LiveRun[];
  /** Fires when a run starts, changes phase or ends. */
  readonly onDidChange: Event<LiveRun>;
  /** Cancels every run and resolves when nothing of them is left. */
  shutdown(): Promise<void>;
}
