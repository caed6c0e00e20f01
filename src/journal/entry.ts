import * as z from 'zod';
import { accessSchema, engineIdSchema, failureReasonSchema, fileChangeSchema, usageSchema } from '../protocol/model.ts';

/** The process that runs a worker. `startedAt`, as the process table tells it, keeps it
 * apart from a later process with the same pid; empty where the platform does not tell. */
const ownerSchema = z.object({
  pid: z.number().int(),
  startedAt: z.string(),
  kind: z.enum(['window', 'standalone']),
});

/** Milliseconds since the epoch, within what a Date holds (ECMA-262, time values). */
const time = z.number().min(0).max(8.64e15);

const runStarted = z.object({
  type: z.literal('started'),
  at: time,
  runId: z.string(),
  owner: ownerSchema,
  /** The MCP tool or command that asked, e.g. `delegate`. */
  tool: z.string(),
  engine: engineIdSchema,
  model: z.string().exactOptional(),
  effort: z.string().exactOptional(),
  level: z.number().int().exactOptional(),
  access: accessSchema,
  /** Live web search was on. */
  web: z.literal(true).exactOptional(),
  cwd: z.string(),
  /** The folder that was asked for, of a run whose `cwd` lies in a worktree made of it. */
  origin: z.string().exactOptional(),
  /** How many other runs this one sends out. It has no worker of its own. */
  leads: z.number().int().positive().exactOptional(),
  /** It was a command that Sallyport ran itself. `engine` is then who was to filter what it printed. */
  command: z.literal(true).exactOptional(),
  /** The run that sent this one out. */
  ledBy: z.string().exactOptional(),
  /** First line of the prompt, redacted, at most 120 characters. */
  title: z.string(),
  /** The session this run continues. */
  resumes: z.string().exactOptional(),
});

const runSession = z.object({ type: z.literal('session'), at: time, runId: z.string(), sessionId: z.string() });

/** The run moved to another engine before its first tool event. */
const runMoved = z.object({
  type: z.literal('moved'),
  at: time,
  runId: z.string(),
  engine: engineIdSchema,
  model: z.string().exactOptional(),
  effort: z.string().exactOptional(),
  failed: z.object({ engine: engineIdSchema, reason: failureReasonSchema }),
});

const runEnded = z.object({
  type: z.literal('ended'),
  at: time,
  runId: z.string(),
  status: z.enum(['completed', 'failed', 'cancelled']),
  reason: failureReasonSchema.exactOptional(),
  message: z.string().exactOptional(),
  usage: usageSchema.exactOptional(),
  threadUsage: usageSchema.exactOptional(),
  /** Characters the worker printed. Measured, never estimated. */
  charsRead: z.number().int().nonnegative(),
  files: z.array(fileChangeSchema),
  /** Where its changes are, when it worked in a worktree and made some. */
  branch: z.string().exactOptional(),
  /** For the reader of the result, redacted. */
  notes: z.array(z.string()),
});

/** Text about a run reached a caller: `chars` with footer and notes, counted once for every time it was returned. */
const runReturned = z.object({
  type: z.literal('returned'),
  at: time,
  runId: z.string(),
  chars: z.number().int().nonnegative(),
});

/** The session of a run cannot go on: `why` says so to whoever asks it. */
const runClosed = z.object({ type: z.literal('closed'), at: time, runId: z.string(), why: z.string() });

/** One line of a journal file. A line that does not parse costs that line only. */
export const entrySchema = z.discriminatedUnion('type', [
  runStarted,
  runSession,
  runMoved,
  runEnded,
  runReturned,
  runClosed,
]);
export type Entry = z.infer<typeof entrySchema>;

/** `lost`: its owner died before it could write the end. */
export type RunStatus = 'running' | 'completed' | 'failed' | 'cancelled' | 'lost';

/** A run as the merged journal tells it: `started` with everything later entries said. Newest first in lists. */
export interface RunRecord {
  runId: string;
  startedAt: number;
  endedAt?: number;
  status: RunStatus;
  owner: z.infer<typeof ownerSchema>;
  tool: string;
  engine: z.infer<typeof engineIdSchema>;
  model?: string;
  effort?: string;
  level?: number;
  access: z.infer<typeof accessSchema>;
  web?: true;
  cwd: string;
  origin?: string;
  leads?: number;
  command?: true;
  ledBy?: string;
  title: string;
  /** Why its session cannot go on. */
  closed?: string;
  resumes?: string;
  sessionId?: string;
  reason?: z.infer<typeof failureReasonSchema>;
  message?: string;
  usage?: z.infer<typeof usageSchema>;
  threadUsage?: z.infer<typeof usageSchema>;
  charsRead: number;
  /** The sum of what `returned` entries counted. */
  charsReturned: number;
  files: z.infer<typeof fileChangeSchema>[];
  branch?: string;
  /** For the reader of the result: a fall-back that was taken, redactions made, what the engine warned of. */
  notes: string[];
  /** Engines that were tried before the one that ran, with why they did not. */
  moved: { engine: z.infer<typeof engineIdSchema>; reason: z.infer<typeof failureReasonSchema> }[];
}
