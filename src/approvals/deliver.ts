import { nextStep } from '../cursor/tui/keyPlan.ts';
import { whosePrompt } from '../cursor/tui/ownPrompt.ts';
import { readScreen, type Screen } from '../cursor/tui/prompts.ts';
import { press, refuse, type Sending, type Step } from '../cursor/tui/steps.ts';
import { carriedOver, isComplete } from './attempts.ts';
import type { CallNow, DeliveryOutcome, DeliveryTask, Retry } from './deliveryTask.ts';
import { pause } from '../base/pause.ts';
import { isRecognised } from './prompted.ts';
import { isSameScreen, lastRows } from './shownRows.ts';

type NotDelivered = Extract<DeliveryOutcome, { kind: 'notDelivered' }>;
type Pending = Extract<CallNow, { state: 'pending' }>;
type Seen = { kind: 'seen'; screen: Screen; now: Pending } | { kind: 'over'; outcome: DeliveryOutcome } | Unseen;
interface Unseen {
  kind: 'unseen';
  why: string;
}

/** How long a prompt may take to be painted, from the head of the queue, and a screen to be readable again. */
const maxWaitMs = 10_000;
/** How long the prompt may take to leave the screen after the last key. */
const leaveMs = 2000;
/** The same where it is not known what leaving looks like. */
const leaveAnywayMs = 5000;
const lookAgainMs = 100;
/** A single look may catch a screen that is half painted. */
const minMissed = 2;
/** What keys sent blindly must not reach. */
const notForBlindKeys: readonly Screen['kind'][] = ['idle', 'draft', 'trust', 'reasonBox', 'busy'];

/**
 * Types an answer as a closed loop: before every key it looks whether the call is still pending and its own prompt on the screen of
 * that terminal, and afterwards whether the prompt has left. Begins once the terminal is its own, across all windows. Rejects only
 * when aborted.
 */
export async function deliver(task: DeliveryTask, signal: AbortSignal): Promise<DeliveryOutcome> {
  const attempt = new Attempt(task, signal);
  try {
    const lease = await task.locks.take(task.target.id, signal);
    try {
      return await attempt.run();
    } finally {
      attempt.end();
      lease.dispose();
    }
  } catch (error) {
    signal.throwIfAborted();
    return attempt.unreserved(error instanceof Error ? error.message : 'unknown');
  }
}

class Attempt {
  readonly #task: DeliveryTask;
  readonly #signal: AbortSignal;
  /** What this attempt has sent, behind what is carried over from earlier ones. */
  #sent: Sending[] = [];
  #hasSent = false;
  #lastSentAtMs: number;
  #rows: readonly string[] = [];
  #last: { screen: Screen; now: Pending } | undefined;
  #missed = 0;
  #typing: { dispose(): void } | undefined;
  /** Why the last key is not known to have been sent. */
  #sendProblem = '';

  constructor(task: DeliveryTask, signal: AbortSignal) {
    this.#task = task;
    this.#signal = signal;
    this.#lastSentAtMs = task.lastSentAtMs;
  }

