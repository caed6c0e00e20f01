import { realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { openStateFolders, type StateFolders } from '../base/stateFolders.ts';
import type { Config } from '../config.ts';
import { type Assembly, assembleDelegation } from '../delegation/assembly.ts';
import { claude } from '../engines/claude.ts';
import { codex } from '../engines/codex.ts';
import { carryOut, planRevert, planUndo } from '../delegation/revert.ts';
import { cursor } from '../engines/cursor.ts';
import { grok } from '../engines/grok.ts';
import { readBefore } from '../git/readBefore.ts';
import type { RunRecord } from '../journal/entry.ts';
import { capture } from '../process/capture.ts';
import type { Found } from '../process/findBinary.ts';
import { depthVariable } from '../process/marker.ts';
import { type ClientRoom, openClientRoom } from './clients/clientRoom.ts';
import type { Snapshot } from '../protocol/model.ts';
import type { WorkspaceConsent } from './consent.ts';
import { messageText } from './messageText.ts';
import type { ReadKept, Reverts, RunStates } from './services.ts';
import { tellOfProblem } from './settingProblem.ts';
import { Settings } from './settings.ts';
import { terminalEnvironment } from './terminals/terminalEnvironment.ts';
import { openTerminalRoom, type TerminalRoom } from './terminals/terminalRoom.ts';
import { foldersOnDisk, workspaceLookup } from './workspaceFolders.ts';
import { said } from './l10n.ts';

export interface WindowRoomDeps {
  log: Logger & { show(): void };
  consent: WorkspaceConsent;
  workspaceState: vscode.Memento;
  /** Absolute path of the folder of the bundles. */
  dist: string;
}

/** Everything behind the commands, the Runs view and the tools of a window. */
export interface WindowRoom extends Pick<
  Assembly,
  'delegation' | 'engines' | 'journal' | 'roster' | 'finder' | 'sandboxes'
> {
  readonly terminals: TerminalRoom;
  readonly clients: ClientRoom;
  readonly state: StateFolders;
  /** The settings as they are now. */
  readonly config: Config;
  /** Where the terminal multiplexer is, or why it cannot be used. */
  findTmux(): Promise<Found>;
  /** Takes secrets out of a text; rejects when it could not. */
  redact(text: string): Promise<string>;
  /** Runs in this workspace's folders, whichever process ran them, newest first. */
  history(): Promise<RunRecord[]>;
  states(handle: string): Promise<RunStates | undefined>;
  readonly reverts: Reverts;
  /** Whether any agent's program is there. Asks them who they are, one after the other until one is. */
  hasAgents(): Promise<boolean>;
  /** Ends all runs, then everything else. Resolves when nothing is left. */
  close(): Promise<void>;
}

/** Opens it with the editor's settings. Starts no agent; in Restricted Mode nothing at all is looked for in terminals. */
export async function openWindowRoom({ log, consent, workspaceState, dist }: WindowRoomDeps): Promise<WindowRoom> {
  const settings = new Settings(log, tellOfProblem);
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
  const { delegation, engines, journal, roster, finder, sandboxes, redactor } = assembly;
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
  const programs = { claude, codex, grok };
  const clients = openClientRoom({
    log,
    stateRoot: state.root,
    extension: dirname(dist),
    program: (id) => roster.ready(programs[id]),
    findGit: () => finder.find({ names: ['git'], nativeCandidates: () => [] }),
    capture,
    environment: async () =>
      terminalEnvironment(process.env, { path: await finder.personPath(), set: settings.config.environment }),
    variables: () => ({ ...process.env, ...settings.config.environment }),
  });
  return {
    delegation,
    terminals,
    clients,
    state,
    findTmux,
    redact,
    engines,
    journal,
    roster,
    finder,
    sandboxes,
    get config() {
      return settings.config;
    },
    history: async () => {
      const isInWorkspace = workspaceLookup();
      return (await journal.read()).filter(({ cwd, origin }) => isInWorkspace(origin ?? cwd));
    },
    states: (handle) => statesAround(assembly, handle),
    reverts: {
      plan: (runId) => planRevert(runId, assembly),
      planUndo: (runId) => planUndo(runId, assembly),
      carryOut: (plan) => carryOut(plan, assembly),
    },
    hasAgents: async () => {
      for (const engine of engines.values()) if ((await roster.ready(engine)).ok) return true;
      return false;
    },
    async close() {
      settings.dispose();
      clients.dispose();
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
      messageText(said(problem, vscode.l10n)),
    ),
  );
}

/** Snapshots name files relative to their own (real) root, runs relative to their folder. */
async function statesAround({ delegation, folders, git }: Assembly, handle: string): Promise<RunStates | undefined> {
  const record = await delegation.findRecord(handle);
  const before = record && (await folders.readSnapshot(record.runId, 'before'));
  const program = before && (await git());
  if (!program) return undefined;
  const after = await folders.readSnapshot(record.runId, 'after');
  const folder = await realpath(record.cwd).catch(() => record.cwd);
  const pathIn = (snapshot: Snapshot, path: string) =>
    relative(snapshot.root, resolve(folder, path)).split(sep).join('/');
  const reader =
    (snapshot: Snapshot): ReadKept =>
    (path) =>
      readBefore(program, snapshot, pathIn(snapshot, path));
  return { before: reader(before), ...(after && { after: reader(after) }) };
}
