import { type Composer, findComposer, isQuiet, isSpinner, saysBusy } from './composer.ts';
import { lastOffers, markers, type Offer, type OfferBlock } from './offers.ts';
import { type Picker, readPicker } from './picker.ts';
import { bottomRows, type Row } from './rows.ts';

/** What a prompt is about, as the screen shows it. */
export interface Subject {
  /** `Run this command?`; empty when the screen shows none. */
  question: string;
  /** The rows between the question and the choices. */
  below: readonly string[];
  /** The rows above the question, up to the line that separates them from the transcript. */
  above: readonly string[];
  /** `above` begins before the top of the screen. */
  cut: boolean;
}

/**
 * What the bottom of a screen of cursor-agent shows. `draft`: somebody has typed into the composer; it says nothing of what
 * it is for. `trust`: whether to trust the folder, which is never answered for the person. `unclear`: none of these.
 */
export type Screen =
  | { kind: 'approval' | 'modeSwitch'; offers: readonly Offer[]; subject: Subject }
  | { kind: 'question'; picker: Picker }
  | { kind: 'reasonBox'; subject: Subject }
  | { kind: 'draft'; text: string; subject: Subject }
  | { kind: 'trust' | 'busy' | 'idle' | 'unclear' };

const maxRowsAbove = 200;
/** Between the question and the first choice stand what it is about and why it is asked, which both may be long. */
const maxRowsBelowQuestion = 60;
const nothing: Subject = { question: '', below: [], above: [], cut: false };

/**
 * Recognises the prompt that waits at the bottom of a screen: by the keys it names, not by its words, which differ by kind
 * and version. Words that look like one in the transcript above are none, and neither are the composer and the status lines.
 * `rows` as `tmux capture-pane -p` prints them, wrapped lines joined or not. (Screens of cursor-agent 2026.04 to 2026.10.)
 */
export function readScreen(rows: readonly string[]): Screen {
  const bottom = bottomRows(rows);
  const composer = findComposer(bottom);
  // A prompt below it shows that this composer is one that the transcript quotes.
  const below = composer ? readPrompt(bottom.slice(composer.end), undefined) : undefined;
  if (below) return below;
  // Choices without a question: what looks like a composer may be part of what they are about.
  if (composer && hasChoices(bottom.slice(composer.end))) return { kind: 'unclear' };
  // What stands above a composer that waits for words, or for nothing, is over.
  const isWaiting = composer === undefined || ['decision', 'modeSwitch', 'question'].includes(composer.kind);
  const prompt = isWaiting
    ? readPrompt(composer ? bottom.slice(0, startOf(bottom, composer)) : bottom, composer)
    : undefined;
  if (prompt) return prompt;
  if (isTrust(bottom, composer)) return { kind: 'trust' };
  if (composer) return readComposed(bottom, composer);
  return { kind: bottom.slice(-4).some((row) => saysBusy(row) || isSpinner(row.text)) ? 'busy' : 'unclear' };
}

/** The prompt that the last of these rows show, with the composer below them. */
function readPrompt(rows: readonly Row[], composer: Composer | undefined): Screen | undefined {
  const picker = readPicker(rows, composer?.kind === 'question');
  return picker ? { kind: 'question', picker } : readApproval(rows, composer);
}

function readComposed(rows: readonly Row[], composer: Composer): Screen {
  const { kind, draft, busy } = composer;
  if (kind === 'reasonBox') return { kind: 'reasonBox', subject: boxAbove(rows, startOf(rows, composer)) };
  if (kind === 'draft') return { kind: 'draft', text: draft, subject: boxAbove(rows, startOf(rows, composer)) };
  if (kind === 'idle') return { kind: busy || isSpinning(rows, composer) ? 'busy' : 'idle' };
  return { kind: 'unclear' };
}

function hasChoices(rows: readonly Row[]): boolean {
  const block = lastOffers(rows);
  return block !== undefined && isLive(rows, block);
}

function readApproval(rows: readonly Row[], composer: Composer | undefined): Screen | undefined {
  const block = lastOffers(rows);
  if (block && isLive(rows, block)) {
    const subject = subjectOf(rows, block);
    if (subject) {
      const isModeSwitch = /\bmode\?$|\bmode switch\b/i.test(subject.question) || composer?.kind === 'modeSwitch';
      return { kind: isModeSwitch ? 'modeSwitch' : 'approval', offers: block.offers, subject };
    }
  }
  if (composer?.kind !== 'decision' && composer?.kind !== 'modeSwitch') return undefined;
  if (rows.slice(-3).some(saysBusy)) return undefined;
  const offer: Offer = { keys: composer.keys, label: '', marked: false };
  const subject = boxAbove(rows, rows.length);
  return { kind: composer.kind === 'decision' ? 'approval' : 'modeSwitch', offers: [offer], subject };
}