  async run(): Promise<DeliveryOutcome> {
    const startMs = this.#task.clock.now();
    for (;;) {
      const seen = await this.#see();
      if (seen.kind === 'over') return seen.outcome;
      const step = seen.kind === 'seen' ? this.#plan(seen) : waitFor(seen.why);
      switch (step.kind) {
        case 'wait': {
          if (this.#isAnsweredElsewhere(seen)) return { kind: 'answeredElsewhere' };
          const sinceMs = this.#hasSent ? this.#lastSentAtMs : startMs;
          if (this.#task.clock.now() - sinceMs >= maxWaitMs) return this.fail(step.why);
          await this.#pause(step.ms);
          break;
        }
        case 'refuse':
          return this.fail(step.why);
        case 'done':
          return await this.#awaitLeaving(step.reasonSent);
        case 'press':
        case 'type':
          await this.#advance(step);
          break;
      }
    }
  }

  /** Why the answer was not delivered, with what the terminal shows. */
  fail(why: string): NotDelivered {
    const screen = lastRows(this.#rows);
    const typed = this.#hasSent ? 'Some keys were sent: look at the terminal.' : 'Nothing was typed.';
    const parts = [why, this.#sendProblem, typed].filter((part) => part !== '');
    return { kind: 'notDelivered', why: parts.join(' '), screen, retry: this.#retry() };
  }

  /** Nothing of the session stands in its way, so it may be tried again at any time. */
  unreserved(why: string): DeliveryOutcome {
    const what = `The terminal could not be reserved (${why}): answer in it, or mend that and try again.`;
    return this.#hasSent ? this.fail(what) : { ...this.fail(what), retry: 'again' };
  }

  end(): void {
    this.#typing?.dispose();
    this.#typing = undefined;
  }

  /** Looks at the terminal, and then at the store and the session: what is seen is true at the moment it returns. */
  async #see(): Promise<Seen> {
    const look = await this.#task.look(this.#signal);
    this.#signal.throwIfAborted();
    const now = this.#task.check();
    if (look.state === 'ready' || look.state === 'held') this.#rows = look.rows;
    switch (now.state) {
      case 'over': {
        const isOurs = this.#hasSent && isComplete(this.#task.answer, this.#sent);
        return { kind: 'over', outcome: { kind: isOurs ? 'confirmed' : 'answeredElsewhere' } };
      }
      case 'ended':
        return { kind: 'over', outcome: { kind: 'sessionEnded' } };
      case 'changed':
        this.#last = undefined;
        return { kind: 'over', outcome: this.fail('The agent has changed this call since it was shown.') };
      case 'unread':
        return { kind: 'unseen', why: now.why };
      case 'pending':
        break;
    }
    if (look.state === 'gone') {
      this.#last = undefined;
      return { kind: 'over', outcome: this.fail(look.why) };
    }
    if (look.state !== 'ready') return { kind: 'unseen', why: look.why };
    const screen = readScreen(look.rows);
    this.#last = { screen, now };
    this.#missed = this.#isShown(screen, now) ? 0 : this.#missed + 1;
    return { kind: 'seen', screen, now };
  }

  #plan({ screen, now }: { screen: Screen; now: Pending }): Step {
    const { answer, anyway, earlier, clock } = this.#task;
    const isOwn = this.#isShown(screen, now);
    if (!this.#hasSent) {
      if (anyway && !isOwn) return this.#planBlind(screen, now, anyway);
      this.#sent = carriedOver(answer, earlier, isOwn && (screen.kind === 'approval' || screen.kind === 'modeSwitch'));
    }
    const { call, pending } = now;
    const sinceSentMs = clock.now() - this.#lastSentAtMs;
    const step = nextStep({ answer, call, pending, screen, sent: this.#sent, sinceSentMs });
    // What an earlier attempt has sent is not this one's merit.
    if (step.kind === 'done' && !this.#hasSent) return waitFor('The prompt of this request is not on the screen.');
    return step;
  }

  /** The first key for a prompt that is not recognised. Everything behind it goes by the screen again. */
  #planBlind(screen: Screen, { pending }: Pending, seen: readonly string[]): Step {
    const { answer, earlier } = this.#task;
    if (whosePrompt(screen, pending).kind !== 'none') {
      return refuse('notThisPrompt', 'The terminal shows the prompt of another request.');
    }
    if (notForBlindKeys.includes(screen.kind)) {
      return refuse('notThisPrompt', 'The terminal does not show a prompt that could be answered.');
    }
    if (!isSameScreen(seen, lastRows(this.#rows))) {
      return refuse('notThisPrompt', 'The terminal shows something else than you have seen. Look at it again.');
    }
    if (answer.kind === 'approve') return press('y', []);
    if (answer.kind === 'answers')
      return refuse('badAnswer', 'Questions can only be answered when they are recognised.');
    if (carriedOver(answer, earlier, false).length > 0 || earlier.some(isEscape)) {
      return refuse('noEffect', 'Escape has been sent already, and a second one could undo it.');
    }
    return press('Escape', []);
  }

  /** A key, once the time between keys has passed and nobody else types; both need another look before it. */
  async #advance(step: Sending): Promise<void> {
    const { clock, target, onSending } = this.#task;
    const missingMs = step.gapMs - (clock.now() - this.#lastSentAtMs);
    if (missingMs > 0) {
      await this.#pause(missingMs);
      return;
    }
    if (!this.#typing && target.holdTyping) {
      this.#typing = target.holdTyping();
      return;
    }
    // From here on it may have reached the agent, whatever becomes of the sending: the screen will show.
    this.#sent.push(step);
    this.#hasSent = true;
    onSending(step);
    this.#sendProblem = '';
    await target
      .send(step.kind === 'press' ? { key: step.key } : { text: step.text }, this.#signal)
      .catch((error: unknown) => {
        this.#signal.throwIfAborted();
        this.#sendProblem = error instanceof Error ? error.message : 'The last key could not be sent.';
      });
    this.#lastSentAtMs = clock.now();
  }

  async #awaitLeaving(reasonSent: boolean): Promise<DeliveryOutcome> {
    const { clock, anyway } = this.#task;
    const wasUnknown = anyway !== undefined && this.#last !== undefined && !isRecognised(this.#last.screen, false);
    const limitMs = wasUnknown ? leaveAnywayMs : leaveMs;
    this.#missed = 0;
    for (;;) {
      const seen = await this.#see();
      if (seen.kind === 'over') return seen.outcome;
      if (seen.kind === 'seen' && this.#isPassing(seen.screen, wasUnknown)) this.#missed = 0;
      if (this.#missed >= minMissed) return { kind: 'accepted', reasonSent };
      const sinceMs = clock.now() - this.#lastSentAtMs;
      if (sinceMs >= (seen.kind === 'unseen' ? maxWaitMs : limitMs)) {
        return this.fail(seen.kind === 'unseen' ? seen.why : 'The prompt is still on the screen after the keys.');
      }
      await this.#pause(lookAgainMs);
    }
  }

  /** Whether a screen without the prompt still is no sign that it was answered: the reason is asked for, or it is not understood. */
  #isPassing(screen: Screen, wasUnknown: boolean): boolean {
    const asksReason = screen.kind === 'reasonBox' || screen.kind === 'draft';
    return (this.#task.answer.kind === 'reject' && asksReason) || (wasUnknown && !isRecognised(screen, false));
  }

  /** Whether it was there, nothing has been sent, and several looks in a row show something else that is known. */
  #isAnsweredElsewhere(seen: Seen): boolean {
    if (!this.#task.wasShown || this.#hasSent || seen.kind !== 'seen') return false;
    const isReason = seen.screen.kind === 'reasonBox' || seen.screen.kind === 'draft';
    const isOfOther = whosePrompt(seen.screen, seen.now.pending).kind === 'call';
    return this.#missed > minMissed && !isReason && isRecognised(seen.screen, isOfOther);
  }

  #retry(): Retry {
    if (!this.#last) return 'no';
    const { screen, now } = this.#last;
    if (this.#isShown(screen, now)) return 'again';
    const isOfOther = whosePrompt(screen, now.pending).kind !== 'none';
    return isRecognised(screen, isOfOther) || this.#task.answer.kind === 'answers' ? 'no' : 'anyway';
  }

  #isShown(screen: Screen, { call, pending }: Pending): boolean {
    const owner = whosePrompt(screen, pending);
    return owner.kind === 'ambiguous' || (owner.kind === 'call' && owner.call === call);
  }

  #pause(ms: number): Promise<void> {
    return pause(this.#task.clock, ms, this.#signal);
  }
}

function waitFor(why: string): Step {
  return { kind: 'wait', ms: lookAgainMs, why };
}

function isEscape(sending: Sending): boolean {
  return sending.kind === 'press' && sending.key === 'Escape';
}
