import type { AskedQuestion } from '../../protocol/request.ts';
import type { Picker, PickerRow } from './picker.ts';
import { showsText } from './shownText.ts';

/** A question form on the screen, set beside the questions of a call. */
export interface Form {
  /** Which question is shown. */
  question: number;
  /** The shown rows by option index; the row for free text has the index behind the last option. */
  rows: ReadonlyMap<number, PickerRow>;
  /** Undefined when no marked row is on the screen. */
  marked: number | undefined;
  /** What has been typed into the row for free text. */
  other: string;
}

const otherRow = /^Other\b:?\s*/;
const placeholder = '(type to answer)';
const cursorGlyph = /[▏▎▍▌▋▊▉█]$/;

/**
 * Tells which question of the call the form shows and which row is which option. The form ends with the row for free text, so
 * rows are counted from there: the first ones may be above the screen. Undefined when anything differs from the call.
 */
export function alignForm(picker: Picker, questions: readonly AskedQuestion[]): Form | undefined {
  const { position } = picker;
  if (position && (position.of !== questions.length || position.number < 1)) return undefined;
  const candidates = position ? [position.number - 1] : questions.map((_, index) => index);
  const forms = candidates.flatMap((index) => align(picker, questions[index], index) ?? []);
  return forms.length === 1 ? forms[0] : undefined;
}

function align(picker: Picker, question: AskedQuestion | undefined, index: number): Form | undefined {
  const last = picker.rows.at(-1);
  if (!question || !last || !otherRow.test(last.lines[0] ?? '')) return undefined;
  const { options } = question;
  const above = options.length - (picker.rows.length - 1);
  // Where the prompt is seen, all rows are.
  if (above < 0 || (picker.prompt && (above > 0 || !showsPrompt(picker.prompt, question, index)))) return undefined;
  const rows = new Map(picker.rows.map((row, at) => [at + above, row]));
  for (const [at, row] of rows) if (at < options.length && !showsText(row.lines, options[at] ?? '')) return undefined;
  const marked = [...rows].filter(([, row]) => row.marked).map(([at]) => at);
  return marked.length > 1 ? undefined : { question: index, rows, marked: marked[0], other: typedText(last) };
}

/** `2. Which one? (multi-select)`. */
function showsPrompt(rows: readonly string[], { prompt, allowsMultiple }: AskedQuestion, index: number): boolean {
  const texts = [prompt, `${String(index + 1)}. ${prompt}`];
  return texts.some((text) => showsText(rows, text) || (allowsMultiple && showsText(rows, `${text} (multi-select)`)));
}

function typedText({ lines }: PickerRow): string {
  const [first = '', ...rest] = lines;
  const text = [first.replace(otherRow, ''), ...rest].join('\n').trim();
  return text === placeholder ? '' : text.replace(cursorGlyph, '').trim();
}
