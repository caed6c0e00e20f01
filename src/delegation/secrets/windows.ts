import { findSecrets } from './find.ts';
import type { KnownSecrets } from './known.ts';
import { lint } from './lint.ts';
import { mergeSpans, type Redacted, replaceSpans, type Span } from './span.ts';
import { viewsOf } from './view.ts';

/** Characters looked at in one go: bounds memory, and what in the linter grows with the square of its findings. */
const windowSize = 131_072;
/** What two windows share. Longer than any secret but some private keys, whose halves are found each by its own border. */
const overlap = 16_384;
/** How far back a window may begin to begin with a line. */
const lineSearch = 2_048;
const tokenRest = /[\w+/=.~-]+/y;

/** Redacts a text of any length with every rule there is. Linear in time; memory beyond the text is bounded. */
export async function redactWhole(text: string, known: KnownSecrets): Promise<Redacted> {
  const spans: Span[] = [];
  let start = 0;
  for (;;) {
    const end = Math.min(start + windowSize, text.length);
    const part = text.slice(start, end);
    for (const span of await findIn(part, known)) {
      const reachesBorder = start + span.end === end && end < text.length;
      spans.push({
        kind: span.kind,
        start: start + span.start,
        end: reachesBorder ? endOfToken(text, end) : start + span.end,
      });
    }
    if (end === text.length) return replaceSpans(text, mergeSpans(spans));
    start = nextStart(text, end);
  }
}

async function findIn(part: string, known: KnownSecrets): Promise<Span[]> {
  const views = viewsOf(part);
  const own = findSecrets(part, known, views);
  const linted: Span[] = [];
  for (const view of views) {
    for (const span of await lint(view.text)) linted.push(view.toSource(span));
  }
  return [
    ...own,
    ...linted.filter((span) => !(span.kind === 'address' && own.some((inner) => isWithin(inner, span)))),
  ].map((span) => (span.kind === 'address' ? { ...span, kind: 'address with password' } : span));
}

/** The linter reports a whole address where our rule hides the password in it: then the rest may be read. */
function isWithin(inner: Span, outer: Span): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

function endOfToken(text: string, from: number): number {
  tokenRest.lastIndex = from;
  return tokenRest.test(text) ? tokenRest.lastIndex : from;
}

function nextStart(text: string, end: number): number {
  const latest = end - overlap;
  const line = text.lastIndexOf('\n', latest) + 1;
  return latest - line <= lineSearch ? line : latest;
}
