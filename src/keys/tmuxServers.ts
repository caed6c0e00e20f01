import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tmux } from './tmux.ts';
import { listFormat, parsePanes, type TmuxPane } from './tmuxPane.ts';

/** Where tmux keeps the sockets of a user's servers (tmux(1), -L). */
export function socketFolder(env: NodeJS.ProcessEnv, uid: number): string {
  const base = env.TMUX_TMPDIR === undefined || env.TMUX_TMPDIR === '' ? '/tmp' : env.TMUX_TMPDIR;
  return join(base, `tmux-${uid}`);
}

/** From the value of TMUX, which is `socket,server pid,session`. */
export function socketOf(variable: string): string | undefined {
  const [, socket] = /^(\/.*),\d+,\d+$/.exec(variable) ?? [];
  return socket;
}

/** The names in a folder. Empty when there is none. */
export async function socketsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.map((name) => join(folder, name));
}

/**
 * The panes of the server behind a socket; none when there is no server, which is usual: sockets stay behind. `failed` says
 * why it could not be asked. A socket of another user is not asked: what it shows could be made up.
 */
export async function panesOf(
  tmux: Tmux,
  socket: string,
  uid: number,
  signal: AbortSignal,
): Promise<{ panes: TmuxPane[]; failed: string | undefined }> {
  const real = await realpath(socket).catch(() => socket);
  const stats = await lstat(real).catch(() => undefined);
  if (!stats?.isSocket() || stats.uid !== uid) return { panes: [], failed: undefined };
  const answer = await tmux(real, ['list-panes', '-a', '-F', listFormat], signal);
  if (answer.kind === 'said') return { panes: parsePanes(real, answer.lines), failed: undefined };
  return { panes: [], failed: answer.kind === 'failed' ? answer.why : undefined };
}
