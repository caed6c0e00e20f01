import type { RunRecord } from './entry.ts';

/** Measured numbers of one tool on one engine. What was not measured is absent, never zero. */
export interface StatsRow {
  tool: string;
  engine: RunRecord['engine'];
  runs: number;
  completed: number;
  /** Failed, or lost with the process that ran them. */
  failed: number;
  cancelled: number;
  running: number;
  /** Wall-clock milliseconds of the runs whose end is known. */
  medianMs?: number;
  maxMs?: number;
  /** Characters that workers printed, and those that reached callers. */
  charsRead: number;
  charsReturned: number;
  /** Read less returned, over the runs whose read is measured: those that ended. Below zero where more was returned. */
  charsKeptOut: number;
  /** Worker tokens, as far as the CLI reported them. */
  tokensIn?: number;
  tokensOut?: number;
  /** Runs that ended without their CLI having reported tokens: the sums above do not hold theirs. */
  runsWithoutTokens: number;
}

/** Numbers of the runs that started at or after `since` (milliseconds since the epoch), busiest first. */
export function stats(records: readonly RunRecord[], since = Number.NEGATIVE_INFINITY): { rows: StatsRow[] } {
  const groups = new Map<string, RunRecord[]>();
  for (const record of records) {
    if (record.startedAt < since) continue;
    const key = JSON.stringify([record.tool, record.engine]);
    const group = groups.get(key);
    if (group) group.push(record);
    else groups.set(key, [record]);
  }
  const rows = [...groups.values()].flatMap((group) => rowOf(group) ?? []);
  return { rows: rows.sort((a, b) => b.runs - a.runs || compare(a.tool, b.tool) || compare(a.engine, b.engine)) };
}

function rowOf(group: readonly RunRecord[]): StatsRow | undefined {
  const [first] = group;
  if (!first) return undefined;
  const count = (...statuses: RunRecord['status'][]) => group.filter(({ status }) => statuses.includes(status)).length;
  const ended = group.filter(({ status }) => status !== 'running');
  const measured = group.filter(({ status }) => status !== 'running' && status !== 'lost');
  const workers = ended.filter(({ leads, command }) => leads === undefined && !command);
  const reported = workers.flatMap(({ usage }) => usage ?? []);
  return {
    tool: first.tool,
    engine: first.engine,
    runs: group.length,
    completed: count('completed'),
    failed: count('failed', 'lost'),
    cancelled: count('cancelled'),
    running: count('running'),
    ...durations(group),
    charsRead: sum(group.map(({ charsRead }) => charsRead)),
    charsReturned: sum(group.map(({ charsReturned }) => charsReturned)),
    charsKeptOut: sum(measured.map(({ charsRead, charsReturned }) => charsRead - charsReturned)),
    ...(reported.length > 0 && {
      tokensIn: sum(reported.map(({ input }) => input)),
      tokensOut: sum(reported.map(({ output }) => output)),
    }),
    runsWithoutTokens: workers.length - reported.length,
  };
}

/** A clock that was set back between start and end measured nothing. */
function durations(group: readonly RunRecord[]): { medianMs: number; maxMs: number } | undefined {
  const measured = group
    .flatMap(({ startedAt, endedAt }) => (endedAt !== undefined && endedAt >= startedAt ? [endedAt - startedAt] : []))
    .sort((a, b) => a - b);
  const upper = measured[Math.floor(measured.length / 2)];
  const lower = measured[Math.floor((measured.length - 1) / 2)];
  const maxMs = measured.at(-1);
  if (upper === undefined || lower === undefined || maxMs === undefined) return undefined;
  return { medianMs: (lower + upper) / 2, maxMs };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
