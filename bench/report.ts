import { arch, availableParallelism, platform, totalmem } from 'node:os';
import { type Grid, type Group, isMet, type Row, summarise, type Unit } from './row.ts';

/** What a group that was run has found, or why it could not be. */
export interface Section {
  readonly group: Group;
  readonly found: readonly Row[] | Grid | { readonly failure: string };
}

const headings = ['what', 'median', 'p10 to p90', 'n', 'target', ''] as const;

/** The report as Markdown that also reads well in a terminal. */
export function markdown(sections: readonly Section[]): string {
  const parts = sections.map(({ group, found }) => [`## ${group.name}: ${group.about}`, written(found)].join('\n'));
  return [machine(), ...parts].join('\n\n').concat('\n');
}

/** Whether a group could not be measured, or missed a target. */
export function isMissed({ found }: Section): boolean {
  return 'failure' in found || ('length' in found && found.some((row) => isMet(row) === false));
}

function written(found: Section['found']): string {
  if ('failure' in found) return found.failure;
  if ('length' in found) return table(headings, found.map(cells));
  return [table(found.headings, found.rows), '', found.about].join('\n');
}

function cells(row: Row): readonly string[] {
  const { median, low, high } = summarise(row.samples);
  const many = row.samples.length > 1;
  const verdict = { true: 'ok', false: '**over**', undefined: '' }[String(isMet(row))] ?? '';
  return [
    row.what,
    write(median, row.unit),
    many ? `${write(low, row.unit)} to ${write(high, row.unit)}` : '',
    String(row.samples.length),
    row.atMost === undefined ? '' : `at most ${write(row.atMost, row.unit)}`,
    verdict,
  ];
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(3, heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, at) => (row[at] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(headings), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n');
}

const write = (value: number, unit: Unit): string => {
  if (unit === 'times') return `${value.toFixed(2)}×`;
  return `${value.toFixed(Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0)} ${unit}`;
};

function machine(): string {
  const system = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' }[platform() as string] ?? platform();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB of memory`;
  return `Measured on ${system} (${arch()}), ${availableParallelism()} cores, ${memory}, Node ${process.versions.node}.`;
}
