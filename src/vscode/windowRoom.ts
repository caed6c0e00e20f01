import { realpath } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { systemClock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { openStateFolders } from '../base/stateFolders.ts';
import type { Config } from '../config.ts';
import { type Assembly, assembleDelegation } from '../delegation/assembly.ts';
import { readBefore } from '../git/readBefore.ts';
import type { RunRecord } from '../journal/entry.ts';
import { depthVariable } from '../process/marker.ts';
import type { WorkspaceConsent } from './consent.ts';
import type { ReadBefore } from './services.ts';
import { Settings } from './settings.ts';
import { foldersOnDisk, isInWorkspace } from './workspaceFolders.ts';

export interface WindowRoomDeps {
  log: Logger;
  consent: WorkspaceConsent;
  /** Absolute path of the folder of the bundles. */
  dist: string;
}

/** Everything behind the commands, the Runs view and the tools of a window. */
export interface WindowRoom extends Pick<Assembly, 'delegation' | 'engines' | 'journal'> {
  /** The settings as they are now. */
  readonly config: Config;
  /** Runs in this workspace's folders, whichever process ran them, newest first. */
  history(): Promise<RunRecord[]>;
  before(handle: string): Promise<ReadBefore | undefined>;
  /** Whether any agent's program is there. Asks them who they are, one after the other until one is. */
  hasAgents(): Promise<boolean>;
  /** Ends all runs, then everything else. Resolves when nothing is left. */
  close(): Promise<void>;
}

/** Opens it with the editor's settings. Starts no process. */
export async function openWindowRoom({ log, consent, dist }: WindowRoomDeps): Promise<WindowRoom> {
  const settings = new Settings(log);
  const ownStateDir = process.env.SALLYPORT_STATE_DIR;
  const assembly = await assembleDelegation({
    kind: 'window',
    clock: systemClock,
    log,
    state: openStateFolders(ownStateDir === '' ? undefined : ownStateDir),
    settings: () => settings.config,
    consent,
    workspaceFolders: () => foldersOnDisk().map(({ uri }) => uri.fsPath),
    environment: process.env,
    guard: {
      file: process.execPath,
      args: [join(dist, 'guard.cjs')],
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    },
    redactWorker: join(dist, 'redactWorker.cjs'),
    depth: Number(process.env[depthVariable] ?? 0) || 0,
  });
  const { delegation, engines, journal, roster } = assembly;
  return {
    delegation,
    engines,
    journal,
    get config() {
      return settings.config;
    },
    history: async () => (await journal.read()).filter(({ cwd }) => isInWorkspace(cwd)),
    before: (handle) => stateBefore(assembly, handle),
    hasAgents: async () => {
      for (const engine of engines.values()) if ((await roster.ready(engine)).ok) return true;
      return false;
    },
    async close() {
      settings.dispose();
      await assembly.dispose();
    },
  };
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
