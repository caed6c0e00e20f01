import type { Capture } from '../process/capture.ts';

const timeoutMs = 5000;
/** A screen of 1,000 rows of 1,000 cells of four bytes. */
const maxBytes = 4 * 1024 * 1024;

/**
 * What a tmux server said. `gone`: there is no such server or pane. `failed`: it could not be asked, which may pass. `why` is
 * for people.
 */
export type TmuxAnswer =
  { kind: 'said'; lines: readonly string[] } | { kind: 'gone'; why: string } | { kind: 'failed'; why: string };

/** Asks the tmux server behind a socket. Never starts one. Rejects only when aborted. */
export type Tmux = (socket: string, args: readonly string[], signal: AbortSignal) => Promise<TmuxAnswer>;

/** @param program `file`: absolute path of tmux. `env`: this process's own, of which tmux gets the language alone. */
export function createTmux(program: { file: string; capture: Capture; env: NodeJS.ProcessEnv }): Tmux {
  const env = Object.fromEntries(Object.entries(program.env).filter(([name]) => /^(?:PATH|LANG|LC_\w+)$/.test(name)));
  return async (socket, args, signal) => {
    signal.throwIfAborted();
    const { code, stdout, stderr, timedOut, startFailed } = await program.capture({
      file: program.file,
      // Without -u it writes `_` for every character that is not ASCII when the language is not set.
      args: ['-u', '-S', socket, ...args],
      cwd: '/',
      env,
      timeoutMs,
      maxBytes,
      signal,
    });
    signal.throwIfAborted();
    if (timedOut) return { kind: 'failed', why: `tmux has not answered for ${timeoutMs / 1000} seconds.` };
    if (startFailed) return { kind: 'failed', why: stderr };
    if (code === 0) return { kind: 'said', lines: stdout.toString('utf8').replace(/\n$/, '').split('\n') };
    return failure(stderr.trim(), code);
  };
}

const noServer = /^(?:no server running on|error connecting to|lost server|server exited)/m;
const noPane = /^can't find (?:pane|window|session)/m;

/** tmux's own words (client.c, cmd-find.c); it does not translate them. */
function failure(stderr: string, code: number | null): TmuxAnswer {
  if (noPane.test(stderr)) return { kind: 'gone', why: 'The tmux pane has been closed.' };
  const isDenied = /permission denied/i.test(stderr);
  if (noServer.test(stderr) && !isDenied) return { kind: 'gone', why: 'The tmux server has ended.' };
  return { kind: 'failed', why: `tmux failed: ${stderr === '' ? `it ended with ${code ?? 'a signal'}` : stderr}` };
}
