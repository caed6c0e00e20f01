import type { Message, ToolCall } from './message.ts';

/** A call that is under way: it waits for a person, or runs. The store cannot tell which. */
export interface PendingCall extends ToolCall {
  startedAtMs: number | undefined;
  /** The first call's id of the message they came in: calls of one batch share it, in order. */
  batch: string;
}

/** What the messages of the conversation say about calls. */
export interface History {
  /** Ids of calls in messages without the marker. */
  committed: ReadonlySet<string>;
  /** Ids of calls that have a result. */
  resolved: ReadonlySet<string>;
}

/**
 * The calls under way: named in a message of the head with the marker, and neither committed nor resolved. An id is there
 * once; when several messages name it the last one counts.
 */
export function pendingCalls(messages: readonly Message[], history: History): PendingCall[] {
  const committedHere = new Set(messages.filter(({ pending }) => !pending).flatMap(idsOf));
  const isOver = (id: string): boolean =>
    committedHere.has(id) || history.committed.has(id) || history.resolved.has(id);
  const calls = new Map<string, PendingCall>();
  for (const message of messages.filter(({ pending }) => pending)) {
    const batch = message.calls[0]?.toolCallId ?? '';
    for (const call of message.calls) {
      if (!isOver(call.toolCallId)) calls.set(call.toolCallId, { ...call, batch, startedAtMs: message.startedAtMs });
    }
  }
  return [...calls.values()];
}

function idsOf({ calls }: Message): string[] {
  return calls.map(({ toolCallId }) => toolCallId);
}
