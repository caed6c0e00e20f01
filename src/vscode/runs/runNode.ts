import type { LiveRun } from '../../delegation/task.ts';
import type { RunRecord } from '../../journal/entry.ts';

/** A run in the Runs view. `live` is there while the run lives in this window, and only there can it be cancelled. */
export interface RunNode {
  kind: 'run';
  record: RunRecord;
  live?: LiveRun;
}

/** The runs that started on one day. `start` is that day's first millisecond, local time. */
export interface DayNode {
  kind: 'day';
  start: number;
  runs: RunNode[];
}

export type RunsNode = RunNode | DayNode;

/**
 * What the view shows: live runs (of this window, then of other processes) first, then a group for each day, newest
 * first. `live` wins over the journal's picture of the same run.
 */
export function arrange(live: readonly LiveRun[], history: readonly RunRecord[]): RunsNode[] {
  const here: RunNode[] = live.map((run) => ({ kind: 'run', record: run.record, live: run }));
  const known = new Set(live.map((run) => run.id));
  const others = history
    .filter((record) => !known.has(record.runId))
    .map((record): RunNode => ({ kind: 'run', record }));
  const elsewhere = others.filter(({ record }) => record.status === 'running');
  return [
    ...newestFirst(here),
    ...newestFirst(elsewhere),
    ...byDay(others.filter((node) => !elsewhere.includes(node))),
  ];
}

function byDay(nodes: readonly RunNode[]): DayNode[] {
  const days = new Map<number, DayNode>();
  for (const node of newestFirst(nodes)) {
    const start = startOfDay(node.record.startedAt);
    const day = days.get(start) ?? { kind: 'day', start, runs: [] };
    days.set(start, day);
    day.runs.push(node);
  }
  return [...days.values()];
}

const newestFirst = (nodes: readonly RunNode[]) => nodes.toSorted((a, b) => b.record.startedAt - a.record.startedAt);

/** The first millisecond of the local day that `at` (ms since the epoch) lies in. */
export function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** Names a run, whether or not it ever had a session. */
export function handleOf({ engine, runId }: Pick<RunRecord, 'engine' | 'runId'>): string {
  return `${engine}:${runId}`;
}

/**
 * The words that `when` clauses of the manifest look for in `viewItem`: `live`, `elsewhere` or `ended`, then `session`
 * when it can be followed up and `changes` when it changed files.
 */
export function contextWords({ record, live }: RunNode): string {
  const state = live ? 'live' : record.status === 'running' ? 'elsewhere' : 'ended';
  const words = [state];
  if (state === 'ended' && record.sessionId !== undefined) words.push('session');
  if (state === 'ended' && record.files.length > 0) words.push('changes');
  return words.join(' ');
}
