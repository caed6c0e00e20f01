/** A part of a message that calls a tool. */
export interface CallPart {
  type: 'tool-call';
  toolCallId: string;
  toolName: string;
  [field: string]: unknown;
}

/** A call as cursor-agent writes it, by default of the shell. */
export function call(toolCallId: string, args: unknown = { command: 'make deploy' }, toolName = 'Shell'): CallPart {
  return { type: 'tool-call', toolCallId, toolName, args };
}

/** The assistant's message that makes calls; they are under way when `pendingSince` (a time in ms) is given. */
export function assistantMessage(calls: readonly unknown[], pendingSince?: unknown): object {
  const cursor =
    pendingSince === undefined ? { modelProviderMessageId: 'msg_1' } : { pendingToolCallStartedAtMs: pendingSince };
  return { id: '1', role: 'assistant', content: calls, providerOptions: { cursor } };
}

/** The message that brings a call's result. */
export function toolResult(toolCallId: string, result: unknown = 'Exit code: 0', toolName = 'Shell'): object {
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, result }], id: toolCallId };
}

/** What the person wrote. */
export function userMessage(text: string): object {
  return { role: 'user', content: [{ type: 'text', text }], providerOptions: { cursor: { requestId: 'request-1' } } };
}
