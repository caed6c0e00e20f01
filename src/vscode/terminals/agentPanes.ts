import { basename, sep } from 'node:path';
import { createTmux } from '../../keys/tmux.ts';
import type { TmuxPane } from '../../keys/tmuxPane.ts';
import { panesOf, socketFolder, socketsIn } from '../../keys/tmuxServers.ts';
import { createTmuxTarget } from '../../keys/tmuxTarget.ts';
import { capture } from '../../process/capture.ts';
import type { Found } from '../../process/findBinary.ts';
import type { OpenFiles } from '../../process/openFiles.ts';
import type { ProcessStates } from '../../process/processStates.ts';
import type { TrustCandidate } from './trustWatch.ts';

export interface AgentPanesDeps {
  findTmux: () => Promise<Found>;
  states: ProcessStates;
  openFiles: Pick<OpenFiles, 'details'>;
  env: NodeJS.ProcessEnv;
  /** Undefined on Windows. */
  uid: number | undefined;
}

/**
 * Gives a function that finds the tmux panes with a Cursor agent in their foreground. While no server of this user has left
 * a socket, it reads one folder; else it asks each server for its panes. Rejects when aborted.
 */
export function createAgentPanes(deps: AgentPanesDeps): (signal: AbortSignal) => Promise<TrustCandidate[]> {
  const { states, openFiles, env, uid } = deps;
  /** What is known of the programs in the foreground: reading their arguments takes longest. */
  let agents = new Map<string, boolean>();

  async function agentIn(pane: TmuxPane, seen: Map<string, boolean>) {
    const shell = await states.of(pane.pid);
    const pid = typeof shell === 'object' ? shell.foreground : undefined;
    const state = pid === undefined ? undefined : await states.of(pid);
    if (pid === undefined || typeof state !== 'object') return undefined;
    const key = `${pid} ${state.startedAt}`;
    const isAgent = agents.get(key) ?? isCursorAgent((await openFiles.details(pid))?.argv ?? []);
    seen.set(key, isAgent);
    return isAgent ? { pid, startedAt: state.startedAt } : undefined;
  }

  return async (signal) => {
    if (uid === undefined) return [];
    const sockets = await socketsIn(socketFolder(env, uid));
    const found = sockets.length === 0 ? undefined : await deps.findTmux();
    if (!found?.ok) return [];
    const tmux = createTmux({ file: found.file, capture, env });
    const answers = await Promise.all(sockets.map((socket) => panesOf(tmux, socket, uid, signal)));
    const seen = new Map<string, boolean>();
    const candidates: TrustCandidate[] = [];
    for (const pane of answers.flatMap(({ panes }) => panes)) {
      const agent = await agentIn(pane, seen);
      if (!agent) continue;
      const target = createTmuxTarget({ tmux, states, pane, agent });
      candidates.push({ target, place: { kind: 'tmux', socket: pane.socket, pane: pane.id }, folder: undefined });
    }
    agents = seen;
    return candidates;
  };
}

/** By the program's own name, or the folder it lies in: it may be run as `node <folder>/index.js`. */
export function isCursorAgent(argv: readonly string[]): boolean {
  const [program = '', ...rest] = argv;
  if (basename(program) === 'agent') return true;
  return [program, ...rest.slice(0, 2)].some((word) => word.split(sep).includes('cursor-agent'));
}
