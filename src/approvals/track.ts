import type { Sending } from '../cursor/tui/steps.ts';
import type { Answer, Delivery } from '../protocol/request.ts';
import type { AskedCall } from './askedCall.ts';
import type { CallDetails } from './describe.ts';

/** Everything that is remembered of one pending call, and of its card while there is one. */
export interface Track {
  asked: AskedCall;
  details: CallDetails;
  pendingSinceMs: number;
  /** Since when no child is alive that may be this call's; undefined while one is. */
  childlessSinceMs: number | undefined;
  card: Card | undefined;
  /** Its prompt has been on the screen. */
  promptSeen: boolean;
  /** Until when it is taken to wait behind another call of its batch. */
  laterUntilMs: number;
  answering: Answering | undefined;
  /** The keys of all attempts, and when the last of them was. */
  sent: readonly Sending[];
  lastSentAtMs: number;
}

export interface Card {
  certainty: 'waiting' | 'mayBeWaiting';
  sinceMs: number;
  /** It waits behind another call of its batch. */
  isLater: boolean;
}

export interface Answering {
  answer: Answer;
  delivery: Delivery;
  /** Ends the delivery before its first key. */
  cancel: AbortController;
  hasSent: boolean;
  acceptedAtMs: number | undefined;
}

/** A call that has just been seen. `now` in milliseconds since the epoch. */
export function newTrack(asked: AskedCall, details: CallDetails, now: number): Track {
  return {
    ...{ asked, details, pendingSinceMs: now },
    childlessSinceMs: undefined,
    card: undefined,
    promptSeen: false,
    laterUntilMs: 0,
    answering: undefined,
    sent: [],
    lastSentAtMs: 0,
  };
}

/** Whether an answer is on its way or has arrived: no other one is taken. */
export function isAnswered({ answering }: Track): boolean {
  return answering !== undefined && answering.delivery.state !== 'notDelivered';
}

/** Whether the answer has left the terminal's screen without its prompt. */
export function isAccepted({ answering }: Track): boolean {
  return answering?.acceptedAtMs !== undefined;
}
