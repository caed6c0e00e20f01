import type { LiveRun } from '../../delegation/task.ts';
import type { RunRecord } from '../../journal/entry.ts';
import { noFilter, passes, type RunFilter } from './runFilter.ts';

/** A run in the Runs view. `live` is there while the run lives in this window, and only there can it be cancelled. */
export interface RunNode {
  kind: 'run';
  record: RunRecord;
  live?: LiveRun;
  /** Those that it sent out, oldest first. */
  workers: RunNode[];
}

/** The runs that started on one day. `start` is that day's first millisecond, local time. */
export interface DayNode {
  kind: 'day';
  start: number;
  runs: RunNode[];
  /** Whether it starts open. */
  isOpen: boolean;
}

export type RunsNode = RunNode | DayNode;

/**
 * What the view shows of the runs that `filter` lets through: live runs (of this window, then of other processes) first,
 * then a group for each day, newest first. `live` wins over the journal's picture of the same run. Workers stand under the
 * run that sent them out, which is shown when one of them is.
 */
export function arrange(
  live: readonly LiveRun[],
  history: readonly RunRecord[],
  filter: RunFilter = noFilter,
): RunsNode[] {
  const known = new Set(live.map((run) => run.id));
  const nodes: RunNode[] = [
    ...live.map((run): RunNode => ({ kind: 'run', record: run.record, live: run, workers: [] })),
    ...history
      .filter((record) => !known.has(record.runId))
      .map((record): RunNode => ({ kind: 'run', record, workers: [] })),
  ];
  const shown = underLeads(newestFirst(nodes)).flatMap((node) => filtered(node, filter));
  const [here, elsewhere, ended] = [0, 1, 2].map((place) => shown.filter((node) => placeOf(node) === place));
  return [...(here ?? []), ...(elsewhere ?? []), ...byDay(ended ?? [])];
}

const placeOf = ({ live, record }: RunNode) => (live ? 0 : record.status === 'running' ? 1 : 2);

/** A worker whose lead is not known any more stands by itself. */
function underLeads(nodes: readonly RunNode[]): RunNode[] {
  const leads = new Map(
    nodes.filter(({ record }) => record.leads !== undefined).map((node) => [node.record.runId, node]),
  );
  return nodes.filter((node) => {
    const lead = node.record.ledBy === undefined ? undefined : leads.get(node.record.ledBy);
    lead?.workers.unshift(node);
    return !lead;
  });
}

function filtered(node: RunNode, filter: RunFilter): RunNode[] {
  if (passes(node.record, filter)) return [node];
  const workers = node.workers.filter(({ record }) => passes(record, filter));
  return workers.length > 0 ? [{ ...node, workers }] : [];
}

/** Rows are all sent to the editor as soon as their day is open: after so many, the next day starts closed. */
const openRows = 100;
const openDays = 2;

function byDay(nodes: readonly RunNode[]): DayNode[] {
  const days = new Map<number, RunNode[]>();
  for (const node of nodes) {
    const start = startOfDay(node.record.startedAt);
    const runs = days.get(start) ?? [];
    days.set(start, runs);
    runs.push(node);
  }
  let rows = 0;
  return [...days].map(([start, runs], index) => {
    const isOpen = index < openDays && rows < openRows;
    rows += runs.length;
    return { kind: 'day', start, runs, isOpen };
  });
}

const newestFirst = (nodes: readonly RunNode[]) => nodes.toSorted((a, b) => b.record.startedAt - a.record.startedAt);

/** How many runs a list of nodes shows, workers included. */
export function countRuns(nodes: readonly RunsNode[]): number {
  return nodes.reduce((sum, node) => sum + (node.kind === 'day' ? countRuns(node.runs) : 1 + node.workers.length), 0);
}

/** The first millisecond of the local day that `at` (ms since the epoch) lies in. */
export function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** Names a run, whether or not it ever had a session. */
export function handleOf({ engine, runId }: Pick<RunRecord, 'engine' | 'runId'>): string {
  return `${engine}:${runId}`;
}

/** What can be done with a run that has ended, by word. The files of one that leads others are those of a worker. */
const offers = {
  session: ({ sessionId, closed }: RunRecord) => sessionId !== undefined && closed === undefined,
  changes: ({ files, leads }: RunRecord) => files.length > 0 && leads === undefined,
  /** What a worker did in a worktree of its own is in nobody's way. */
  revert: ({ files, leads, origin }: RunRecord) => files.length > 0 && leads === undefined && origin === undefined,
} as const;

export type Offer = keyof typeof offers;
export const offerWords: readonly Offer[] = ['session', 'changes', 'revert'];

/** Whether something can be done with a run. */
export function offersOf(record: RunRecord): Offer[] {
  return record.status === 'running' ? [] : offerWords.filter((word) => offers[word](record));
}

/**
 * The words that `when` clauses of the manifest look for in `viewItem`: `live`, `elsewhere` or `ended`, then what can be
 * done with it.
 */
export function contextWords({ record, live }: Pick<RunNode, 'record' | 'live'>): string {
  if (live) return 'live';
  return record.status === 'running' ? 'elsewhere' : ['ended', ...offersOf(record)].join(' ');
}
