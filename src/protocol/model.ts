import * as z from 'zod';
import { engineIds } from './engineIds.ts';

/** What a run may do to the workspace. `full` is unrestricted within the sandbox it runs in. */
export const accessSchema = z.enum(['readOnly', 'workspaceWrite', 'full']);
export type Access = z.infer<typeof accessSchema>;

export const engineIdSchema = z.enum(engineIds);
export type EngineId = z.infer<typeof engineIdSchema>;

/**
 * Why a run did not succeed. `badRequest`: what was asked cannot be done as asked (empty prompt, missing folder, unknown
 * model or session, lines that are in no file). `environment`: the machine, the network or the model service is in the way.
 */
export const failureReasonSchema = z.enum([
  'notInstalled',
  'notSignedIn',
  'rateLimited',
  'timedOut',
  'cancelled',
  'exited',
  'badOutput',
  'badRequest',
  'environment',
]);
export type FailureReason = z.infer<typeof failureReasonSchema>;

/** A failure as people and callers see it: `message` says what happened and what to do next. */
export interface Failure {
  reason: FailureReason;
  message: string;
}

/** Worker tokens as the CLI reported them. `input` includes `cachedInput`. */
export const usageSchema = z.object({
  input: z.number().nonnegative(),
  cachedInput: z.number().nonnegative(),
  output: z.number().nonnegative(),
});
export type Usage = z.infer<typeof usageSchema>;

/** Names a resumable conversation; written `engine:id` for people and callers. */
export interface SessionHandle {
  engine: EngineId;
  id: string;
}

export const fileChangeSchema = z.object({
  /** Relative to the run's cwd with forward slashes where it lies inside, else absolute. */
  path: z.string(),
  kind: z.enum(['added', 'modified', 'deleted']),
});
export type FileChange = z.infer<typeof fileChangeSchema>;

/** What a worker does while it runs, in the order it happened, whichever the engine. */
export type RunEvent =
  | { kind: 'session'; id: string }
  | { kind: 'message'; text: string }
  | { kind: 'toolStarted'; id: string; title: string }
  | { kind: 'toolEnded'; id: string; ok: boolean }
  | { kind: 'fileChange'; change: FileChange }
  | { kind: 'retrying'; detail: string }
  /**
   * For the reader of the result: something was refused, skipped or lost. `unasked`: it was a question or a permission,
   * and the CLI decided it, not a person.
   */
  | { kind: 'warning'; text: string; unasked?: true }
  /** What the CLI said of itself, for the log. */
  | { kind: 'remark'; text: string }
  /**
   * `run`: tokens of this run alone; absent when the CLI counts for the whole session and the count before is not known.
   * `thread`: what the CLI counted for the whole session, when it counts that way.
   */
  | { kind: 'usage'; run?: Usage; thread?: Usage };

/** How an engine's conversation ended, before the run's own cancel and time-out flags are applied. */
export type Outcome = { status: 'completed'; text: string } | ({ status: 'failed' } & Failure);

/** One rung of the delegation ladder: which engine, and with what model and effort (the CLI's own default when absent). */
export const tierSchema = z.object({
  engine: engineIdSchema,
  model: z.string().exactOptional(),
  effort: z.string().exactOptional(),
});
export type Tier = z.infer<typeof tierSchema>;

/**
 * The state of a whole git work tree: tracked, changed, staged and untracked files, ignored ones not. Good as long as its
 * store is kept, and the repository's own objects are not pruned away.
 */
export const snapshotSchema = z.object({
  /** The real path of the work tree's top. */
  root: z.string(),
  /** Name of the tree object. */
  tree: z.string(),
  /** Absolute path of the store: a git folder of Sallyport's own that holds the objects the repository lacks. */
  objects: z.string(),
  /**
   * What could not be kept, by path relative to `root`: files past the size limits (a change of their size or time still
   * counts as a change), unreadable ones, repositories inside this one that have no commit yet.
   */
  leftOut: z.array(z.string()),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

/** A git worktree of Sallyport's own: a work tree beside the person's, of the same repository. All paths are absolute. */
export const worktreeSchema = z.object({
  /** The top of the work tree it is made of, and that one's git folder. */
  root: z.string(),
  gitFolder: z.string(),
  /** What all work trees of the repository share. */
  commonFolder: z.string(),
  /** The repository's entry for it, below `commonFolder`. */
  entry: z.string(),
  /** Its files. */
  checkout: z.string(),
  /** A git folder of our own that looks after it. */
  store: z.string(),
  /** The name of the branch its changes come back as. */
  branch: z.string(),
  /** The commit it began with: the work tree as it was. Absent until it is made. */
  base: z.string().exactOptional(),
  /** Where the branch was left last. Absent until something came back. */
  tip: z.string().exactOptional(),
});
export type Worktree = z.infer<typeof worktreeSchema>;
