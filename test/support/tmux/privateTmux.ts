import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The program; undefined where it is not installed. */
export const tmuxFile = ['/usr/bin/tmux', '/opt/homebrew/bin/tmux', '/usr/local/bin/tmux'].find(
  (file) => spawnSync(file, ['-V']).status === 0,
);

/** A tmux server of a test's own, which reads no configuration. */
export interface PrivateTmux {
  readonly socket: string;
  /** Runs a tmux command. Throws when it fails. */
  run(...args: string[]): string;
  /** Opens a pane that runs a program, without a shell in between. Gives its id. */
  open(argv: readonly string[], env?: Readonly<Record<string, string>>): string;
  /** Of the pane's own process. */
  pid(pane: string): number;
  tty(pane: string): string;
  /** Ends the server and all in it. Its socket must still be there. */
  end(): void;
}

/** Starts nothing until a pane is opened. `folder`: where the socket is to be, else in one of its own, which ends with it. */
export function createPrivateTmux(folder?: string, name = 'server'): PrivateTmux {
  const own = folder === undefined ? realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-tmux-'))) : undefined;
  const socket = join(folder ?? own ?? '', name);
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TMUX')));
  const run = (...args: string[]): string =>
    execFileSync(tmuxFile ?? 'tmux', ['-u', '-S', socket, '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      env,
    }).trim();
  const ask = (pane: string, format: string) => run('display-message', '-p', '-t', pane, format);
  let isStarted = false;
  return {
    socket,
    run,
    open(argv, extra = {}) {
      const variables = Object.entries(extra).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
      const how = isStarted ? ['new-window'] : ['new-session', '-x', '100', '-y', '30'];
      isStarted = true;
      // A semicolon at the end of an argument would begin another command.
      const words = argv.map((word) => word.replace(/;$/, '\\;'));
      return run(...how, '-d', '-P', '-F', '#{pane_id}', ...variables, ...words);
    },
    pid: (pane) => Number(ask(pane, '#{pane_pid}')),
    tty: (pane) => ask(pane, '#{pane_tty}'),
    end() {
      if (isStarted) spawnSync(tmuxFile ?? 'tmux', ['-S', socket, 'kill-server'], { env });
      if (own !== undefined) rmSync(own, { recursive: true, force: true });
    },
  };
}
