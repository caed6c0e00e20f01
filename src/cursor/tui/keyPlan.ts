import type { Answer } from '../../protocol/request.ts';
import type { PromptedCall } from './arguments.ts';
import { matches, whosePrompt } from './ownPrompt.ts';
import type { Screen, Subject } from './prompts.ts';
import { nextInForm, nextSkip } from './formPlan.ts';
import {
  done,
  effectMs,
  hasPressed,
  literalText,
  press,
  refuse,
  type Sending,
  type Step,
  type,
  wait,
} from './steps.ts';
import { showsText } from './shownText.ts';

/** Where a delivery stands. */
export interface Delivering<Call extends PromptedCall> {
  answer: Answer;
  /** One of `pending`, the same object. */
  call: Call;
  /** Every call that is pending in this session, those of its sub-agents too. */
  pending: readonly Call[];
  /** The screen as it is now, read after the last step. */
  screen: Screen;
  /** What has been sent for this answer so far, in order. */
  sent: readonly Sending[];
  /** Milliseconds since the last of them; any number when there is none. */
  sinceSentMs: number;
}

const notShown = 'The prompt of this request is not on the screen.';
/** How long the box for the reason may take to appear. */
const reasonBoxMs = 1000;

/**
 * The next step of a delivery, to be asked again with the new screen after each one: a key is only pressed when the screen
 * shows that it answers this call. Escape is pressed at most once: a second one would go back to the menu, where Enter runs
 * the command. (Keys of cursor-agent 2026.04 to 2026.10.)
 */
export function nextStep<Call extends PromptedCall>(delivering: Delivering<Call>): Step {
  const { answer, screen, pending, sent, sinceSentMs, call } = delivering;
  const owner = whosePrompt(screen, pending);
  const isOwn = owner.kind === 'call' && owner.call === call;
  if (owner.kind === 'ambiguous' && !isReasonOf(delivering)) {
    return refuse(
      'ambiguous',
      'Several waiting requests look the same on the screen. Answer this one in the terminal.',
    );
  }
  switch (answer.kind) {
    case 'approve':
      return nextApprove(screen, isOwn, sent);
    case 'reject':
      return nextReject(delivering, isOwn, answer.reason);
    case 'answers':
      return nextInForm({ screen, isOwn, call, answers: answer.answers, sent, sinceSentMs });
    case 'skip':
      return nextSkip(screen, isOwn, sent, sinceSentMs);
  }
}

function nextApprove(screen: Screen, isOwn: boolean, sent: readonly Sending[]): Step {
  if (sent.length > 0) return done();
  if (!isOwn) return wait(notShown);
  if (screen.kind !== 'approval' && screen.kind !== 'modeSwitch') {
    return refuse('changedByPerson', 'The terminal asks for the reason of a rejection. Finish or cancel that there.');
  }
  if (!offers(screen, 'y'))
    return refuse('notOffered', 'The prompt on the screen does not offer `y`. Answer it in the terminal.');
  return press('y', sent);
}

function nextReject<Call extends PromptedCall>(delivering: Delivering<Call>, isOwn: boolean, reason: string): Step {
  const { screen, sent, sinceSentMs } = delivering;
  const text = literalText(reason);
  if (text === undefined) return refuse('badText', 'The reason holds control characters. Write it without them.');
  if (hasPressed(sent, 'Enter')) return done();
  if (hasBegun(sent)) return afterReject(delivering, isOwn, text);
  if (!isOwn) return wait(notShown);
  if (screen.kind === 'reasonBox') return inReasonBox(text, sent, sinceSentMs);
  if (screen.kind !== 'approval' && screen.kind !== 'modeSwitch') {
    return refuse('changedByPerson', 'Somebody is typing the reason in the terminal. Finish it there.');
  }
  // A prompt without such a row, as for deleting a file, is rejected by its letter.
  if (offers(screen, 'esc', 'escape')) return press('Escape', sent);
  if (offers(screen, 'n')) return press(offersOnlyLetters(screen) ? 'Escape' : 'n', sent);
  return refuse('notOffered', 'The prompt on the screen offers no key to reject. Answer it in the terminal.');
}

function afterReject<Call extends PromptedCall>(delivering: Delivering<Call>, isOwn: boolean, text: string): Step {
  const { screen, sent, sinceSentMs } = delivering;
  const isLate = sinceSentMs >= effectMs;
  const hasTyped = sent.some(({ kind }) => kind === 'type');
  if (isReasonOf(delivering)) {
    if (screen.kind === 'reasonBox') return inReasonBox(text, sent, sinceSentMs);
    if (hasTyped && screen.kind === 'draft' && showsText([screen.text], text)) return press('Enter', sent);
    if (!hasTyped) return refuse('changedByPerson', 'Somebody is typing the reason in the terminal. Finish it there.');
  }
  if (hasTyped) {
    return isLate
      ? refuse('noEffect', 'The reason does not show in the terminal. Look at the terminal.')
      : wait('The reason is not shown yet.');
  }
  if (isOwn) {
    return isLate
      ? refuse('noEffect', 'The prompt is still there after the key that rejects. Answer it in the terminal.')
      : wait('The prompt has not reacted yet.');
  }
  return sinceSentMs >= reasonBoxMs ? done(text === '') : wait('The box for the reason may still appear.');
}

/** Empty, as its words for an empty box are what tells it. */
function inReasonBox(text: string, sent: readonly Sending[], sinceSentMs: number): Step {
  if (text === '') return press('Enter', sent);
  if (!sent.some(({ kind }) => kind === 'type')) return type(text, sent);
  return sinceSentMs >= effectMs
    ? refuse('noEffect', 'The reason does not show in the terminal. Look at the terminal.')
    : wait('The reason is not shown yet.');
}

/**
 * Whether the screen asks for the reason of this call, after its prompt was rejected. The box may show nothing of the call; it must
 * not show another one.
 */
function isReasonOf<Call extends PromptedCall>({ screen, pending, call, sent }: Delivering<Call>): boolean {
  if (screen.kind !== 'reasonBox' && screen.kind !== 'draft') return false;
  if (!hasBegun(sent)) return false;
  if (isEmpty(screen.subject) || matches(screen, call)) return true;
  return !pending.some((other) => other !== call && matches(screen, other));
}

/** The prompt was rejected, or the reason typed into a box that was open already. */
function hasBegun(sent: readonly Sending[]): boolean {
  return hasPressed(sent, 'Escape', 'n') || sent.some(({ kind }) => kind === 'type');
}

function isEmpty({ above, below }: Subject): boolean {
  return above.length === 0 && below.length === 0;
}

type Choices = Extract<Screen, { offers: unknown }>;

function offers(screen: Choices, ...keys: string[]): boolean {
  return screen.offers.some((offer) => offer.keys.some((key) => keys.includes(key)));
}

/** `(y/n/p)` names no more than the letters of the keys. */
function offersOnlyLetters(screen: Choices): boolean {
  return screen.offers.length === 1 && offers(screen, 'y');
}
