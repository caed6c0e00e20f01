import type { IPty, spawn } from 'node-pty';
import type { Event } from '../base/event.ts';

/** What runs in a terminal, and how large it is at first. `file` and `cwd` are absolute, `env` is complete. */
export interface PtyProgram {
  file: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  size: TerminalSize;
}

/** In character cells. */
export interface TerminalSize {
  columns: number;
  rows: number;
}

/** How the program of a terminal ended. `signal` is a number, 0 or undefined when it ended by itself. */
export interface PtyEnd {
  exitCode: number;
  signal?: number;
}

/** A pseudoterminal with a program in it, which leads a process group and a session of its own (not on Windows). */
export interface Pty {
  /** On Windows 0 for the first moment: another thread starts the program there. */
  readonly pid: number;
  readonly onData: Event<string>;
  /** Fires once, after the last data. */
  readonly onExit: Event<PtyEnd>;
  write(data: string): void;
  resize(size: TerminalSize): void;
  /** Between these, output is left in the kernel, and the program waits once that is full. */
  pause(): void;
  resume(): void;
  /** On Windows, where signals do not: ends what runs in it, as soon as it runs. `onExit` follows a second later. */
  readonly close: (() => void) | undefined;
}

/** Terminals of our own cannot be had on this machine. The message says why. */
export class PtyUnavailable extends Error {
  /** This installation came without the library. Otherwise it is there and does not work. */
  readonly isMissing: boolean;

  constructor(cause: unknown) {
    super(cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause), { cause });
    this.name = 'PtyUnavailable';
    // What the library itself loads is missed in words of its own, without a code.
    this.isMissing = cause instanceof Error && 'code' in cause && cause.code === 'MODULE_NOT_FOUND';
  }
}

interface PtyLibrary {
  spawn: typeof spawn;
}

export interface PtyPlatform {
  /** Its native part is missing on some platforms, which must cost this feature alone. */
  load: () => Promise<PtyLibrary>;
  name: NodeJS.Platform;
}

const thisPlatform: PtyPlatform = { load: () => import('node-pty'), name: process.platform };

/**
 * Starts a program in a new pseudoterminal. Rejects with PtyUnavailable when there can be none; a program that cannot be run
 * ends at once instead, with words in its output. Nothing of the output is lost for who listens as soon as this resolves.
 */
export async function startPty(
  { file, args, cwd, env, size }: PtyProgram,
  platform: PtyPlatform = thisPlatform,
): Promise<Pty> {
  const library = await platform.load().catch((error: unknown) => {
    throw new PtyUnavailable(error);
  });
  let pty: IPty;
  try {
    const place = { cwd, env, cols: size.columns, rows: size.rows };
    pty = library.spawn(file, [...args], { name: 'xterm-256color', ...place });
  } catch (error) {
    throw new PtyUnavailable(error);
  }
  const close = platform.name === 'win32' ? closeOnce(pty) : undefined;
  // The thread that reads a console does not end with it (node-pty, windowsPtyAgent.js).
  if (close) pty.onExit(close);
  return {
    get pid() {
      return pty.pid;
    },
    onData: (listener) => pty.onData(listener),
    onExit: (listener) => pty.onExit(listener),
    write: (data) => pty.write(data),
    resize: ({ columns, rows }) => pty.resize(columns, rows),
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    close,
  };
}

function closeOnce(pty: IPty): () => void {
  let isClosed = false;
  return () => {
    if (isClosed) return;
    isClosed = true;
    pty.kill();
  };
}
