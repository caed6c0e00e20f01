import { atEnds, cellsOf, wrap } from './text.ts';
import type { Understood } from './log.ts';

/** What a composer shows. */
export interface ComposerLook {
  placeholder: string;
  draft: string;
  /** At the right end, such as `ctrl+c to stop`. */
  hint?: string;
  /** Older versions draw none. */
  bars?: boolean;
}

/** The line in which the person types, between its bars. */
export function composerRows({ placeholder, draft, hint = '', bars = true }: ComposerLook, width: number): string[] {
  const bar = (character: string): string[] => (bars ? [` ${character.repeat(width - 2)}`] : ['']);
  const [first = '', ...rest] = wrap(draft === '' ? placeholder : draft, width - 6);
  const rows = [`  → ${first}`, ...rest.map((row) => `    ${row}`)];
  const last = rows.at(-1) ?? '';
  const fits = cellsOf(last) + cellsOf(hint) + 4 <= width;
  if (hint !== '' && fits) rows.splice(-1, 1, atEnds(last, hint, width - 2));
  else if (hint !== '') rows.push(atEnds('', hint, width - 2));
  return [...bar('▄'), ...rows, ...bar('▀')];
}

/** What the draft is after something was typed into it; undefined when the input does not change it. */
export function typed(draft: string, input: Understood): string | undefined {
  if ('text' in input) return draft + input.text;
  if (input.key === 'Space') return `${draft} `;
  if (input.key === 'Backspace') return draft.slice(0, -1);
  return undefined;
}

/** The lines below the composer. */
export function statusRows(status: { folder: string; runsEverything: boolean }, width: number): string[] {
  return [
    atEnds('  Composer 2.5 · 14%', status.runsEverything ? 'Run Everything' : '', width - 8),
    atEnds(`  ${status.folder} · main`, '', width - 1).trimEnd(),
  ];
}
