import { isQuiet } from './composer.ts';
import { markers } from './offers.ts';
import type { Row } from './rows.ts';

/** A row that can be chosen in a question form. */
export interface PickerRow {
  /** A label that is longer than its row goes on in the next ones. */
  lines: readonly string[];
  checked: boolean;
  marked: boolean;
}

/** One question of the form, as far as the screen shows it: the form may be higher than the terminal. */
export interface Picker {
  /** Which question of how many; undefined when that row is not on the screen. */
  position: { number: number; of: number } | undefined;
  /** Undefined when its first row is not on the screen. */
  prompt: readonly string[] | undefined;
  /** The last one takes free text. Empty where the form asks nothing. */
  rows: readonly PickerRow[];
}

/** The keys below the rows: `↑/↓ option · ←/→ question · Space select · Enter next/submit · Esc to skip`. */
const legendKeys = [/\bspace\b/i, /\benter\b/i, /\besc\b/i];
/** What may be wrapped behind the last of them. */
const legendEnd = /^(?:to )?skip$/i;
const maxLegendRows = 4;
const nothingAsked: Picker = { position: undefined, prompt: undefined, rows: [] };
const row = new RegExp(`^(?:([${markers}>])\\s*)?(?:\\[(.)\\]|([☐☑☒◯○◉●◻◼]))(?:\\s+(.*))?$`, 'u');
const checkedSigns = new Set('☑☒◉●◼');
const position = /^Question (\d{1,3}) of (\d{1,3})$/;

/**
 * The question form at the end of these rows. It is live when its keys are named below it, or by the composer
 * (`namedByComposer`); an answered one stays in the transcript without them.
 */
export function readPicker(rows: readonly Row[], namedByComposer: boolean): Picker | undefined {
  const bottom = legendStart(rows) ?? (namedByComposer ? rows.length : undefined);
  if (bottom === undefined) return undefined;
  const top = topOf(rows, bottom);
  const inside = rows.slice(top, bottom);
  const firstRow = inside.findIndex((each) => row.test(each.text));
  if (firstRow === -1) return isEmptyForm(rows, top, bottom) ? nothingAsked : undefined;
  const head = inside.slice(0, firstRow).filter(({ kind }) => kind === 'text');
  const at = head.findIndex(({ text }) => position.test(text));
  const [, number, of] = position.exec(head[at]?.text ?? '') ?? [];
  return {
    position: number === undefined ? undefined : { number: Number(number), of: Number(of) },
    prompt: at === -1 ? undefined : head.slice(at + 1).map(({ text }) => text),
    rows: pickerRows(inside.slice(firstRow)),
  };
}

/** Whether a frame begins above and ends right below the keys' names, so that nothing of the form is out of sight, and it can be skipped. */
function isEmptyForm(rows: readonly Row[], top: number, bottom: number): boolean {
  const end = rows.findIndex(({ kind }, index) => index >= bottom && kind !== 'text');
  const keys = rows.slice(bottom, end).map(({ text }) => text);
  return rows[top - 1]?.kind === 'rule' && rows[end]?.kind === 'rule' && /\besc to skip$/i.test(keys.join(' '));
}

function pickerRows(rows: readonly Row[]): PickerRow[] {
  const found: { lines: string[]; checked: boolean; marked: boolean }[] = [];
  for (const { text, kind } of rows) {
    if (kind !== 'text') continue;
    const [whole, marker, box, sign, label] = row.exec(text) ?? [];
    if (whole === undefined) found.at(-1)?.lines.push(text);
    else {
      const checked = box === undefined ? checkedSigns.has(sign ?? '') : box !== ' ';
      found.push({ lines: [label ?? ''], checked, marked: marker !== undefined });
    }
  }
  return found;
}

/** The first row of the keys' names, which a narrow terminal wraps. Nothing that matters may stand below them. */
function legendStart(rows: readonly Row[]): number | undefined {
  const start = rows.findLastIndex(({ text }) => /^[↑←]/.test(text));
  if (start === -1) return undefined;
  let text = '';
  for (let index = start; index < start + maxLegendRows && rows[index]?.kind === 'text'; index += 1) {
    text = `${text} ${rows[index]?.text ?? ''}`;
    if (!isLegend(text)) continue;
    const isCut = legendEnd.test(rows[index + 1]?.text ?? '');
    return rows.slice(index + (isCut ? 2 : 1)).every(isQuiet) ? start : undefined;
  }
  return undefined;
}

function isLegend(text: string): boolean {
  return legendKeys.every((key) => key.test(text));
}

/** The row below the frame's top, or below the composer of a former screen. */
function topOf(rows: readonly Row[], bottom: number): number {
  const above = rows.slice(0, bottom).findLastIndex(({ kind }) => kind === 'rule' || kind === 'bar');
  return above + 1;
}
