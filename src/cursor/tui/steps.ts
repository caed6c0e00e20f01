import type { Key } from '../../protocol/key.ts';

/** What was marked when a key was pressed in a question form. */
export interface FormPlace {
  question: number;
  row: number;
}

/**
 * Something to send. `gapMs`: how long after the key before, at least. `text` goes to the terminal letter by letter as it is;
 * it holds no control characters.
 */
export type Sending =
  | { kind: 'press'; key: Key; gapMs: number; at?: FormPlace }
  | { kind: 'type'; text: string; gapMs: number; at?: FormPlace };

/** Why no key is sent: for people, what is the matter and what to do. */
export type Refusal =
  | 'notThisPrompt'
  | 'ambiguous'
  | 'notOffered'
  | 'noEffect'
  | 'badAnswer'
  | 'badText'
  | 'rowNotVisible'
  | 'changedByPerson';

/**
 * What to do next. `wait`: look again in `ms`; how long to wait for a prompt that is not there yet is for the caller to decide.
 * `done`: everything has been sent; whether it was accepted shows on the screen and in the store. `reasonSent` is false when the
 * agent rejected without asking for the reason.
 */
export type Step =
  | Sending
  | { kind: 'wait'; ms: number; why: string }
  | { kind: 'done'; reasonSent: boolean }
  | { kind: 'refuse'; reason: Refusal; why: string };

/**
 * The agent drops keys that come in one burst, so they are this far apart, and more before Enter. In a terminal Escape and a
 * key right behind it would read as Alt and that key.
 */
export const gaps = { key: 150, beforeEnter: 550, afterEscape: 200 } as const;
/** How long the screen may take to show what a key did. */
export const effectMs = 2000;
const lookAgainMs = 100;

/** Presses a key, the time since the last one kept. */
export function press(key: Key, sent: readonly Sending[], at?: FormPlace): Step {
  return { kind: 'press', key, gapMs: gapBefore(key, sent), ...(at && { at }) };
}

/** Types a text that `literalText` has made. */
export function type(text: string, sent: readonly Sending[], at?: FormPlace): Step {
  return { kind: 'type', text, gapMs: gapBefore(undefined, sent), ...(at && { at }) };
}

export function wait(why: string): Step {
  return { kind: 'wait', ms: lookAgainMs, why };
}

export function refuse(reason: Refusal, why: string): Step {
  return { kind: 'refuse', reason, why };
}

export function done(reasonSent = true): Step {
  return { kind: 'done', reasonSent };
}

/** Whether a key has been pressed. */
export function hasPressed(sent: readonly Sending[], ...keys: Key[]): boolean {
  return sent.some((each) => each.kind === 'press' && keys.includes(each.key));
}

/**
 * A text as it can be typed in one line: white space folded, since a line feed would press Enter and a tab Tab. Undefined when it
 * holds other control characters, or characters that stand alone of a pair.
 */
export function literalText(text: string): string | undefined {
  const line = text.split(/\s+/).filter(Boolean).join(' ');
  return /[\p{Cc}\p{Surrogate}]/u.test(line) ? undefined : line;
}

function gapBefore(key: Key | undefined, sent: readonly Sending[]): number {
  const last = sent.at(-1);
  if (!last) return 0;
  const afterLast = last.kind === 'press' && last.key === 'Escape' ? gaps.afterEscape : gaps.key;
  return Math.max(afterLast, key === 'Enter' ? gaps.beforeEnter : 0);
}