/** Whether these are choices, and nothing below them says that they are part of the transcript. */
function isLive(rows: readonly Row[], { offers, last }: OfferBlock): boolean {
  if (!offers.some(({ keys }) => keys.includes('y')) || offers.filter(({ marked }) => marked).length > 1) return false;
  const below = rows.slice(last + 1);
  // What went wrong is printed below the prompt, in any number of rows.
  const error = below.findIndex(({ text }) => text.startsWith('Error:'));
  const rest = error === -1 ? below : below.slice(0, error);
  // An old wording of the last choice names no keys.
  const isChoice = rest[0]?.kind === 'text' && !saysBusy(rest[0]);
  return rest.slice(isChoice ? 1 : 0).every(isQuiet);
}

/**
 * The question above the choices and what it is about. A hook's request has a heading instead, below the separating line.
 * Undefined when there is neither: these are no choices then.
 */
function subjectOf(rows: readonly Row[], { first, offers }: OfferBlock): Subject | undefined {
  const lowest = Math.max(0, first - maxRowsBelowQuestion);
  for (let at = first - 1; at >= lowest; at -= 1) {
    const { kind, text } = rows[at] ?? { kind: 'bar', text: '' };
    if (kind === 'bar' || (text !== '' && markers.includes(text.charAt(0)))) return undefined;
    if (kind === 'rule') {
      const above = textsOf(rows.slice(at + 1, first));
      const isPrompt = offers.length > 1 && offers.some(({ marked }) => marked) && above.some((each) => each !== '');
      return isPrompt ? { ...nothing, above } : undefined;
    }
    if (text.endsWith('?'))
      return { question: text, below: textsOf(rows.slice(at + 1, first)), ...rowsAbove(rows, at) };
  }
  return undefined;
}

/** Up to the separating line. Without one, only what begins with `$` right above the question is known to belong to it. */
function rowsAbove(rows: readonly Row[], end: number): Pick<Subject, 'above' | 'cut'> {
  const lowest = Math.max(0, end - maxRowsAbove);
  const before = rows.slice(lowest, end);
  const line = before.findLastIndex(({ kind }) => kind === 'rule' || kind === 'bar');
  if (line !== -1) return { above: textsOf(before.slice(line + 1)), cut: false };
  const command = before.findLastIndex(({ text }) => /^\$\s/.test(text));
  const isNear = command !== -1 && before.slice(command, -1).every(({ kind }) => kind === 'text');
  if (isNear) return { above: textsOf(before.slice(command)), cut: false };
  return { above: textsOf(before), cut: true };
}

/** The framed rows that stay above the composer while the reason is asked for. */
function boxAbove(rows: readonly Row[], end: number): Subject {
  const bottom = rows.slice(0, end).findLastIndex(({ kind }) => kind !== 'blank' && kind !== 'bar');
  if (rows[bottom]?.kind !== 'rule') return nothing;
  const top = rows.slice(0, bottom).findLastIndex(({ kind }) => kind === 'rule');
  return { ...nothing, above: textsOf(rows.slice(top + 1, bottom)), cut: top === -1 };
}

function startOf(rows: readonly Row[], { index }: Composer): number {
  return rows[index - 1]?.kind === 'bar' ? index - 1 : index;
}

/** `⠞ Working` above the composer. */
function isSpinning(rows: readonly Row[], composer: Composer): boolean {
  const above = rows.slice(0, startOf(rows, composer)).filter(({ kind }) => kind === 'text');
  return above.slice(-2).some(({ text }) => isSpinner(text));
}

/** Whether to trust the folder: keys in square brackets, still to be chosen. */
function isTrust(rows: readonly Row[], composer: Composer | undefined): boolean {
  const asked = rows.findLastIndex(({ text }) => /\btrust\b.*\[y\/n\]:?$/i.test(text));
  if (asked !== -1) return rows.slice(asked + 1).every(({ text, kind }) => kind !== 'text' || /^\d\.|^❯$/.test(text));
  const trust = rows.findLastIndex(({ text }) => /(?:^|\s)\[a\]\s/i.test(text));
  const quit = rows.findIndex(({ text }, index) => index > trust && /(?:^|\s)\[q\]\s/i.test(text));
  // Whether to start the servers of the workspace is asked in the same shape.
  const isOfTrust = /\btrust\b/i.test(rows[trust]?.text ?? '');
  if (composer || !isOfTrust || quit === -1 || quit - trust > 3) return false;
  const isMarked = rows.slice(trust, quit + 1).some(({ text }) => markers.includes(text.charAt(0)));
  const below = textsOf(rows.slice(quit + 1));
  return isMarked || below.every((text) => text === '' || /^use arrow keys\b/i.test(text));
}

function textsOf(rows: readonly Row[]): string[] {
  return rows.map(({ text }) => text);
}
