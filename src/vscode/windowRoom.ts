import { realpath } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { openStateFolders, type StateFolders } from '../base/stateFolders.ts';
import type { Config } from '../config.ts';
import { type Assembly, assembleDelegation } from '../delegation/assembly.ts';
import { cursor } from '../engines/cursor.ts';
import { readBefore } from '../git/readBefore.ts';
import type { RunRecord } from '../journal/entry.ts';
import type { Found } from '../process/findBinary.ts';
import { depthVariable } from '../process/marker.ts';
import type { WorkspaceConsent } from './consent.ts';
import { messageText } from './messageText.ts';
import type { ReadBefore } from './services.ts';
import { Settings } from './settings.ts';
import { openTerminalRoom, type TerminalRoom } from './terminals/terminalRoom.ts';
import { foldersOnDisk, isInWorkspace } from './workspaceFolders.ts';

export interface WindowRoomDeps {
  log: Logger;
  consent: WorkspaceConsent;
  workspaceState: vscode.Memento;
  /** Absolute path of the folder of the bundles. */
  dist: string;
}

/** Everything behind the commands, the Runs view and the tools of a window. */
export interface WindowRoom extends Pick<Assembly, 'delegation' | 'engines' | 'journal'> {
  readonly terminals: TerminalRoom;
  readonly state: StateFolders;
  /** The settings as they are now. */
  readonly config: Config;
  /** Where the terminal multiplexer is, or why it cannot be used. */
  findTmux(): Promise<Found>;
  /** Takes secrets out of a text; rejects when it could not. */
  redact(text: string): Promise<string>;
  /** Runs in this workspace's folders, whichever process ran them, newest first. */
  history(): Promise<RunRecord[]>;
  before(handle: string): Promise<ReadBefore | undefined>;
  /** Whether any agent's program is there. Asks them who they are, one after the other until one is. */
  hasAgents(): Promise<boolean>;
  /** Ends all runs, then everything else. Resolves when nothing is left. */
  close(): Promise<void>;
}

/** Opens it with the editor's settings. Starts no agent; in Restricted Mode nothing at all is looked for in terminals. */
export async function openWindowRoom({ log, consent, workspaceState, dist }: WindowRoomDeps): Promise<WindowRoom> {
  const settings = new Settings(log);
  const ownStateDir = process.env.SALLYPORT_STATE_DIR;
  const { folders: state, problem } = openStateFolders(ownStateDir === '' ? undefined : ownStateDir);
  if (problem !== undefined) warnOf(problem, log);
  const workspaceFolders = () => foldersOnDisk().map(({ uri }) => uri.fsPath);
  const assembly = await assembleDelegation({
    kind: 'window',
    clock: systemClock,
    log,
    state,
    settings: () => settings.config,
    consent,
    workspaceFolders,
    environment: process.env,
    guard: {
      file: process.execPath,
      args: [join(dist, 'guard.cjs')],
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    },
    redactWorker: join(dist, 'redactWorker.cjs'),
    depth: Number(process.env[depthVariable] ?? 0) || 0,
  });
  const { delegation, engines, journal, roster, finder, redactor } = assembly;
  const findTmux = () => finder.find({ names: ['tmux'], nativeCandidates: () => [] });
  const redact = async (text: string) => (await redactor.redact(text)).text;
  const terminals = openTerminalRoom({
    log,
    state: workspaceState,
    program: () => roster.ready(cursor),
    findTmux,
    personPath: () => finder.personPath(),
    environment: process.env,
    extra: () => settings.config.environment,
    redact,
  });
  return {
    delegation,
    terminals,
    state,
    findTmux,
    redact,
    engines,
    journal,
    get config() {
      return settings.config;
    },
    history: async () => (await journal.read()).filter(({ cwd, origin }) => isInWorkspace(origin ?? cwd)),
    before: (handle) => stateBefore(assembly, handle),
    hasAgents: async () => {
      for (const engine of engines.values()) if ((await roster.ready(engine)).ok) return true;
      return false;
    },
    async close() {
      settings.dispose();
      await terminals.close();
      await assembly.dispose();
    },
  };
}

/** Everything goes on without, but not for long, and no terminal can be reserved for an answer. */
function warnOf(problem: string, log: Logger): void {
  log.error(problem);
  void vscode.window.showWarningMessage(
    vscode.l10n.t(
      '{0} Until then runs and answers are forgotten with this window, and prompts are answered in their terminals.',
      messageText(problem),
    ),
  );
}

/** Snapshots name files relative to their own (real) root, runs relative to their folder. */
async function stateBefore(assembly: Assembly, handle: string): Promise<ReadBefore | undefined> {
  const record = await assembly.delegation.findRecord(handle);
  const snapshot = record && (await assembly.folders.readSnapshot(record.runId));
  const git = snapshot && (await assembly.git());
  if (!git) return undefined;
  const folder = await realpath(record.cwd).catch(() => record.cwd);
  return (path) => readBefore(git, snapshot, relative(snapshot.root, resolve(folder, path)).split(sep).join('/'));
}
