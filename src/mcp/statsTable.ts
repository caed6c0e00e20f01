import { oneLine } from '../base/displayText.ts';
import type { StatsRow } from '../journal/stats.ts';

/** The span `bridge_stats` looks back over, from now. */
export const statsPeriods = ['day', 'week', 'month', 'all'] as const;
export type StatsPeriod = (typeof statsPeriods)[number];

export interface Stats {
  rows: readonly StatsRow[];
}

const days: Record<StatsPeriod, number> = { day: 1, week: 7, month: 30, all: Number.POSITIVE_INFINITY };

/** When a period that ends at `now` begins. Both in milliseconds since the epoch. */
export function startOf(period: StatsPeriod, now: number): number {
  return now - days[period] * 86_400_000;
}

/** Each column with its head, in order. */
const columns: readonly (readonly [string, (row: StatsRow) => string])[] = [
  ['tool', ({ tool }) => oneLine(tool, 40)],
  ['engine', ({ engine }) => engine],
  ['runs', ({ runs }) => count(runs)],
  ['ok', ({ completed }) => count(completed)],
  ['failed', ({ failed }) => count(failed)],
  ['cancelled', ({ cancelled }) => count(cancelled)],
  ['running', ({ running }) => count(running)],
  ['median', ({ medianMs }) => seconds(medianMs)],
  ['longest', ({ maxMs }) => seconds(maxMs)],
  ['read', ({ charsRead }) => count(charsRead)],
  ['returned', ({ charsReturned }) => count(charsReturned)],
  ['kept out', ({ charsRead, charsReturned }) => count(Math.max(0, charsRead - charsReturned))],
  ['tokens in/out', tokens],
];

const legend = [
  'All numbers are measured. Characters: read, what workers printed; returned, what tools answered, footers and repeated',
  'fetches included; kept out, read less returned. Tokens as the CLIs reported them.',
].join(' ');

/** The numbers as a table of fixed width, with what its words mean. */
export function statsTable({ rows }: Stats, period: StatsPeriod): string {
  const span = period === 'all' ? 'so far' : `in the last ${period}`;
  if (rows.length === 0) return `No runs were recorded ${span}.`;
  const padded = columns.map(([head, cell]) => {
    const texts = [head, ...rows.map(cell)];
    const width = Math.max(...texts.map((text) => text.length));
    return texts.map((text) => text.padEnd(width));
  });
  const lines = [undefined, ...rows].map((_, line) =>
    padded
      .map((column) => column[line] ?? '')
      .join('  ')
      .trimEnd(),
  );
  return [`Runs ${span}, of all windows and servers of this user:`, ...lines, legend].join('\n');
}

function tokens({ tokensIn, tokensOut, runsWithoutTokens }: StatsRow): string {
  if (tokensIn === undefined || tokensOut === undefined) return '-';
  const missing = runsWithoutTokens > 0 ? ` (without ${runsWithoutTokens} runs)` : '';
  return `${count(tokensIn)}/${count(tokensOut)}${missing}`;
}

const seconds = (ms: number | undefined) => (ms === undefined ? '-' : `${(ms / 1000).toFixed(1)} s`);
const count = (value: number) => value.toLocaleString('en-US');
