// The small zod: this file is part of the page's bundle.
import * as z from 'zod/mini';

/** What the window tells the page of "Check Setup": always everything. Every character of its texts can be seen. */

const row = z.object({
  id: z.string(),
  title: z.string(),
  state: z.enum(['checking', 'ok', 'warning', 'missing', 'optional', 'unknown']),
  /** The state in a few words. */
  verdict: z.string(),
  found: z.array(z.string()),
  advice: z.exactOptional(z.string()),
  /** What the first button types. */
  command: z.exactOptional(z.string()),
  /** Labels; the page names a button by its place. */
  buttons: z.array(z.string()),
});
export type SetupRow = z.infer<typeof row>;

const texts = z.record(z.enum(['title', 'checkAgain', 'copy', 'checkThisAgain', 'commandName']), z.string());

const setupPageSchema = z.object({
  type: z.literal('state'),
  texts,
  /** Which Sallyport in which editor on which machine. */
  about: z.string(),
  /** What all of it comes to. `busy`: some checks are not over. */
  summary: z.object({ tone: z.enum(['busy', 'good', 'bad']), text: z.string() }),
  /** Something to know before the rest, and the button that changes it. */
  notice: z.exactOptional(z.object({ text: z.string(), button: z.string() })),
  groups: z.array(z.object({ title: z.string(), rows: z.array(row) })),
  /** What was just done, for a screen reader too. */
  done: z.exactOptional(z.string()),
});
export type SetupPageState = z.infer<typeof setupPageSchema>;

/** Undefined for what is no message of the window. */
export function readSetupPage(data: unknown): SetupPageState | undefined {
  return setupPageSchema.safeParse(data).data;
}
