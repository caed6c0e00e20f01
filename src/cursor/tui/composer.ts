import { markers, parseOffer } from './offers.ts';
import type { Row } from './rows.ts';

/** The line at the bottom where the person types. What it says while empty tells what the agent waits for. */
export interface Composer {
  kind: 'idle' | 'reasonBox' | 'decision' | 'modeSwitch' | 'question' | 'shell' | 'other' | 'draft';
  /** What somebody has typed, wrapped lines joined; empty unless `kind` is `draft`. */
  draft: string;
  /** The keys that a `decision` or a `modeSwitch` offers. */
  keys: readonly string[];
  busy: boolean;
  /** Its first row, and the one behind its last. */
  index: number;
  end: number;
}

const idleTexts = ['Plan, search, build anything', 'Add a follow-up'];
/** Set to the right of the composer while the agent works. */
const stopHint = /\s*ctrl\+c to stop$/i;
/** `Waiting for decision (y/n/p)...`, `Approve mode switch (y/n)`. */
const decisionKeys = /\(([a-z](?:\/[a-z]){1,4})\)(?:\.\.\.|…)?$/;
/** `(Enter to send, empty to skip, Esc to cancel)` and the older `(Enter to submit, Esc to cancel)`, `: Enter to submit, Ctrl+C to skip`. */
const reasonKeys = /\benter to (?:send|submit),.*\b(?:esc to cancel|ctrl\+c to skip)\)?$/i;
const questionKeys = /\(enter to select.*\besc to skip\)$/i;
/** Below the composer stand the status lines, and the list of slash commands while one is being typed. */
const maxRowsBelow = 40;
const maxDraftRows = 60;
const maxStatusRows = 4;

/**
 * The composer, or undefined when the bottom of the screen shows none. Between half blocks anything may stand below it;
 * without them only a few status lines, since the transcript holds arrows, too.
 */
export function findComposer(rows: readonly Row[]): Composer | undefined {
  const lastWords = rows.findLastIndex(({ text, kind }) => kind === 'text' && !isStatus(text));
  const from = Math.max(0, rows.length - maxRowsBelow);
  for (let index = rows.length - 1; index >= from; index -= 1) {
    const text = rows[index]?.text ?? '';
    if (/^[→❯](?:\s|$)/.test(text) && !isOfferRow(rows, index)) {
      const composer = readComposer(rows, index, text.slice(1).trim());
      const below = rows.slice(composer.end).filter((row) => row.kind === 'text');
      if (rows[index - 1]?.kind === 'bar' || below.length <= maxStatusRows) return composer;
    }
    // Seen without its arrow.
    if (index === lastWords && decisionKeys.test(text)) return readComposer(rows, index, text);
  }
  return undefined;
}

/** Whether a row says that the agent works, for screens where it stands on a row of its own. */
export function saysBusy(row: Row): boolean {
  return stopHint.test(row.text) && row.text.replace(stopHint, '') === '';
}

/** `→ Run (once) (y)`: unless half blocks around it make it the composer with such words in it. */
function isOfferRow(rows: readonly Row[], index: number): boolean {
  return parseOffer(rows[index]?.text ?? '') !== undefined && rows[index - 1]?.kind !== 'bar';
}

/** Whether a row says nothing of what the agent waits for: frame, status lines, hints, the sign that it works. */
export function isQuiet({ kind, text }: Row): boolean {
  if (kind !== 'text') return true;
  if (/^ctrl\+c\b/i.test(text)) return false;
  return (
    /^(?:ctrl|alt|shift)\+\S+ to \S/i.test(text) || /^auto-rejects\b/i.test(text) || isSpinner(text) || isStatus(text)
  );
}

/** `⠞ Working`. */
export function isSpinner(text: string): boolean {
  return /^[\u2800-\u28ff]{1,8} +\p{Lu}/u.test(text);
}

/** `Composer 2.5 · 12%`, `Auto   Run Everything`, `~/work/site · main`. */
function isStatus(text: string): boolean {
  return text.includes(' · ') || /^(?:~|\/|[A-Za-z]:\\)/.test(text) || / {3}Run Everything$/.test(text);
}

function readComposer(rows: readonly Row[], index: number, firstRow: string): Composer {
  const following = draftRows(rows, index);
  // The hint may be wrapped to a row of its own.
  const isBusy = stopHint.test(firstRow) || rows.slice(index + 1, index + 3).some(saysBusy);
  const lines = [firstRow, ...following.filter((row) => !saysBusy(row)).map(({ text }) => text)];
  const whole = lines.map((line) => line.replace(stopHint, '')).join(' ');
  const first = firstRow.replace(stopHint, '').trim();
  const base = { draft: '', keys: [], busy: isBusy, index, end: index + 1 + following.length };
  const decision = decisionKeys.exec(first)?.[1];
  if (decision !== undefined) {
    return { ...base, keys: decision.split('/'), kind: /mode switch/i.test(first) ? 'modeSwitch' : 'decision' };
  }
  if (reasonKeys.test(whole)) return { ...base, kind: /\brevise\b/i.test(whole) ? 'other' : 'reasonBox' };
  if (questionKeys.test(whole)) return { ...base, kind: 'question' };
  if (first === '' || idleTexts.some((text) => first.startsWith(text))) return { ...base, kind: 'idle' };
  if (/^Run a command(?: — |$)/.test(first)) return { ...base, kind: 'shell' };
  return { ...base, kind: 'draft', draft: whole };
}

/** The rows in which what was typed goes on: up to the half blocks, a blank row or the status lines. */
function draftRows(rows: readonly Row[], index: number): Row[] {
  const below = rows.slice(index + 1, index + 1 + maxDraftRows);
  const closed = below.findIndex(({ kind }) => kind === 'bar');
  const open = below.findIndex(
    ({ kind, text }) => kind !== 'text' || isStatus(text) || markers.includes(text.charAt(0)),
  );
  const end = closed === -1 ? open : closed;
  return below.slice(0, end === -1 ? below.length : end);
}
