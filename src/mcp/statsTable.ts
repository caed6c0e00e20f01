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

/** What of a row can be added up over all of them. */
type Sums = Omit<StatsRow, 'tool' | 'engine' | 'medianMs' | 'maxMs'>;
type Line = Sums & Pick<StatsRow, 'medianMs' | 'maxMs'> & { tool: string; engine: string };

/** Each column with its head, in order. */
const columns: readonly (readonly [string, (row: Line) => string])[] = [
  ['tool', ({ tool }) => oneLine(tool, 40)],
  ['engine', ({ engine }) => engine],
  ['calls', ({ runs }) => count(runs)],
  ['ok', ({ completed }) => count(completed)],
  ['failed', ({ failed }) => count(failed)],
  ['cancelled', ({ cancelled }) => count(cancelled)],
  ['running', ({ running }) => count(running)],
  ['median', ({ medianMs }) => seconds(medianMs)],
  ['longest', ({ maxMs }) => seconds(maxMs)],
  ['read', ({ charsRead }) => count(charsRead)],
  ['returned', ({ charsReturned }) => count(charsReturned)],
  ['kept out', ({ charsKeptOut }) => count(charsKeptOut)],
  ['tokens in/out', tokens],
];

const legend = [
  'All numbers of the table are measured. Calls: those that started a worker. Characters: read, what workers printed, in the',
  'format of their CLI; returned, what tools answered, footers and repeated fetches included; kept out, read less returned,',
  'of the calls that have ended. Tokens as the CLIs reported them.',
].join(' ');

/** English text and code come to about so many characters a token; no CLI tells what a caller would have paid. */
const charsPerToken = 4;

/** The numbers as a table of fixed width, with what its words mean. */
export function statsTable({ rows }: Stats, period: StatsPeriod): string {
  const span = period === 'all' ? 'so far' : `in the last ${period}`;
  if (rows.length === 0) return `No runs were recorded ${span}.`;
  const total = { tool: 'all', engine: '', ...sumsOf(rows) };
  const shown: readonly Line[] = rows.length > 1 ? [...rows, total] : rows;
  const padded = columns.map(([head, cell]) => {
    const texts = [head, ...shown.map(cell)];
    const width = Math.max(...texts.map((text) => text.length));
    return texts.map((text) => text.padEnd(width));
  });
  const lines = [undefined, ...shown].map((_, line) =>
    padded
      .map((column) => column[line] ?? '')
      .join('  ')
      .trimEnd(),
  );
  const head = `Runs ${span}, of all windows and servers of this user:`;
  return [head, ...lines, legend, ...estimate(total.charsKeptOut)].join('\n');
}

function sumsOf(rows: readonly StatsRow[]): Sums {
  const sum = (value: (row: StatsRow) => number) => rows.reduce((total, row) => total + value(row), 0);
  const reported = rows.some(({ tokensIn }) => tokensIn !== undefined);
  return {
    runs: sum(({ runs }) => runs),
    completed: sum(({ completed }) => completed),
    failed: sum(({ failed }) => failed),
    cancelled: sum(({ cancelled }) => cancelled),
    running: sum(({ running }) => running),
    charsRead: sum(({ charsRead }) => charsRead),
    charsReturned: sum(({ charsReturned }) => charsReturned),
    charsKeptOut: sum(({ charsKeptOut }) => charsKeptOut),
    ...(reported && {
      tokensIn: sum(({ tokensIn = 0 }) => tokensIn),
      tokensOut: sum(({ tokensOut = 0 }) => tokensOut),
    }),
    runsWithoutTokens: sum(({ runsWithoutTokens }) => runsWithoutTokens),
  };
}

function estimate(charsKeptOut: number): string[] {
  if (charsKeptOut < charsPerToken) return [];
  const tokensKeptOut = count(Math.round(charsKeptOut / charsPerToken));
  return [
    `An estimate, not measured: at ${charsPerToken} characters a token, what was kept out is about ${tokensKeptOut} tokens. A caller that had done the work itself would have read less or more.`,
  ];
}

function tokens({ tokensIn, tokensOut, runsWithoutTokens }: Line): string {
  if (tokensIn === undefined || tokensOut === undefined) return '-';
  const missing = runsWithoutTokens > 0 ? ` (without ${runsWithoutTokens} runs)` : '';
  return `${count(tokensIn)}/${count(tokensOut)}${missing}`;
}

const seconds = (ms: number | undefined) => (ms === undefined ? '-' : `${(ms / 1000).toFixed(1)} s`);
const count = (value: number) => value.toLocaleString('en-US');
