import { connect } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { systemClock } from '../base/clock.ts';

/** What an editor window put into the environment of the process it started. */
export interface RelayTarget {
  /** Path of the window's private socket, or name of its pipe. */
  socket: string;
  /** The window's word for this session, sent as the first line. */
  token: string;
}

export interface RelayStreams {
  input: Readable;
  output: Writable;
}

/** The window has had its chance to answer what was under way when the client left. */
const partingMs = 2_000;

const windowGone =
  'Sallyport: the editor window that runs this server has closed, reloaded, or refused the connection. Start the server again from the editor (MCP: List Servers, Restart).';

/**
 * Pumps bytes between a client and the window's own server, adding nothing to either side. Resolves when it is over: with
 * undefined when the client ended the session, else with what to tell the person.
 */
export function relay(target: RelayTarget, { input, output }: RelayStreams): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(target.socket);
    let clientLeft = false;
    let failure = windowGone;
    socket.on('connect', () => {
      socket.write(`${target.token}\n`);
      input.pipe(socket);
      socket.pipe(output, { end: false });
    });
    socket.on('error', (error) => {
      failure = `${windowGone} (${error.message})`;
    });
    socket.on('close', () => resolve(clientLeft ? undefined : failure));
    const leave = () => {
      clientLeft = true;
      socket.end();
      systemClock.after(partingMs, () => socket.destroy());
    };
    input.on('end', leave);
    input.on('close', leave);
    output.on('error', leave);
  });
}
