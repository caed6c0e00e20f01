import { isObject } from './json.ts';
import { findJsonObjects } from './jsonObjects.ts';
import { type Message, parseMessage, pendingMarker } from './message.ts';

const marker = Buffer.from(pendingMarker);
/** How much is looked at around the first marker of a larger blob. */
const maxBytes = 1024 * 1024;
/** How far wrappers around a message are looked into. */
const maxWrappers = 8;

/**
 * Finds pending messages in a blob of unknown layout, by the JSON objects that lie in it whole. A message counts that is the
 * assistant's, bears the marker and calls a tool. What is quoted inside a message is not looked at, so that the marker in
 * somebody's text is no pending call. The cost is linear in the bytes.
 */
export function scanForPending(bytes: Uint8Array): Message[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = buffer.indexOf(marker);
  if (first === -1) return [];
  const from = buffer.length <= maxBytes ? 0 : Math.max(0, first - maxBytes / 2);
  const part = buffer.subarray(from, from + maxBytes);
  return findJsonObjects(part)
    .map((object) => part.subarray(object.from, object.to))
    .filter((object) => object.includes(marker))
    .flatMap((object) => pendingWithin(parse(object), 0));
}

/** Invalid UTF-8 is shown as U+FFFD: a call that can be seen in part is better than none. */
function parse(object: Buffer): unknown {
  try {
    return JSON.parse(object.toString('utf8'));
  } catch {
    return undefined;
  }
}

function pendingWithin(value: unknown, wrappers: number): Message[] {
  if (wrappers > maxWrappers) return [];
  if (Array.isArray(value)) return value.flatMap((item) => pendingWithin(item, wrappers + 1));
  if (!isObject(value)) return [];
  if (typeof value.role === 'string') {
    const message = parseMessage(value);
    return message?.pending && message.role === 'assistant' && message.calls.length > 0 ? [message] : [];
  }
  return Object.values(value).flatMap((item) => pendingWithin(item, wrappers + 1));
}
