import type { Look } from './target.ts';

/** A pane of a tmux server, with what tells it from a later one of the same name. */
export interface TmuxPane {
  /** Real path of the server's socket. */
  socket: string;
  serverPid: number;
  /** `%3` */
  id: string;
  /** The process that was started in it: often a shell. */
  pid: number;
  /** Absolute path of its terminal. */
  tty: string;
}

/**
 * tmux format whose value is `openPane` of the pane while it is the same pane and passes keys on to it, and to it alone. With
 * synchronize-panes a key goes to every pane of the window.
 */
export const paneFormat =
  '#{pid} #{pane_pid} #{?pane_dead,1,0}#{?pane_in_mode,1,0}#{?pane_input_off,1,0}#{?pane_synchronized,1,0}';

/** What `paneFormat` is for a pane that takes keys. */
export function openPane({ serverPid, pid }: TmuxPane): string {
  return `${serverPid} ${pid} 0000`;
}

/** The argument of `list-panes -a -F`. */
export const listFormat = '#{pane_id} #{pid} #{pane_pid} #{pane_tty}';

/** Reads lines of `listFormat`. A pane that is in several sessions comes once. */
export function parsePanes(socket: string, lines: readonly string[]): TmuxPane[] {
  const panes = new Map<string, TmuxPane>();
  for (const line of lines) {
    const [, id, serverPid, pid, tty] = /^(%\d+) (\d+) (\d+) (\/\S+)$/.exec(line) ?? [];
    if (id === undefined || tty === undefined) continue;
    panes.set(id, { socket, serverPid: Number(serverPid), id, pid: Number(pid), tty });
  }
  return [...panes.values()];
}

const holds = [
  'The pane is in copy mode or shows a menu of tmux, so no key would reach the agent. Press q in the pane.',
  'Input to the pane is switched off. Switch it on with: tmux select-pane -e',
  'What is typed in this pane goes to all panes of its window. Switch that off with: tmux setw synchronize-panes off',
];

/** What a line of `paneFormat` says of a pane, with the rows of its screen. */
export function readPane(pane: TmuxPane, line: string, rows: readonly string[]): Look {
  const [, serverPid, pid, dead, ...held] = /^(\d+) (\d*) ([01])([01])([01])([01])$/.exec(line) ?? [];
  if (serverPid === undefined)
    return { state: 'unreadable', why: 'This version of tmux answers in a way that is not known.' };
  if (Number(serverPid) !== pane.serverPid || Number(pid) !== pane.pid) {
    return { state: 'gone', why: 'The tmux pane is another one now.' };
  }
  if (dead === '1') return { state: 'gone', why: 'What ran in the tmux pane has ended.' };
  const why = holds[held.indexOf('1')];
  return why === undefined ? { state: 'ready', rows } : { state: 'held', rows, why };
}
