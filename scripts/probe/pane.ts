import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Key } from '../../src/protocol/key.ts';
import { sendArguments } from '../../src/keys/tmuxTarget.ts';
import { createProcessStates } from '../../src/process/processStates.ts';

const execute = promisify(execFile);
const size = { columns: 100, rows: 40 };
const lookMs = 100;
/** How long the program may take to end. */
const endMs = 3000;

/** A program in a tmux server of its own, which nothing else runs in. Dispose it: both are gone then. */
export interface ProbePane {
  /** For the person: shows it in another terminal, and lets them type there. */
  readonly attachCommand: string;
  /** The rows of its screen. Rejects when the program has ended. */
  rows(): Promise<string[]>;
  /** Its screen once it has stood still for `stillMs`, or as it is after `timeoutMs`. */
  stillRows(wait: { stillMs: number; timeoutMs: number }, signal: AbortSignal): Promise<string[]>;
  /** Types a text as it is, without Enter. */
  type(text: string): Promise<void>;
  press(key: Extract<Key, 'Enter' | 'Escape'>): Promise<void>;
  dispose(): Promise<void>;
}

/** Starts it. `tmux`: absolute path. `folder` gets the server's socket. */
export async function openPane(
  tmux: string,
  options: { folder: string; cwd: string; env: NodeJS.ProcessEnv; command: readonly string[] },
): Promise<ProbePane> {
  const { folder, cwd, command } = options;
  const socket = join(folder, 'tmux');
  const ended = 'cursor-agent has ended.';
  // tmux refuses to run within the one that the person works in.
  const { TMUX: _tmux, TMUX_PANE: _pane, ...env } = options.env;
  const ask = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await execute(tmux, ['-u', '-f', '/dev/null', '-S', socket, ...args], { env });
    return stdout;
  };
  const shape = ['-x', String(size.columns), '-y', String(size.rows), '-c', cwd];
  const pid = Number(await ask('new-session', '-d', '-P', '-F', '#{pane_pid}', '-s', 'probe', ...shape, ...command));
  // As large as it was begun, whatever terminal the person looks at it from.
  await ask('set-option', '-w', '-t', 'probe', 'window-size', 'manual').catch(() => '');
  await ask('set-option', '-g', 'status', 'off').catch(() => '');

  const rows = async (): Promise<string[]> => {
    const screen = await ask('capture-pane', '-p', '-t', 'probe').catch(() => undefined);
    if (screen === undefined) throw new Error(ended);
    return screen.replace(/\n$/, '').split('\n');
  };
  const send = async (input: { key: Key } | { text: string }): Promise<void> => {
    for (const args of sendArguments(input)) await ask('send-keys', '-t', 'probe', ...args.split(' '));
  };
  return {
    attachCommand: `env -u TMUX tmux -S ${socket} attach -t probe`,
    rows,
    async stillRows({ stillMs, timeoutMs }, signal) {
      const started = performance.now();
      let last = await rows();
      let since = started;
      while (performance.now() - since < stillMs && performance.now() - started < timeoutMs) {
        await delay(lookMs, undefined, { signal });
        const now = await rows();
        if (now.join('\n') !== last.join('\n')) since = performance.now();
        last = now;
      }
      return last;
    },
    type: (text) => send({ text }),
    press: (key) => send({ key }),
    async dispose() {
      await ask('kill-server').catch(() => undefined);
      // It still writes its chat.
      const started = performance.now();
      const states = createProcessStates();
      while ((await states.of(pid)) !== 'ended' && performance.now() - started < endMs) await delay(lookMs);
    },
  };
}
