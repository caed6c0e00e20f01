import { decodeMessage } from './message.ts';
import type { History } from './pending.ts';

const callOrResult = Buffer.from('"tool-');
const nothing: MessageFacts = { committed: [], resolved: [] };

interface MessageFacts {
  committed: readonly string[];
  resolved: readonly string[];
}

/**
 * Remembers what the messages of a conversation say about calls. A message's blob never changes, so each is asked for once,
 * for as long as this lives.
 */
export class MessageHistory {
  /** By the blob's id as a string of one character per byte, which is made faster than hex. */
  readonly #facts = new Map<string, MessageFacts>();
  /** Blobs that were not in the store: they may have been written since. */
  readonly #absent = new Set<string>();

  /** Up to `limit` ids of blobs that were not added yet, in hex, newest first. */
  unread(messageIds: readonly Uint8Array[], limit: number): string[] {
    const ids: string[] = [];
    for (let at = messageIds.length - 1; at >= 0 && ids.length < limit; at--) {
      const id = bufferOf(messageIds[at] ?? new Uint8Array());
      const key = id.toString('latin1');
      if (!this.#facts.has(key) && !this.#absent.has(key)) ids.push(id.toString('hex'));
    }
    return ids;
  }

  /** Takes a message's blob. `tooLarge` says nothing for good, `missing` until `retryMissing`. */
  add(id: string, blob: Uint8Array | 'missing' | 'tooLarge'): void {
    const key = Buffer.from(id, 'hex').toString('latin1');
    if (blob === 'missing') this.#absent.add(key);
    else this.#facts.set(key, blob === 'tooLarge' ? nothing : factsOf(blob));
  }

  /** Has blobs asked for again that were not there. */
  retryMissing(): void {
    this.#absent.clear();
  }

  /** What these messages say, as far as they were added. */
  of(messageIds: readonly Uint8Array[]): History {
    const facts = messageIds.map((id) => this.#facts.get(bufferOf(id).toString('latin1')) ?? nothing);
    return {
      committed: new Set(facts.flatMap(({ committed }) => committed)),
      resolved: new Set(facts.flatMap(({ resolved }) => resolved)),
    };
  }
}

function factsOf(blob: Uint8Array): MessageFacts {
  const message = bufferOf(blob).includes(callOrResult) ? decodeMessage(blob) : undefined;
  if (!message) return nothing;
  const committed = message.pending ? [] : message.calls.map(({ toolCallId }) => toolCallId);
  return { committed, resolved: message.resultsOf };
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
