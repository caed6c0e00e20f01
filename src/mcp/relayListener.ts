import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Clock } from '../base/clock.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { pidExists } from '../base/pidExists.ts';
import type { RelayTarget } from './relay.ts';
import type { McpConnection } from './server.ts';

export interface RelayListenerDeps {
  /** Existing folders to put the socket's own private folder in, best first; ignored where there are named pipes. */
  folders: readonly string[];
  /** Makes the server of one client. */
  createServer: () => McpConnection;
  clock: Clock;
  log: Logger;
  platform?: NodeJS.Platform;
}

/** A window's side of the relays: where they find it, until disposed. */
export interface RelayListener extends Disposable, RelayTarget {}

/** The address of a Unix socket is cut in silence, or refused, past 104 (macOS) or 108 (Linux) bytes. */
const maxSocketPathBytes = 100;
const helloTimeoutMs = 2_000;

/**
 * Opens this window's private socket and serves each relay that knows the token. Rejects when no socket can be opened.
 * Disposing ends every session with its runs and removes the socket.
 */
export async function listenForRelays(deps: RelayListenerDeps): Promise<RelayListener> {
  const token = randomBytes(32).toString('base64url');
  const place = (deps.platform ?? process.platform) === 'win32' ? pipePlace() : socketPlace(deps.folders);
  const sockets = new Set<Socket>();
  const server = createSocketServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', (error) => deps.log.debug(`relay: ${error.message}`));
    greet(socket, token, deps);
  });
  const listener = toDisposable(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
    place.dispose();
  });
  try {
    await listening(server, place.socket);
  } catch (error) {
    listener.dispose();
    throw error;
  }
  server.on('error', (error) => deps.log.error(`relay: ${error.message}`));
  return { socket: place.socket, token, dispose: () => listener.dispose() };
}

interface Place extends Disposable {
  socket: string;
}

function pipePlace(): Place {
  return { socket: `\\\\.\\pipe\\sallyport-${randomBytes(16).toString('hex')}`, dispose: () => undefined };
}

/** A fresh folder of mode 0700 (mkdtemp's own), in the first place that is short enough and can be written to. */
function socketPlace(folders: readonly string[]): Place {
  const refused: string[] = [];
  for (const base of folders) {
    const prefix = join(base, `sallyport-${process.pid}-`);
    if (Buffer.byteLength(`${prefix}XXXXXX/mcp`) > maxSocketPathBytes) {
      refused.push(`${base}: the path is too long for a socket`);
      continue;
    }
    try {
      removeStalePlaces(base);
      const folder = mkdtempSync(prefix);
      return { socket: join(folder, 'mcp'), dispose: () => rmSync(folder, { recursive: true, force: true }) };
    } catch (error) {
      refused.push(`${base}: ${String(error)}`);
    }
  }
  throw new Error(`There is no folder for the private socket. ${refused.join('; ')}`);
}

/** A window that was killed leaves its folder behind. One that is another user's cannot be removed, and stays. */
function removeStalePlaces(base: string): void {
  for (const name of readdirSync(base)) {
    const pid = /^sallyport-(\d+)-\w{6}$/.exec(name)?.[1];
    if (pid === undefined || pidExists(Number(pid))) continue;
    try {
      rmSync(join(base, name), { recursive: true, force: true });
    } catch {
      continue;
    }
  }
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** The first line must be the token, in time; whatever came after it already belongs to the session. */
function greet(socket: Socket, token: string, deps: RelayListenerDeps): void {
  const deadline = deps.clock.after(helloTimeoutMs, () => socket.destroy());
  socket.on('close', () => deadline.dispose());
  let heard = Buffer.alloc(0);
  // Half a greeting is none; without this a half-open connection would stay.
  const onEnd = () => socket.destroy();
  const onData = (chunk: Buffer) => {
    heard = Buffer.concat([heard, chunk]);
    const end = heard.indexOf('\n');
    const line = heard.subarray(0, end < 0 ? heard.length : end);
    if (end < 0 && line.length <= Buffer.byteLength(token)) return;
    deadline.dispose();
    socket.off('data', onData);
    socket.off('end', onEnd);
    if (!isSame(line, token)) {
      deps.log.warn('relay: a connection without the right token was closed');
      socket.destroy();
      return;
    }
    socket.pause();
    if (end + 1 < heard.length) socket.unshift(heard.subarray(end + 1));
    serve(socket, deps);
  };
  socket.on('data', onData);
  socket.on('end', onEnd);
}

/** Compares digests, so that the time tells nothing of the token or its length. */
function isSame(given: Buffer, token: string): boolean {
  const digest = (value: Buffer | string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(given), digest(token));
}

/**
 * The SDK's transport does not notice that its socket is gone: it fires no `onclose`, aborts nothing, and waits for ever
 * for a `drain`. So the socket's own end and close are passed on.
 */
function serve(socket: Socket, { createServer, log }: RelayListenerDeps): void {
  const transport = new StdioServerTransport(socket, socket);
  const connection = createServer();
  const failed = (error: unknown) => log.error(`relay: ${String(error)}`);
  socket.on(
    'end',
    () =>
      void connection
        .close()
        .catch(failed)
        .finally(() => socket.end()),
  );
  socket.on('close', () => void transport.close().catch(failed));
  connection.connect(transport).then(
    () => socket.resume(),
    (error: unknown) => {
      failed(error);
      socket.destroy();
    },
  );
}
