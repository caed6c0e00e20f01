import * as z from 'zod';
import { isJsonObject, isObject, type Json, toJson } from './json.ts';

/** Set at message level while calls of the message are under way, waiting for a person or running. */
export const pendingMarker = 'pendingToolCallStartedAtMs';

/** A call of a tool as the model made it. */
export interface ToolCall {
  /** May hold a line feed. Compared as it is, never trimmed or split. */
  toolCallId: string;
  /** Empty when the call names none. */
  toolName: string;
  /** An object mostly; a patch may be one string. Null when there are none. */
  args: Json;
  /** Everything else that the call holds. */
  otherFields: Readonly<Record<string, Json>>;
  /** Part of it was nested too deeply and is replaced: a person cannot see everything. */
  cut: boolean;
}

/** What matters of one message: its calls, the calls it brings results of, and whether it bears the marker. */
export interface Message {
  role: string;
  calls: ToolCall[];
  resultsOf: string[];
  /** Whether the calls are under way; `startedAtMs` where the marker is a time. */
  pending: boolean;
  startedAtMs: number | undefined;
}

const callSchema = z.object({
  type: z.literal('tool-call'),
  toolCallId: z.string().min(1),
  toolName: z.string().catch(''),
});
const resultSchema = z.object({ type: z.literal('tool-result'), toolCallId: z.string().min(1) });
const markerSchema = z.object({ cursor: z.object({ [pendingMarker]: z.unknown() }) });
const messageSchema = z.object({
  role: z.string(),
  content: z.union([z.array(z.unknown()), z.string().transform(() => [])]),
  providerOptions: z.unknown().optional(),
});

/** What the arguments are called, best first. */
const argsNames = ['args', 'input', 'arguments'];

/** Reads a message of the conversation from parsed JSON. Undefined for what is no message, or has a call without an id. */
export function parseMessage(value: unknown): Message | undefined {
  const message = messageSchema.safeParse(value);
  if (!message.success) return undefined;
  const { role, content, providerOptions } = message.data;
  const calls: ToolCall[] = [];
  for (const part of content.filter((each) => isObject(each) && each.type === 'tool-call')) {
    const call = parseCall(part);
    if (!call) return undefined;
    calls.push(call);
  }
  const resultsOf = content.flatMap((part) => resultSchema.safeParse(part).data?.toolCallId ?? []);
  const marker = markerSchema.safeParse(providerOptions).data?.cursor[pendingMarker];
  const startedAtMs = typeof marker === 'number' && Number.isFinite(marker) ? marker : undefined;
  return { role, calls, resultsOf, pending: marker !== undefined && marker !== null, startedAtMs };
}

/** Reads a message from the bytes of its JSON. Undefined also for bytes that are no JSON in UTF-8. */
export function decodeMessage(bytes: Uint8Array): Message | undefined {
  try {
    return parseMessage(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    return undefined;
  }
}

function parseCall(part: unknown): ToolCall | undefined {
  const call = callSchema.safeParse(part);
  if (!call.success) return undefined;
  const { value, cut } = toJson(part);
  const fields = isJsonObject(value) ? value : {};
  const argsName = argsNames.find((name) => Object.hasOwn(fields, name));
  const args = argsName === undefined ? null : (fields[argsName] ?? null);
  const named = new Set([...Object.keys(callSchema.shape), argsName]);
  const otherFields = Object.fromEntries(Object.entries(fields).filter(([name]) => !named.has(name)));
  return { toolCallId: call.data.toolCallId, toolName: call.data.toolName, args, otherFields, cut };
}
