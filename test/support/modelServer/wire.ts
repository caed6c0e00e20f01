import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerSentEvent } from './reply.ts';

/** Reads a JSON body; an empty one is `{}`, one that is not JSON throws. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? {} : JSON.parse(text);
}

/** Answers with one JSON document. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/**
 * Writes events and waits until they have been handed to the system or the client has gone, so that a connection cut right
 * afterwards still delivers them. Text data goes out as it is.
 */
export async function writeEvents(response: ServerResponse, events: readonly ServerSentEvent[]): Promise<void> {
  const text = events.map(({ event, data }) => {
    const name = event === undefined ? '' : `event: ${event}\n`;
    return `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
  });
  if (response.destroyed) return;
  await new Promise<void>((resolve) => response.write(text.join(''), () => resolve()));
}

/** Resolves when the client closes the connection; until then nothing more is sent. */
export async function holdOpen(response: ServerResponse): Promise<void> {
  if (!response.destroyed) await once(response, 'close');
}
