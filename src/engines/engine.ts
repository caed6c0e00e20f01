import type { EngineState } from '../protocol/engineState.ts';
import type { Access, EngineId, Outcome, RunEvent, Usage } from '../protocol/model.ts';

/** What one process life of a worker is asked to do. Paths are absolute. */
export interface RunRequest {
  prompt: string;
  /** Extra instructions (persona, style), sent by the engine's own channel for them where it has one. */
  instructions?: string;
  access: Access;
  cwd: string;
  model?: string;
  effort?: string;
  resume?: Resume;
  /** Live web search. Off unless asked for. */
  web: boolean;
  /**
   * Sallyport's sandbox holds the worker, or the person has agreed that it may act in this workspace without one. Engines
   * whose CLI can only write with its own approvals switched off refuse writing access otherwise.
   */
  unsandboxedConsent: boolean;
  /** An id the run chose for a new session, for CLIs that take one: the handle is then known before the first event. */
  newSessionId: string;
  /** The run's own private folder (0700), for prompt files and the like. Outside the workspace. */
  scratch: string;
}

/** What decides whether an engine can honour a request. */
export type Demand = Pick<
  RunRequest,
  'access' | 'unsandboxedConsent' | 'web' | 'prompt' | 'instructions' | 'model' | 'effort' | 'resume'
>;

/** The session to continue. `threadUsage` is what the last run of it reported as the whole session's tokens. */
export interface Resume {
  id: string;
  threadUsage?: Usage;
}

/** How to start the CLI. Pure data; the run writes `files` (0600) before it spawns. */
export interface Launch {
  args: string[];
  /** Set in the worker's environment, beside the allow-listed ones. */
  env: Record<string, string>;
  files: { path: string; text: string }[];
}

/** Something a conversation wants done to the worker's standard input. */
export type Action = { kind: 'write'; line: string } | { kind: 'endInput' };

/** What one line of output meant. `outcome` is the engine's terminal event: later lines no longer change it. */
export interface Received {
  events: RunEvent[];
  actions?: Action[];
  outcome?: Outcome;
}

/** How the process ended. `signal` is the name of the signal that ended it. */
export interface Ended {
  code: number | null;
  signal: string | null;
  /** The last part of standard error (at most 8 KB). */
  stderrTail: string;
}

/** A pure state machine over one process life, so that a recorded transcript is its test. */
export interface Conversation {
  /** What to send first. A CLI that reads nothing gets `endInput` at once. */
  start(): Action[];
  /** Takes one line of standard output, without its line end. A line that was cut at the cap arrives with `cut`. */
  receive(line: string, cut: boolean): Received;
  /** The protocol's own way to stop, if the CLI has one. */
  interrupt(): Action[];
  /** The outcome, once the process is gone: the terminal event if there was one, else from exit code, else from stderr. */
  ended(how: Ended): Outcome;
}

/** Whether a binary of the right name is the right CLI. `text` is what `--help` and `--version` printed together. */
export type Identity = { ok: true; version: string } | { ok: false; why: string };

/** Whether somebody is signed in to a CLI. `how` and `account` are for people; neither holds any part of a secret. */
export type SignIn =
  | { state: 'signedIn'; how?: string | undefined; account?: string | undefined }
  | { state: 'signedOut' }
  | { state: 'unknown' };

/** How to ask a CLI whether somebody is signed in, without a request to a model. */
export interface SignInQuestion {
  /** Asked only where `--help` lists the first of them: an older CLI would take it for a prompt. */
  args: readonly string[];
  /** From what it printed to both of its outputs. */
  read: (text: string) => SignIn;
  /** A file of the CLI's first state folder which may name a model service of the person's own, for which nobody signs in. */
  ownService?: { file: string; read: (text: string) => string | undefined };
}

/** A driver of one CLI. Stateless and pure; everything that touches the machine is in the run. */
export interface Engine {
  id: EngineId;
  /** As people know it, e.g. "Claude Code". */
  title: string;
  /** Names to look for on PATH, best first. */
  binaries: readonly string[];
  /** How a person gets it and signs in, one sentence each, with the command. */
  installHint: string;
  signInHint: string;
  signIn: SignInQuestion;
  /** Names of environment variables beyond the common allow-list that the CLI needs (a trailing `*` is a prefix). */
  environment: readonly string[];
  /** What the CLI keeps below HOME or where its variables say. */
  state: EngineState;
  /** Whether the CLI holds a worker that may write the workspace to it, by a sandbox of its own. */
  ownSandbox: boolean;
  /** Empty folders the CLI may leave in the workspace when it is stopped, by name. */
  strayFolders: readonly string[];
  /** Undefined when the request can be honoured; else the reason, for people. Never silently drops an option. */
  refuses(request: Demand): string | undefined;
  /** Places where the native binary may lie, relative to the folder of the npm wrapper's real path, best first. */
  nativeBinaries(platform: NodeJS.Platform, arch: string): readonly string[];
  identify(text: string): Identity;
  /** Throws when `refuses` gives a reason: a caller asks that first. */
  launch(request: RunRequest): Launch;
  conversation(request: RunRequest): Conversation;
}
