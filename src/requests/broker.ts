import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import type { AnswerRecord, PendingRequest } from '../protocol/request.ts';
import type { AnswerReceipt, GivenAnswer } from './source.ts';

/** Everything that waits for the person, from all sources, and what became of what waited before. */
export interface RequestBroker extends Disposable {
  readonly onDidChange: Event<void>;
  /** Each request once, sessions in the order in which they began to wait, the calls of each in the order they will be asked. */
  requests(): readonly PendingRequest[];
  /** Newest first, of the last 7 days, of every window. */
  history(): readonly AnswerRecord[];
  /** First answer wins; a repeated, late or unknown one is refused and harmless. */
  answer(given: GivenAnswer): AnswerReceipt;
}
