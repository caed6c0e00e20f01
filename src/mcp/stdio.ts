import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { McpConnection } from './server.ts';

export interface StdioSession {
  input: Readable;
  output: Writable;
  /** Ends the session from our side. */
  stop: AbortSignal;
}

/** Serves one client over a pair of streams. Resolves when the client has left or `stop` was aborted, and the session is closed. */
export async function serveStdio(connection: McpConnection, { input, output, stop }: StdioSession): Promise<void> {
  const over = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) input.once(event, () => resolve());
    // The client no longer reads; without a listener the error would end the process before its runs are stopped.
    output.on('error', () => resolve());
    stop.addEventListener('abort', () => resolve());
    if (stop.aborted) resolve();
  });
  await connection.connect(new StdioServerTransport(input, output));
  await over;
  await connection.close();
}
