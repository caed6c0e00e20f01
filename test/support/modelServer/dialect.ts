import type { Conversation } from './conversation.ts';
import type { Reply, ServerSentEvent } from './reply.ts';

/** One API: how its requests are read and how a reply is written in it. All of it pure. */
export interface DialectCodec {
  readonly family: 'openai' | 'anthropic';
  /** Reads a request body; throws a ZodError when it is not one of this API. */
  read(body: unknown): Conversation;
  /** The reply as server-sent events, in groups: between two groups the server may pause or break off. */
  events(reply: Reply): ServerSentEvent[][];
  /** The reply as one JSON document. */
  document(reply: Reply): unknown;
}
