import { randomUUID } from 'node:crypto';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Capture } from './capture.ts';
import type { Person } from './wellKnownFolders.ts';

const limitMs = 5000;
const maxBytes = 1024 * 1024;

/**
 * Whether PATH looks like what a desktop hands to a program started from its dock: it names nothing of the person's own
 * but, at most, the two folders that Linux distributions add to every session. A terminal's PATH names more (a version
 * manager, a package manager's prefix), and then the login shell has nothing to add.
 */
export function looksDockStarted({ env, home, platform }: Person): boolean {
  if (platform === 'win32') return false;
  const everySession = [join(home, '.local/bin'), join(home, 'bin')];
  const personal = (entry: string) =>
    (entry.startsWith(`${home}/`) && !everySession.includes(entry)) ||
    /^\/(opt\/homebrew|home\/linuxbrew)\//.test(entry);
  return !(env.PATH ?? '').split(delimiter).some(personal);
}

/**
 * The PATH that the person's login shell sets up, or '' when it cannot be learned in 5 s. The one shell that is ever
 * started here: interactive too, since version managers hook into the interactive start-up files; from the home folder,
 * since hooks such as direnv act on the folder; without input or a terminal, so that nothing in it can wait for a person.
 */
export async function loginShellPath({ env, home }: Person, capture: Capture): Promise<string> {
  const shell = env.SHELL;
  if (shell === undefined || !isAbsolute(shell)) return '';
  // Start-up files may print anything, the command too; the answer is the line between two that they cannot know.
  const fence = randomUUID();
  const { stdout } = await capture({
    file: shell,
    args: ['-i', '-l', '-c', `echo ${fence}; printenv PATH; echo ${fence}`],
    cwd: home,
    // Widely honoured requests not to draw, update or start a multiplexer.
    env: { ...env, TERM: 'dumb', DISABLE_AUTO_UPDATE: 'true', ZSH_TMUX_AUTOSTART: 'false' },
    timeoutMs: limitMs,
    maxBytes,
  });
  const lines = stdout.toString('utf8').split(/\r?\n/);
  return lines.find((_, at) => lines[at - 1] === fence && lines[at + 1] === fence) ?? '';
}
