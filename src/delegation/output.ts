/** How much of what is kept comes from the beginning. The conclusion tends to stand at either end. */
const headShare = 0.6;
/** A cut moves at most this far (in characters) to fall between two lines. */
const lineSearch = 400;
/** Longer than any mark `secrets/span.ts` makes. */
const maxMark = 80;
const markStart = '[redacted: ';

/**
 * Fits a result into `maxChars` UTF-16 code units, footer included. Head and tail are kept and the gap between them says
 * how many characters are missing and, in `howToGet`'s words, how to get them. The footer (the session handle) is kept
 * whatever was cut; only when it alone is too long is it cut too. Cuts fall between lines where one ends nearby, never
 * inside a character or a redaction mark.
 */
export function bound(text: string, maxChars: number, footer: string, howToGet: string): string {
  const end = footer === '' ? '' : `${text === '' ? '' : '\n\n'}${footer}`;
  if (text.length + end.length <= maxChars) return text + end;
  const room = maxChars - end.length;
  const gapLength = gapOf(text.length, howToGet).length;
  if (room < 1) return footer.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '');
  if (room < gapLength) return text.slice(0, cutBefore(text, room)) + end;
  const space = room - gapLength;
  const headEnd = cutBefore(text, Math.ceil(space * headShare));
  const tailStart = cutAfter(text, text.length - Math.floor(space * (1 - headShare)));
  return text.slice(0, headEnd) + gapOf(tailStart - headEnd, howToGet) + text.slice(tailStart) + end;
}

/**
 * Cuts a text into pages of at most `maxChars` (500 or more) UTF-16 code units, which joined are the text again. There is
 * always one.
 * Cuts fall between lines where one ends nearby, never inside a character or a redaction mark.
 */
export function pagesOf(text: string, maxChars: number): string[] {
  const pages: string[] = [];
  let at = 0;
  while (text.length - at > maxChars) {
    const window = text.slice(at, at + maxChars + maxMark);
    const cut = cutBefore(window, maxChars - 1);
    const end = at + (window[cut] === '\n' ? cut + 1 : cut);
    pages.push(text.slice(at, end));
    at = end;
  }
  return [...pages, text.slice(at)];
}

function gapOf(missing: number, howToGet: string): string {
  return `\n… ${missing.toLocaleString('en-US')} characters left out: ${howToGet} …\n`;
}

/** The best place to end a text at or before `limit`. */
function cutBefore(text: string, limit: number): number {
  const safe = markAround(text, limit)?.start ?? limit;
  const line = text.lastIndexOf('\n', safe - 1);
  if (line > 0 && safe - line <= lineSearch) return line;
  return splitsPair(text, safe) ? safe - 1 : safe;
}

/** The best place to resume a text at or after `limit`. */
function cutAfter(text: string, limit: number): number {
  const safe = markAround(text, limit)?.end ?? limit;
  const line = text.indexOf('\n', safe - 1) + 1;
  if (line > 0 && line < text.length && line - safe <= lineSearch) return line;
  return splitsPair(text, safe) ? safe + 1 : safe;
}

function splitsPair(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, at - 1), at + 1));
}

/** The redaction mark that a cut at `at` would break. */
function markAround(text: string, at: number): { start: number; end: number } | undefined {
  const start = text.lastIndexOf(markStart, at - 1);
  const end = start === -1 ? 0 : text.indexOf(']', start) + 1;
  return start !== -1 && start < at && end > at && end - start <= maxMark ? { start, end } : undefined;
}
