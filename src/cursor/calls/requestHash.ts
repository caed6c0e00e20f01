import { createHash } from 'node:crypto';
import { isJsonObject, type Json } from '../store/json.ts';
import type { ToolCall } from '../store/message.ts';

/** SHA-256 in hex of everything that is shown of a call: two calls with the same hash ask for the same. */
export function requestHash({ toolName, args, otherFields }: ToolCall): string {
  const shown = canonical({ toolName, args, otherFields });
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex');
}

/** The same for the same values, in whatever order an object names them. */
function canonical(value: Json): Json {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null || !isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]): [string, Json] => [key, canonical(item)]);
  // `fromEntries` makes `__proto__` a key like any other.
  return Object.fromEntries(entries.sort(([one], [two]) => (one < two ? -1 : 1)));
}
