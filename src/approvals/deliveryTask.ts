import type { Clock } from '../base/clock.ts';
import type { PendingCall } from '../cursor/store/pending.ts';
import type { Sending } from '../cursor/tui/steps.ts';
import type { KeyTarget, Look, TerminalLocks } from '../keys/target.ts';
import type { Answer, Delivery } from '../protocol/request.ts';

/** What the store and the session say about the call at this moment. */
export type CallNow =
  | { state: 'pending'; call: PendingCall; pending: readonly PendingCall[] }
  /** The newest state could not be read. */
  | { state: 'unread'; why: string }
  /** The store has moved on. */
  | { state: 'over' }
  /** It is another call than was shown. */
  | { state: 'changed' }
  | { state: 'ended' };

export interface DeliveryTask {
  answer: Answer;
  /**
   * The person has seen these rows and wants the keys sent though no prompt is recognised in them: to this screen, and no other.
   * Undefined while nobody has said so.
   */
  anyway: readonly string[] | undefined;
  /** Its prompt was on the screen when the answer was given: if it is not there any more, somebody else has answered. */
  wasShown: boolean;
  /** What earlier attempts have sent, and when the last of it was, in milliseconds since the epoch. */
  earlier: readonly Sending[];
  lastSentAtMs: number;
  target: KeyTarget;
  /** A look at that terminal which begins now. */
  look: (signal: AbortSignal) => Promise<Look>;
  check: () => CallNow;
  /** Hears of each key before it is sent. */
  onSending: (sending: Sending) => void;
  locks: TerminalLocks;
  clock: Clock;
}

/** `accepted`: the prompt has left the screen; `reasonSent` is false when the agent did not ask for the reason. */
export type DeliveryOutcome =
  | { kind: 'accepted'; reasonSent: boolean }
  | { kind: 'confirmed' }
  | { kind: 'answeredElsewhere' }
  | { kind: 'sessionEnded' }
  | { kind: 'notDelivered'; why: string; screen: readonly string[]; retry: Retry };

/** Whether an answer that was not delivered may be given again. */
export type Retry = Extract<Delivery, { state: 'notDelivered' }>['retry'];
