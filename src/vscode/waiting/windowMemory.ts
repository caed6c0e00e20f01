import type { Answer, PendingRequest } from '../../protocol/request.ts';
import { isDelivered } from './cardModel.ts';

/** What this window knows of pending requests beside what they say themselves. Forgets with them. */
export class WindowMemory {
  readonly #given = new Map<string, Answer>();
  readonly #refusals = new Map<string, string>();
  readonly #delivered = new Map<string, number>();

  given(id: string): Answer | undefined {
    return this.#given.get(id);
  }

  refusal(id: string): string | undefined {
    return this.#refusals.get(id);
  }

  deliveredSinceMs(id: string): number {
    return this.#delivered.get(id) ?? 0;
  }

  answerTaken(id: string, answer: Answer): void {
    this.#given.set(id, answer);
    this.#refusals.delete(id);
  }

  answerRefused(id: string, why: string): void {
    this.#refusals.set(id, why);
  }

  /** Takes in what is pending at a time. */
  update(requests: readonly PendingRequest[], nowMs: number): void {
    const ids = new Set(requests.map(({ id }) => id));
    for (const kept of [this.#given, this.#refusals, this.#delivered]) {
      for (const id of kept.keys()) if (!ids.has(id)) kept.delete(id);
    }
    for (const { id, delivery } of requests) {
      if (isDelivered(delivery) && !this.#delivered.has(id)) this.#delivered.set(id, nowMs);
    }
  }
}
