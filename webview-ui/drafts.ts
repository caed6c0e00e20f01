import * as z from 'zod/mini';
import type { Memory } from './host.ts';
import type { Draft } from './questionForm.ts';

const draftsSchema = z.record(
  z.string(),
  z.object({
    reason: z.exactOptional(z.string()),
    answers: z.exactOptional(z.array(z.object({ options: z.array(z.number()), other: z.string() }))),
  }),
);

/** How many cards' drafts are kept: those of cards that are gone fall out in time. */
const maxDrafts = 50;

/** What was typed and not sent: the editor throws a hidden view away and makes it anew. */
export class Drafts {
  readonly #memory: Memory;
  readonly #drafts: Map<string, Draft>;

  constructor(memory: Memory) {
    this.#memory = memory;
    const kept = draftsSchema.safeParse(memory.read());
    this.#drafts = new Map(kept.success ? Object.entries(kept.data) : []);
  }

  read(key: string): Draft | undefined {
    return this.#drafts.get(key);
  }

  write(key: string, draft: Draft): void {
    this.#drafts.delete(key);
    if (Object.keys(draft).length > 0) this.#drafts.set(key, draft);
    for (const oldest of [...this.#drafts.keys()].slice(0, -maxDrafts)) this.#drafts.delete(oldest);
    this.#memory.write(Object.fromEntries(this.#drafts));
  }
}
