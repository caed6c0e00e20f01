import type { Capture } from '../process/capture.ts';
import type { Found } from '../process/findBinary.ts';
import type { ProcessState, ProcessStates } from '../process/processStates.ts';
import type { OwnedTerminals } from './owned.ts';
import type { Located, Locator } from './target.ts';
import { createTmux, type Tmux } from './tmux.ts';
import type { TmuxPane } from './tmuxPane.ts';
import { panesOf, socketFolder, socketOf, socketsIn } from './tmuxServers.ts';
import { createTmuxTarget } from './tmuxTarget.ts';

/** What the locator needs to know of the machine. */
export interface LocatorSystem {
  owned: OwnedTerminals;
  findTmux(): Promise<Found>;
  capture: Capture;
  states: ProcessStates;
  env: NodeJS.ProcessEnv;
  /** Undefined on Windows. */
  uid: number | undefined;
}

/** A process whose terminal is sought, as it is now. */
interface Sought {
  pid: number;
  tty: string;
  state: ProcessState;
}

const whatWorks =
  'Answer there. Sallyport can type into tmux and into terminals opened by "Sallyport: Start Cursor Agent".';

/**
 * Finds terminals by the tty: an agent in a tmux that runs in another terminal has the pane's tty, whatever is around it.
 * What is found is asked anew each time.
 */
export function createLocator(system: LocatorSystem): Locator {
  const { states } = system;
  return {
    async locate({ pid, tty }, signal) {
      const owned = await inOwned(system, pid, tty);
      signal.throwIfAborted();
      if (owned) return owned;
      const found = await inTmux(system, pid, tty, signal);
      if (typeof found !== 'string') return found;
      const pids = [pid, ...(await states.ancestors(pid))];
      signal.throwIfAborted();
      return { kind: 'unreachable', why: found, place: { kind: 'process', pids } };
    },
  };
}

async function inOwned(system: LocatorSystem, pid: number, tty: string | undefined): Promise<Located | undefined> {
  for (const terminal of system.owned()) {
    if (terminal.pid !== pid) {
      const state = tty === undefined ? undefined : await system.states.of(terminal.pid);
      if (typeof state !== 'object' || state.tty !== tty) continue;
    }
    return { kind: 'target', target: terminal.target, place: { kind: 'owned', id: terminal.id } };
  }
  return undefined;
}

/** Or why not, for people. */
async function inTmux(
  system: LocatorSystem,
  pid: number,
  tty: string | undefined,
  signal: AbortSignal,
): Promise<Located | string> {
  const { states, uid } = system;
  if (uid === undefined) return 'On Windows Sallyport can type into no terminal. Answer in the session’s own.';
  if (tty === undefined) return 'The session runs without a terminal, so nobody can be asked there.';
  const state = await states.of(pid);
  if (state === 'ended') return 'The session has ended.';
  if (state === 'unknown') return "The session's process cannot be looked at.";
  const variable = await states.variable(pid, 'TMUX');
  const found = await system.findTmux();
  if (!found.ok) {
    return variable === undefined
      ? elsewhere(tty)
      : `The session was started in tmux, which cannot be asked. ${found.why}`;
  }
  const tmux = createTmux({ file: found.file, capture: system.capture, env: system.env });
  const own = variable === undefined ? undefined : socketOf(variable);
  const sockets = { own, folder: socketFolder(system.env, uid) };
  const { panes, failed } = await searchServers(tmux, sockets, uid, { pid, tty, state }, signal);
  const [pane, ...others] = panes;
  if (pane === undefined) return failed === undefined ? elsewhere(tty) : `A tmux server could not be asked. ${failed}`;
  if (others.length > 0) return `Several panes of tmux claim the terminal ${tty} of the session. ${whatWorks}`;
  const target = createTmuxTarget({ tmux, states, pane, agent: { pid, startedAt: state.startedAt } });
  return { kind: 'target', target, place: { kind: 'tmux', socket: pane.socket, pane: pane.id } };
}

/** The server that the process names itself, and only when it is not there, all of this user's. */
async function searchServers(
  tmux: Tmux,
  sockets: { own: string | undefined; folder: string },
  uid: number,
  sought: Sought,
  signal: AbortSignal,
): Promise<{ panes: TmuxPane[]; failed: string | undefined }> {
  const own = sockets.own === undefined ? undefined : await panesOf(tmux, sockets.own, uid, signal);
  const ofOwn = own?.panes.filter((pane) => isIn(pane, sought)) ?? [];
  if (ofOwn.length > 0) return { panes: ofOwn, failed: undefined };
  const all = await socketsIn(sockets.folder);
  const answers = await Promise.all(all.map((socket) => panesOf(tmux, socket, uid, signal)));
  const panes = new Map<string, TmuxPane>();
  for (const pane of answers.flatMap((answer) => answer.panes)) {
    if (isIn(pane, sought)) panes.set(`${pane.serverPid} ${pane.id}`, pane);
  }
  return { panes: [...panes.values()], failed: [own, ...answers].find((answer) => answer?.failed)?.failed };
}

/** A tmux in a container that shares its socket with us has terminals of the same names; their processes are others. */
function isIn(pane: TmuxPane, { tty, state }: Sought): boolean {
  return pane.tty === tty && (state.session === undefined || state.session === pane.pid);
}

function elsewhere(tty: string): string {
  return `The session runs in a terminal (${tty}) that Sallyport cannot type into. ${whatWorks}`;
}
