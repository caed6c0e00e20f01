import type { Span } from './span.ts';

/** A text as it reads once its escapes are taken away, with the way back to where each character came from. */
export interface View {
  text: string;
  /** Translates a span of the view to the text the view was first made from. */
  toSource(span: Span): Span;
}

/** JSON's string escapes (RFC 8259 section 7), JavaScript's `\'`, `\xNN`, and the colour and cursor sequences of terminals (ECMA-48 CSI). */
const escapes = /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(["'\\/bfnrt]))|\x1b\[[0-9;?]*[ -/]*[@-~]/g;
const lineBreaks = /\r?\n[ \t]*/g;
const named: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** JSON inside JSON, four deep: what lies deeper is not looked into. */
const maxDepth = 4;

/** The text itself, then as it reads with one, two, three and four layers of escapes taken away, as far as there are any. */
export function viewsOf(text: string): View[] {
  const views: View[] = [{ text, toSource: (span) => span }];
  for (let depth = 0; depth < maxDepth; depth++) {
    const last = views.at(-1);
    const next = last && rewrite(last, escapes, unescape);
    if (!next) break;
    views.push(next);
  }
  return views;
}

/** A view whose lines are joined, for values that were wrapped; undefined when there is but one line. */
export function joinLines(view: View): View | undefined {
  return rewrite(view, lineBreaks, () => '');
}

function unescape(match: RegExpExecArray): string {
  const code = match[1] ?? match[2];
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  const letter = match[3];
  return letter === undefined ? '' : (named[letter] ?? letter);
}

/** Replaces every match and remembers, for every piece that was kept, where it began on both sides. */
function rewrite(view: View, pattern: RegExp, replacement: (match: RegExpExecArray) => string): View | undefined {
  const parts: string[] = [];
  const newStarts: number[] = [];
  const oldStarts: number[] = [];
  let length = 0;
  let at = 0;
  const keep = (text: string, from: number) => {
    newStarts.push(length);
    oldStarts.push(from);
    parts.push(text);
    length += text.length;
  };
  for (const match of view.text.matchAll(pattern)) {
    keep(view.text.slice(at, match.index), at);
    at = match.index + match[0].length;
    keep(replacement(match), match.index);
  }
  if (at === 0) return undefined;
  keep(view.text.slice(at), at);

  const pieceStart = (index: number) => lastAtMost(newStarts, index);
  /** Pieces alternate: kept text (even), then what an escape became (odd), which stands for the whole escape. */
  const oldIndex = (index: number, isEnd: boolean) => {
    const piece = pieceStart(isEnd ? index - 1 : index);
    const replaced = piece % 2 === 1;
    if (replaced) return isEnd ? (oldStarts[piece + 1] ?? view.text.length) : (oldStarts[piece] ?? 0);
    return (oldStarts[piece] ?? 0) + index - (newStarts[piece] ?? 0);
  };
  return {
    text: parts.join(''),
    toSource: (span) =>
      view.toSource({ kind: span.kind, start: oldIndex(span.start, false), end: oldIndex(span.end, true) }),
  };
}

/** Index of the last element that is at most `value`, in an ascending list whose first element is. */
function lastAtMost(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((ascending[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
