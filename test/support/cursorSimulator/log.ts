import { appendFileSync, readFileSync } from 'node:fs';
import * as z from 'zod';

const understoodSchema = z.union([z.strictObject({ key: z.string() }), z.strictObject({ text: z.string() })]);

/** A key, or text that goes into an input line. Keys by name: `y`, `Enter`, `Escape`, `Shift+Tab`, `Alt+y`. */
export type Understood = z.infer<typeof understoodSchema>;

const decisionSchema = z.discriminatedUnion('kind', [
  /** `by`: the key that did it; `Enter` on the marked row. */
  z.strictObject({ kind: z.literal('approved'), by: z.string() }),
  /** `reason` is missing where none was asked for, and empty where it was skipped. */
  z.strictObject({ kind: z.literal('rejected'), reason: z.string().exactOptional() }),
  z.strictObject({
    kind: z.literal('answered'),
    answers: z.array(z.strictObject({ options: z.array(z.number()), other: z.string() })),
  }),
  z.strictObject({ kind: z.literal('skipped') }),
]);

/** What the person decided about a call. */
export type Decision = z.infer<typeof decisionSchema>;

const happeningSchema = z.discriminatedUnion('event', [
  z.strictObject({ event: z.literal('start'), argv: z.array(z.string()) }),
  /** Bytes that arrived together: in hex, what they were understood as, whether each was heeded, and what came of it. */
  z.strictObject({
    event: z.literal('input'),
    hex: z.string(),
    understood: z.array(z.strictObject({ input: understoodSchema, dropped: z.boolean(), did: z.string() })),
  }),
  /** A chat's store was opened. */
  z.strictObject({ event: z.literal('chat'), id: z.string(), folder: z.string() }),
  z.strictObject({ event: z.literal('pending'), chat: z.string(), calls: z.array(z.string()) }),
  /** A call's prompt has been written to the terminal. */
  z.strictObject({ event: z.literal('painted'), call: z.string() }),
  z.strictObject({ event: z.literal('decided'), call: z.string(), decision: decisionSchema }),
  /** The batch is over: the store says so. `withdrawn`: without results. */
  z.strictObject({ event: z.enum(['finished', 'withdrawn']), calls: z.array(z.string()) }),
  /** The person's allow rules were written, or Run Everything was switched. */
  z.strictObject({ event: z.enum(['allowlisted', 'runEverything']), what: z.string() }),
  z.strictObject({ event: z.literal('submitted'), text: z.string() }),
  z.strictObject({ event: z.literal('idle') }),
  z.strictObject({ event: z.literal('exit'), why: z.string() }),
]);

type Happening = z.infer<typeof happeningSchema>;
const stampSchema = z.object({ atMs: z.number(), pid: z.number() });

/** One line of the log. `atMs`: since the epoch; for input, when it was received. */
export type LogEntry = Happening & z.infer<typeof stampSchema>;

/** Writes one line at once, so that nothing is lost when the process is killed. */
export type Log = (happening: Happening, atMs?: number) => void;

/** Appends to a log file. */
export function createLog(file: string): Log {
  return (happening, atMs = nowMs()) => {
    appendFileSync(file, `${JSON.stringify({ atMs, pid: process.pid, ...happening })}\n`);
  };
}

/** Milliseconds since the epoch, with fractions. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

/** Reads a log, oldest entry first; empty when there is none yet. */
export function readLog(file: string): LogEntry[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { atMs, pid, ...happening } = z.looseObject(stampSchema.shape).parse(JSON.parse(line));
      return { atMs, pid, ...happeningSchema.parse(happening) };
    });
}

/** What was decided about each call, by its id. */
export function decisions(log: readonly LogEntry[]): Map<string, Decision> {
  return new Map(log.flatMap((entry) => (entry.event === 'decided' ? [[entry.call, entry.decision] as const] : [])));
}

/** All that was received, dropped or not, as keys; text that arrived in pieces is joined. */
export function keysOf(log: readonly LogEntry[]): Understood[] {
  const keys: Understood[] = [];
  for (const { input } of log.flatMap((entry) => (entry.event === 'input' ? entry.understood : []))) {
    const last = keys.at(-1);
    if ('text' in input && last && 'text' in last) last.text += input.text;
    else keys.push({ ...input });
  }
  return keys;
}
