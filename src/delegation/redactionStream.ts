import { findSecrets } from './secrets/find.ts';
import type { KnownSecrets } from './secrets/known.ts';
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
/** Words of an unfinished line that are held: `Authorization: Bearer abc`, `login x password abc` are four at most. */
const unfinished = /(?:\S+[ \t]+){0,4}\S*$/;
/** The last line before a break is held too while it ends in a label, an opening quote or part of a private key. */
const openKey = /-----BEGIN [A-Z0-9 ]{0,60}PRIVATE KEY(?: BLOCK)?-----(?![\s\S]*-----END )/;
const keyBody = /^[A-Za-z0-9+/=\s\\:,.>|"'-]*/;
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
  /** Inside a secret too long to hold, of which the mark was already given back: what still belongs to it. */
  #swallowed: RegExp | undefined;

  constructor(known: KnownSecrets) {
    this.#known = known;
  }

  push(piece: string): string {
    this.#held += this.#swallow(piece);
    return this.#release(false);
  }

  end(): string {
    const rest = this.#release(true);
    this.#context = '';
    this.#swallowed = undefined;
    return rest;
  }

  #swallow(piece: string): string {
    const rest = this.#swallowed ? piece.replace(this.#swallowed, '') : piece;
    if (rest) this.#swallowed = undefined;
    return rest;
  }

  #release(all: boolean): string {
    const text = this.#context + this.#held;
    const from = this.#context.length;
    const spans = mergeSpans(findSecrets(text, this.#known)).filter((span) => span.end > from);
    const last = spans.at(-1);
    const until = all ? text.length : cutOf(text, from, spans);
    if (!all && text.length - until > maxHeld) return this.#overflow(text, from, last);
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
  #overflow(text: string, from: number, last: Span | undefined): string {
    const key = openKey.exec(text);
    const start = key ? key.index : last?.end === text.length ? last.start : undefined;
    if (start === undefined) return this.#give(text, from, text.length - maxHeld / 2, last ? [last] : []);
    const before = replaceSpans(text.slice(from, Math.max(start, from)), []).text;
    this.#context = '';
    this.#held = '';
    this.#swallowed = key ? keyBody : tokenBody;
    return before + markOf(key ? 'private key' : (last?.kind ?? 'secret'));
  }
}

/** Up to where a text may be given back: not into an unfinished line's last words, nor into a secret that may go on. */
function cutOf(text: string, from: number, spans: readonly Span[]): number {
  const lineStart = text.lastIndexOf('\n') + 1;
  let cut = lineStart + (unfinished.exec(text.slice(lineStart))?.index ?? 0);
  const key = openKey.exec(text);
  if (key) cut = Math.min(cut, key.index);
  for (const span of spans) {
    if (span.end === text.length || (span.start < cut && span.end > cut)) cut = Math.min(cut, span.start);
  }
  return Math.max(cut, from);
}
