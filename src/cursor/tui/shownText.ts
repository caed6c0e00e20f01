import { fold } from './rows.ts';

/**
 * How much of the rows shows a text: what follows it in the rows, or undefined when they do not begin with it. White space is
 * folded, and where a row ends the text may go on with or without a space, since it is not known how the row was wrapped.
 */
export function afterText(rows: readonly string[], text: string): string | undefined {
  const wanted = fold(text);
  let at = 0;
  for (const [index, row] of rows.entries()) {
    const shown = fold(row);
    if (shown === '') continue;
    if (at > 0 && at < wanted.length && wanted.charAt(at) === ' ') at += 1;
    const part = wanted.slice(at, at + shown.length);
    if (at >= wanted.length) return fold(rows.slice(index).join(' '));
    if (!shown.startsWith(part)) return undefined;
    at += part.length;
    if (part.length < shown.length) return fold([shown.slice(part.length), ...rows.slice(index + 1)].join(' '));
  }
  return at >= wanted.length && wanted !== '' ? '' : undefined;
}

/** Whether the rows show exactly this text. */
export function showsText(rows: readonly string[], text: string): boolean {
  return afterText(rows, text) === '' || (fold(text) === '' && fold(rows.join(' ')) === '');
}
