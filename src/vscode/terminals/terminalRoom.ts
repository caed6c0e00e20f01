import { homedir } from 'node:os';
import { basename } from 'node:path';
import type * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import type { Readiness } from '../../delegation/roster.ts';
import type { Place } from '../../keys/target.ts';
import type { Found } from '../../process/findBinary.ts';
import { createOpenFiles } from '../../process/openFiles.ts';
import { createProcessStates } from '../../process/processStates.ts';
import { type AgentTerminals, createAgentTerminals } from './agentTerminals.ts';
import { ChatDocuments } from './chatDocuments.ts';
import { inspectChats, openInspection } from './inspectChats.ts';
import { showPlace } from './showPlace.ts';
import { terminalEnvironment } from './terminalEnvironment.ts';
import { registerTrustNotice } from './trustNotice.ts';

export interface TerminalRoomDeps {
  log: Logger;
  /** The workspace's. */
  state: vscode.Memento;
  /** cursor-agent, or why it cannot be used and what to do. */
  program: () => Promise<Readiness>;
  findTmux: () => Promise<Found>;
  /** The person's own PATH, whatever the editor was started from. */
  personPath: () => Promise<string>;
  environment: NodeJS.ProcessEnv;
  /** What the person wants every agent to have in its environment, as it is now. */
  extra: () => Readonly<Record<string, string>>;
  /** Takes secrets out of a text; rejects when it could not. */
  redact: (text: string) => Promise<string>;
}

/** Everything about terminals in a window. */
export interface TerminalRoom {
  readonly agents: AgentTerminals;
  /** Brings a session's terminal before the person, or says where it is. */
  show(place: Place | undefined): Promise<void>;
  /** Lets the person look at a chat as Sallyport sees it. */
  inspectChats(): Promise<void>;
  /** As `inspectChats`, of the chat in this folder (absolute). */
  inspectChat(folder: string): Promise<void>;
  /** Ends the agents in terminals of ours. Resolves when nothing is left. */
  close(): Promise<void>;
}

/** Opens it. Starts no agent, and no other program while no tmux server has left a socket. */
export function openTerminalRoom(deps: TerminalRoomDeps): TerminalRoom {
  const { log, state, program, findTmux, personPath, environment, extra, redact } = deps;
  const states = createProcessStates();
  const openFiles = createOpenFiles();
  const agents = createAgentTerminals({
    log,
    state,
    program,
    environment: async () => terminalEnvironment(environment, { path: await personPath(), set: extra() }),
  });
  const documents = new ChatDocuments();
  const notice = registerTrustNotice({
    terminals: agents,
    log,
    findTmux,
    states,
    openFiles,
    env: environment,
    uid: process.getuid?.(),
  });
  return {
    agents,
    show: (place) => showPlace(place, { showOwned: (id) => agents.show(id), findTmux, states, env: environment }),
    inspectChats: () =>
      inspectChats({ whereabouts: { env: environment, home: homedir() }, openFiles, documents, redact }),
    inspectChat: (folder) => openInspection(folder, basename(folder), { openFiles, documents, redact }),
    async close() {
      notice.dispose();
      documents.dispose();
      await agents.close();
    },
  };
}
