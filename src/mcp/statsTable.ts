/** The span `bridge_stats` looks back over, from now. */
export const statsPeriods = ['day', 'week', 'month', 'all'] as const;
export type StatsPeriod = (typeof statsPeriods)[number];

/** Measured numbers of one tool on one engine. Absent where nothing was measured. */
export interface StatsRow {
  tool: string;
  engine: string;
  runs: number;
  completed: number;
  /** Failed, or lost with the process that ran them. */
  failed: number;
  cancelled: number;
  running: number;
  /** Of the runs that have ended, in milliseconds. */
  medianMs?: number;
  /** Characters workers printed, and those that reached callers. */
  charsRead: number;
  charsReturned: number;
  /** Worker tokens, of the runs whose CLI reported them. */
  tokensIn?: number;
  tokensOut?: number;
}

export interface Stats {
  rows: readonly StatsRow[];
}

/** The table as fixed-width text: columns that fit a narrow chat, a total, and what the words mean. */
export function statsTable({ rows }: Stats, period: StatsPeriod): string {
  const span = period === 'all' ? 'so far' : `in the last ${period}`;
  if (rows.length === 0) return `No runs were recorded ${span}.`;
  const header = [
    'tool',
    'engine',
    'runs',
    'ok',
    'failed',
    'cancelled',
    'running',
    'median',
    'read',
    'returned',
    'tokens in/out',
  ];
  const lines = [header, ...rows.map(cells)];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const table = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const returned = sum(rows, 'charsReturned');
  const read = sum(rows, 'charsRead');
  return [
    `Runs ${span}, all windows and servers of this user:`,
    ...table,
    `Workers printed ${count(read)} characters; ${count(returned)} reached callers.`,
    'All numbers are measured. read: characters the worker printed. returned: characters answered, footers included. tokens: as the CLI reported them.',
  ].join('\n');
}

function cells(row: StatsRow): string[] {
  return [
    row.tool,
    row.engine,
    ...[row.runs, row.completed, row.failed, row.cancelled, row.running].map(String),
    row.medianMs === undefined ? '-' : `${(row.medianMs / 1000).toFixed(1)} s`,
    count(row.charsRead),
    count(row.charsReturned),
    row.tokensIn === undefined && row.tokensOut === undefined
      ? '-'
      : `${count(row.tokensIn ?? 0)}/${count(row.tokensOut ?? 0)}`,
  ];
}

const sum = (rows: readonly StatsRow[], key: 'charsRead' | 'charsReturned') =>
  rows.reduce((total, row) => total + row[key], 0);
const count = (value: number) => value.toLocaleString('en-US');
