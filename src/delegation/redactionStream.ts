import { findSecrets } from './secrets/find.ts';
import type { KnownSecrets } from './secrets/known.ts';
import { isKeyLine } from './secrets/privateKeys.ts';
import { markOf, mergeSpans, replaceSpans, type Span } from './secrets/span.ts';

/** A text that arrives in pieces. What a piece gives back may be shown; the rest comes with a later piece or the end. */
export interface RedactionStream {
  push(piece: string): string;
  /** Gives back what is still held. The stream can then be used for another text. */
  end(): string;
}

/** How much of what was given back is still looked at, so that a label before a value is seen. In characters. */
const contextSize = 512;
/** The most that is held. What is longer is given back in parts, or as a mark when it is part of a secret. */
const maxHeld = 32_768;
/** Words of an unfinished line that are held: `Authorization: Bearer abc` and `login x password abc` have four at most. */
const heldWords = 5;
const keyBegin = /-----BEGIN [A-Z0-9 ]{0,60}PRIVATE KEY(?: BLOCK)?-----/g;
const keyEnd = /-----END [A-Z0-9 ]{0,60}PRIVATE KEY(?: BLOCK)?-----/;
const tokenBody = /^[^\s"'`,;<>]*/;

/**
 * Redacts a text that arrives in pieces: own rules and known values only, for it runs on the caller's thread (about
 * 0.1 ms per short piece). A secret that was cut by a border between pieces is held back until it is whole. A known value
 * wrapped over lines that arrive in separate pieces is not seen; the result's own redaction sees it.
 */
export function openRedactionStream(known: KnownSecrets): RedactionStream {
  return new HoldingStream(known);
}

class HoldingStream implements RedactionStream {
  readonly #known: KnownSecrets;
  /** Given back already. */
  #context = '';
  #held = '';
  /** Inside a secret too long to hold, of which the mark was already given back. */
  #inside: 'key' | 'token' | undefined;
  /** A line of such a key, as far as it came. */
  #keyLine = '';

  constructor(known: KnownSecrets) {
    this.#known = known;
  }

  push(piece: string): string {
    this.#held += this.#swallow(piece);
    return this.#release(false);
  }

  end(): string {
    if (!isKeyLine(this.#keyLine)) this.#held += this.#keyLine;
    const rest = this.#release(true);
    this.#context = '';
    this.#keyLine = '';
    this.#inside = undefined;
    return rest;
  }

  /** What of a piece does not belong to the secret that is being dropped. */
  #swallow(piece: string): string {
    if (this.#inside === 'key') return this.#swallowKey(piece);
    const rest = this.#inside === 'token' ? piece.replace(tokenBody, '') : piece;
    if (rest) this.#inside = undefined;
    return rest;
  }

  #swallowKey(piece: string): string {
    const text = this.#keyLine + piece;
    const border = keyEnd.exec(text);
    const lines = text.slice(0, border?.index).split('\n');
    const strange = lines.findIndex((line) => !isKeyLine(line) && !(line === lines.at(-1) && line.startsWith('-----')));
    this.#keyLine = border || strange !== -1 ? '' : (lines.at(-1) ?? '');
    if (!border && strange === -1) return '';
    this.#inside = undefined;
    const afterKey = border ? text.slice(border.index) : '';
    if (strange !== -1) return lines.slice(strange).join('\n') + afterKey;
    return afterKey.slice(border?.[0].length);
  }

  #release(all: boolean): string {
    const text = this.#context + this.#held;
    const from = this.#context.length;
    const spans = mergeSpans(findSecrets(text, this.#known)).filter((span) => span.end > from);
    const until = all ? text.length : cutOf(text, from, spans);
    if (!all && text.length - until > maxHeld) return this.#overflow(text, from, spans);
    return this.#give(text, from, until, spans);
  }

  #give(text: string, from: number, until: number, spans: readonly Span[]): string {
    const shown = spans
      .filter((span) => span.start < until)
      .map((span) => ({ ...span, start: Math.max(span.start, from) - from, end: Math.min(span.end, until) - from }));
    this.#context = text.slice(Math.max(0, until - contextSize), until);
    this.#held = text.slice(until);
    return replaceSpans(text.slice(from, until), shown).text;
  }

  /** Something without an end in sight. A secret becomes its mark, and the rest of it is dropped as it comes. */
  #overflow(text: string, from: number, spans: readonly Span[]): string {
    const last = spans.at(-1);
    const key = openKeyAt(text);
    const endless = key ?? (last?.end === text.length ? last.start : undefined);
    if (endless === undefined) {
      const middle = text.length - maxHeld / 2;
      const across = spans.find((span) => span.start < middle && span.end > middle);
      return this.#give(text, from, across?.end ?? middle, spans);
    }
    const before = this.#give(text, from, Math.max(endless, from), spans);
    this.#context = '';
    this.#held = '';
    this.#inside = key === undefined ? 'token' : 'key';
    return before + markOf(key === undefined ? (last?.kind ?? 'secret') : 'private key');
  }
}

/** Up to where a text may be given back: not into an unfinished line's last words, nor into a secret that may go on. */
function cutOf(text: string, from: number, spans: readonly Span[]): number {
  let cut = Math.min(lastWordsStart(text), openKeyAt(text) ?? text.length);
  for (const span of spans) {
    if (span.end === text.length || (span.start < cut && span.end > cut)) cut = Math.min(cut, span.start);
  }
  return Math.max(cut, from);
}

function lastWordsStart(text: string): number {
  const lineStart = text.lastIndexOf('\n') + 1;
  const isBlank = (index: number) => text[index] === ' ' || text[index] === '\t';
  let at = text.length;
  for (let word = 0; word < heldWords; word++) {
    while (at > lineStart && isBlank(at - 1)) at--;
    while (at > lineStart && !isBlank(at - 1)) at--;
  }
  return at;
}

/** Where a private key begins that has no end yet. */
function openKeyAt(text: string): number | undefined {
  keyBegin.lastIndex = Math.max(0, text.lastIndexOf('-----END '));
  return keyBegin.exec(text)?.index;
}
