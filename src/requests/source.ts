import type { Event } from '../base/event.ts';
import type { Answer, PendingRequest, AnswerRecord } from '../protocol/request.ts';

/** Why an answer was not taken on. Nothing was typed. */
export type AnswerRefusal = 'unknownRequest' | 'changed' | 'alreadyAnswered' | 'notAnswerable';

/** How an answer was received. What becomes of it shows on the request itself. */
export type AnswerReceipt = { taken: true } | { taken: false; reason: AnswerRefusal; why: string };

/** A request as it was when it was answered. */
export interface GivenAnswer {
  id: string;
  hash: string;
  answer: Answer;
  /** The person has looked at the screen and wants the keys sent though the prompt is not recognised. */
  anyway: boolean;
}

/** Where requests come from and answers go to. */
export interface RequestSource {
  /** Something about `requests` is different. */
  readonly onDidChange: Event<void>;
  /** A request is over: it was answered here or elsewhere, or its session ended. */
  readonly onDidEnd: Event<AnswerRecord>;
  /** What waits now, sessions in a steady order, the calls of each in the order they will be asked. */
  requests(): readonly PendingRequest[];
  /** Takes an answer on for delivery. First answer wins. Never throws; resolves once it is decided whether it is taken, not when it is delivered. */
  answer(given: GivenAnswer): AnswerReceipt;
}
