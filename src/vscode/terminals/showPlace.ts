import * as vscode from 'vscode';
import { attachArguments } from '../../keys/attach.ts';
import type { Place } from '../../keys/target.ts';
import { createTmux, type Tmux } from '../../keys/tmux.ts';
import { capture } from '../../process/capture.ts';
import type { Found } from '../../process/findBinary.ts';
import type { ProcessStates } from '../../process/processStates.ts';
import { messageText } from '../messageText.ts';
import { said } from '../l10n.ts';

export interface PlaceDeps {
  /** Shows a terminal of ours; false when it is gone. */
  showOwned(id: string): boolean;
  findTmux: () => Promise<Found>;
  states: ProcessStates;
  env: NodeJS.ProcessEnv;
}

type TmuxPlace = Extract<Place, { kind: 'tmux' }>;

/** Brings the terminal of a session before the person, or says where it is. Types nothing into it. */
export async function showPlace(place: Place | undefined, deps: PlaceDeps): Promise<void> {
  switch (place?.kind) {
    case 'owned':
      if (!deps.showOwned(place.id)) say(vscode.l10n.t('The terminal of this session has been closed.'));
      return;
    case 'process':
      if (!(await showTerminalOf(place.pids))) say(await whereIs(place.pids, deps.states));
      return;
    case 'tmux':
      await showPane(place, deps);
      return;
    case undefined:
      say(vscode.l10n.t('It is not known where this session runs.'));
  }
}

async function showTerminalOf(pids: readonly number[]): Promise<boolean> {
  for (const terminal of vscode.window.terminals) {
    const pid = await terminal.processId;
    if (pid === undefined || !pids.includes(pid)) continue;
    terminal.show();
    return true;
  }
  return false;
}

async function whereIs(pids: readonly number[], states: ProcessStates): Promise<string> {
  const [pid] = pids;
  const state = pid === undefined ? 'ended' : await states.of(pid);
  if (pid === undefined || state === 'ended') return vscode.l10n.t('This session has ended.');
  const tty = typeof state === 'object' ? state.tty : undefined;
  return tty === undefined
    ? vscode.l10n.t('The session runs outside this window, as process {0}.', pid)
    : vscode.l10n.t('The session runs outside this window, in the terminal {0} as process {1}.', tty, pid);
}

/** In a terminal of this window that looks at the pane's session already, else in one of its own beside the code. */
async function showPane(place: TmuxPlace, { findTmux, states, env }: PlaceDeps): Promise<void> {
  const found = await findTmux();
  if (!found.ok) {
    say(
      vscode.l10n.t(
        'The session runs in the tmux pane {0}, but tmux was not found. {1}',
        place.pane,
        said(found.why, vscode.l10n),
      ),
    );
    return;
  }
  const tmux = createTmux({ file: found.file, capture, env });
  const signal = AbortSignal.timeout(10_000);
  const session = await ask(tmux, place, ['display-message', '-p', '-t', place.pane, '#{session_id}'], signal);
  if (session.kind !== 'said') {
    say(vscode.l10n.t('The tmux pane {0} cannot be shown. {1}', place.pane, said(session.why, vscode.l10n)));
    return;
  }
  for (const client of await clientsOf(tmux, place, session.lines[0] ?? '', signal)) {
    if (!(await showTerminalOf([client, ...(await states.ancestors(client))]))) continue;
    const select = ['select-window', '-t', place.pane, ';', 'select-pane', '-Z', '-t', place.pane];
    await ask(tmux, place, select, signal);
    return;
  }
  const terminal = vscode.window.createTerminal({
    name: `tmux ${place.pane}`,
    shellPath: found.file,
    shellArgs: attachArguments(place),
    // In a terminal of another tmux, tmux refuses to run.
    env: { TMUX: null, TMUX_PANE: null },
    location: vscode.TerminalLocation.Editor,
    isTransient: true,
  });
  terminal.show();
}

/** The processes that show a session. */
async function clientsOf(tmux: Tmux, place: TmuxPlace, session: string, signal: AbortSignal): Promise<number[]> {
  const answer = await ask(tmux, place, ['list-clients', '-t', session, '-F', '#{client_pid}'], signal);
  return answer.kind === 'said' ? answer.lines.map(Number).filter((pid) => pid > 0) : [];
}

function ask(tmux: Tmux, { socket }: TmuxPlace, args: readonly string[], signal: AbortSignal) {
  return tmux(socket, args, signal);
}

function say(message: string): void {
  void vscode.window.showInformationMessage(messageText(message));
}
