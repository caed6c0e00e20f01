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

/** A pseudoterminal with a program in it, which leads a process group and a session of its own. */
export interface Pty {
  readonly pid: number;
  readonly onData: Event<string>;
  /** Fires once, after the last data. */
  readonly onExit: Event<PtyEnd>;
  write(data: string): void;
  resize(size: TerminalSize): void;
  /** Between these, output is left in the kernel, and the program waits once that is full. */
  pause(): void;
  resume(): void;
}

/** Terminals of our own cannot be had on this machine. The message says what does not work, and what does. */
class PtyUnavailable extends Error {
  constructor(cause: unknown) {
    const why = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
    super(
      `Sallyport cannot open terminals of its own on this machine (${process.platform}-${process.arch}): ${why}. Run cursor-agent in tmux instead: its requests are seen and can be answered there.`,
      { cause },
    );
    this.name = 'PtyUnavailable';
  }
}

/**
 * Starts a program in a new pseudoterminal. Rejects with PtyUnavailable when there can be none; a program that cannot be run
 * ends at once instead, with words in its output. Nothing of the output is lost for who listens as soon as this resolves.
 */
export async function startPty(
  { file, args, cwd, env, size }: PtyProgram,
  // Its native part is missing on some platforms, which must cost this feature alone.
  load: () => Promise<{ spawn: typeof spawn }> = () => import('node-pty'),
): Promise<Pty> {
  const library = await load().catch((error: unknown) => {
    throw new PtyUnavailable(error);
  });
  let pty: IPty;
  try {
    const place = { cwd, env, cols: size.columns, rows: size.rows };
    pty = library.spawn(file, [...args], { name: 'xterm-256color', ...place });
  } catch (error) {
    throw new PtyUnavailable(error);
  }
  return {
    pid: pty.pid,
    onData: (listener) => pty.onData(listener),
    onExit: (listener) => pty.onExit(listener),
    write: (data) => pty.write(data),
    resize: ({ columns, rows }) => pty.resize(columns, rows),
    pause: () => pty.pause(),
    resume: () => pty.resume(),
  };
}
