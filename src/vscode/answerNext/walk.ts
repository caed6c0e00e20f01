import type { AnswerRecord, Delivery, PendingRequest } from '../../protocol/request.ts';
import { isDelivered, needsAnswer } from '../waiting/cardModel.ts';

/** An answer that was given on the walk, for as long as the walk lasts. `request` is as it was shown. */
export interface Given {
  request: PendingRequest;
}

/** How an answer fares. `ended`: the request was over before the answer could arrive. */
export type Fate =
  { kind: 'sending' } | { kind: 'arrived' } | { kind: 'failed'; why: string | undefined } | { kind: 'ended' };

/**
 * The walk through what waits: which request comes next, and what became of the answers. Pure but for what it remembers.
 */
export class Walk {
  /** Passed over, as they were then: what failed to arrive since comes again. */
  readonly #passed = new Set<string>();
  readonly #given = new Map<string, Given>();

  /** The one that has waited longest of those that can be answered from here and were not passed over. */
  next(requests: readonly PendingRequest[]): PendingRequest | undefined {
    return this.#open(requests).toSorted((one, two) => one.sinceMs - two.sinceMs)[0];
  }

  /** How many are still to come, the next one included. */
  left(requests: readonly PendingRequest[]): number {
    return this.#open(requests).length;
  }

  /** Leaves a request waiting, for the rest of the walk. */
  pass(request: PendingRequest): void {
    this.#passed.add(stampOf(request));
  }

  /** The answer to a request was taken on. */
  gave(request: PendingRequest): void {
    this.#given.set(request.id, { request });
  }

  #open(requests: readonly PendingRequest[]): PendingRequest[] {
    return requests.filter((request) => isAskable(request) && !this.#passed.has(stampOf(request)));
  }

  /** What became of each answer, in the order in which they were given. */
  fates(requests: readonly PendingRequest[], history: readonly AnswerRecord[]): { given: Given; fate: Fate }[] {
    return [...this.#given].map(([id, given]) => {
      const pending = requests.find((request) => request.id === id);
      const fate = pending ? fateOf(pending.delivery) : endedFate(history.find((record) => record.id === id));
      return { given, fate };
    });
  }
}

/** Whether this is still the request that was shown, and takes an answer. */
export function isSameQuestion(shown: PendingRequest, now: PendingRequest | undefined): boolean {
  return now?.hash === shown.hash && isAskable(now) && stampOf(now) === stampOf(shown);
}

function isAskable(request: PendingRequest): boolean {
  return needsAnswer(request) && request.answerable.state === 'yes';
}

function stampOf({ id, hash, delivery }: PendingRequest): string {
  return JSON.stringify([id, hash, delivery?.state === 'notDelivered' ? delivery.why : '']);
}

function fateOf(delivery: Delivery | undefined): Fate {
  if (delivery?.state === 'notDelivered') return { kind: 'failed', why: delivery.why };
  return { kind: isDelivered(delivery) ? 'arrived' : 'sending' };
}

/** Of a request that is not in the list any more. */
function endedFate(record: AnswerRecord | undefined): Fate {
  switch (record?.end) {
    case 'confirmed':
    case 'accepted':
      return { kind: 'arrived' };
    case 'notDelivered':
      return { kind: 'failed', why: undefined };
    case 'answeredElsewhere':
    case 'sessionEnded':
    case undefined:
      return { kind: 'ended' };
  }
}
