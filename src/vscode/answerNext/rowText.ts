import type { Shown } from '../../protocol/panel.ts';

/** What fits in one row of the editor's picker, in widths of a small letter. */
const maxWidth = 62;
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f000}-\u{3fffd}]/u;

/**
 * Text as rows of a picker, every character of it in sight: a longer line goes on in the next row, behind an arrow. The
 * picker would make icons of `$(name)` and one space of several; what stands for a hidden character is put in brackets.
 * `before`, which is ours, stands before the first row.
 */
export function rowsOf(shown: Shown, before = ''): string[] {
  const text = shown.map((part) => (part.hidden === true ? `⟦${part.text}⟧` : part.text)).join('');
  return text.split('\n').flatMap((line) => wrap(line).map((row, at) => `${at === 0 ? before : '↪ '}${plain(row)}`));
}

/** One row of text that is ours, with text of an agent in it. */
export function plain(text: string): string {
  return (
    text
      .replaceAll('\t', '    ')
      .replaceAll(/^ +| {2,}/g, (spaces) => '\u00a0'.repeat(spaces.length))
      // The picker knows an icon by these two side by side; the joiner between them cannot be seen.
      .replaceAll('$(', '$\u2060(')
  );
}

function wrap(line: string): string[] {
  const rows: string[] = [];
  let row = '';
  let width = 0;
  for (const character of line) {
    const own = widthOf(character);
    if (width + own > maxWidth) {
      rows.push(row);
      row = '';
      width = 0;
    }
    row += character;
    width += own;
  }
  return [...rows, row];
}

/** In proportional letters: measured in the editors' own fonts, rounded up. */
function widthOf(character: string): number {
  if (character === '\t') return 4;
  if (wide.test(character)) return 2.2;
  if (/[MW@%—…⟦⟧]/.test(character)) return 1.8;
  if (/[A-Zmw_#&$+=<>~]/.test(character)) return 1.35;
  return 1;
}
