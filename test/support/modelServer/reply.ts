import type { Conversation } from './conversation.ts';
import { renderText } from './scenario.ts';
import type { Step } from './scenario.ts';
import { chooseTool } from './tools.ts';
import type { ToolUse } from './tools.ts';

/** One model response before it is put into a dialect. Ids are unique within a conversation and the same on every run. */
export interface Reply {
  readonly id: string;
  readonly model: string;
  readonly think: string | undefined;
  readonly say: string | undefined;
  readonly tool: ToolUse | undefined;
}

/** One server-sent event. */
export interface ServerSentEvent {
  readonly event?: string;
  readonly data: unknown;
}

/** Token counts that every reply reports. */
export const replyUsage = { input: 120, cached: 20, output: 30, reasoning: 10 } as const;

/** The reply of `step` in `conversation`; a side question gets the text without the tool call. */
export function replyTo(step: Step, conversation: Conversation): Reply {
  const values = {
    userTurns: conversation.userTurns,
    prompt: conversation.prompt,
    lastToolOutput: conversation.lastToolOutput,
  };
  const id = `${conversation.userTurns}_${conversation.toolResults}`;
  const calls = step.call !== undefined && !conversation.aside;
  const say = step.say ?? (step.call !== undefined && !calls ? 'Working on it.' : undefined);
  return {
    id,
    model: conversation.model,
    think: step.think === undefined ? undefined : renderText(step.think, values),
    say: say === undefined ? undefined : renderText(say, values),
    tool: calls ? chooseTool(step.call, conversation, `call_${id}`) : undefined,
  };
}

/** When every reply was made, in seconds: fixed (2026-01-01), so that recordings do not change with the clock. */
export const replyTime = 1_767_225_600;

/** Cuts a text into about twenty pieces, as a model streams it, never inside a surrogate pair. */
export function textPieces(text: string): string[] {
  const size = Math.max(8, Math.ceil(text.length / 20));
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + size, text.length);
    const last = text.charCodeAt(end - 1);
    if (last >= 0xd800 && last <= 0xdbff && end < text.length) end += 1;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}
