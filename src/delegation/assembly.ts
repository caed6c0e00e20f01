import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { isInside } from '../base/inside.ts';
import type { Logger } from '../base/logger.ts';
import { pidExists } from '../base/pidExists.ts';
import { areThere, reloadAdvice } from '../base/ownFiles.ts';
import type { StateFolders } from '../base/stateFolders.ts';
import type { Engine } from '../engines/engine.ts';
import { engines as engineList } from '../engines/registry.ts';
import { createGit, type Git } from '../git/git.ts';
import { changesSince, takeSnapshot } from '../git/snapshot.ts';
import { health } from '../journal/health.ts';
import { type Journal, openJournal } from '../journal/journal.ts';
import { capture } from '../process/capture.ts';
import { workerEnvironment } from '../process/environment.ts';
import { type BinaryFinder, createBinaryFinder } from '../process/findBinary.ts';
import type { GuardProgram } from '../process/guard.ts';
import { sweep } from '../process/killTree.ts';
import { runMarker } from '../process/marker.ts';
import { createProcessTable } from '../process/processTable.ts';
import { startWorker } from '../process/spawn.ts';
import type { EngineId, Tier } from '../protocol/model.ts';
import { placeOf } from '../sandbox/engineState.ts';
import type { Consent, Snapshots } from './attempt.ts';
import type { Sandboxes } from './confinement.ts';
import { createDelegation } from './delegate.ts';
import type { DelegationSettings } from './deps.ts';
import { personaRoots } from './personas/findPersona.ts';
import { createRedactor, type Redactor } from './redact.ts';
import { Roster } from './roster.ts';
import { RunFolders } from './runFolder.ts';
import { openSandboxes, type SandboxesSettings } from './sandboxes.ts';
import { secretsOf } from './secrets/known.ts';
import type { Delegation } from './task.ts';
import { Worktrees } from './worktrees.ts';

/** The settings that delegation as a whole obeys, named as the person writes them. */
export interface AssemblySettings {
  readonly tiers: readonly Tier[];
  readonly fastTiers: readonly Tier[];
  readonly cursor: { readonly allowFallback: boolean };
  readonly followUp: { readonly allowWiden: boolean };
  readonly maxRunMinutes: number;
  readonly noEventMinutes: number;
  readonly maxParallelRuns: number;
  readonly terseWorkers: boolean;
  readonly personas: {
    /** Absolute paths of folders with personas, looked in first. */
    readonly folders: readonly string[];
  };
  /** Absolute paths of CLIs the person named. */
  readonly binaries: Readonly<Partial<Record<EngineId, string>>>;
  /** Variables every worker gets. */
  readonly environment: Readonly<Record<string, string>>;
  readonly sandbox: SandboxesSettings;
}

/** What differs between a window and a standalone server. */
export interface AssemblyOptions {
  kind: 'window' | 'standalone';
  clock: Clock;
  log: Logger;
  state: StateFolders;
  /** Read anew for every run. */
  settings(): AssemblySettings;
  consent: Consent;
  /** Absolute paths whose programs are never run. */
  workspaceFolders(): readonly string[];
  environment: NodeJS.ProcessEnv;
  guard: GuardProgram;
  /** Absolute path of the redaction thread's script. */
  redactWorker: string;
  /** How deep in delegations this process is. */
  depth: number;
}

/** Everything behind commands and tools, wired. Its owner ends it by `dispose`. */
export interface Assembly {
  delegation: Delegation;
  journal: Journal;
  roster: Roster;
  finder: BinaryFinder;
  redactor: Redactor;
  folders: RunFolders;
  sandboxes: Sandboxes;
  engines: ReadonlyMap<EngineId, Engine>;
  /** Git, where it is installed. */
  git: () => Promise<Git | undefined>;
  /** Ends all runs, then everything else. Resolves when nothing is left. */
  dispose(): Promise<void>;
}

/** Results and snapshots are large, entries are not; sessions older than these are unknown. */
const keepRunDays = { result: 30, snapshot: 7 };
const keepJournalDays = 90;

/**
 * Wires the rooms that carry out a delegation. The window and the standalone server share it, so that a run is the same
 * run in both. Touches only the state folders until the first run.
 */
export async function assembleDelegation(options: AssemblyOptions): Promise<Assembly> {
  const { clock, log, state, environment } = options;
  const table = createProcessTable();
  const owner = {
    pid: process.pid,
    startedAt: (await table.startTime(process.pid)) ?? '',
    kind: options.kind,
  };
  const journal = openJournal({
    folder: state.journal,
    owner,
    clock,
    // Without a start time only the number can be asked for.
    isAlive: ({ pid, startedAt }) => (startedAt === '' ? pidExists(pid) : table.isAlive(pid, startedAt)),
    onError: (message) => log.error(message),
  });
  const finder = createBinaryFinder({
    env: environment,
    home: homedir(),
    platform: process.platform,
    workspaceFolders: () => [...new Set([...options.workspaceFolders(), ...foldersAtWork(delegation)])],
    capture,
  });
  const git = async () => {
    const found = await finder.find({ names: ['git'], nativeCandidates: () => [] });
    return found.ok ? createGit({ capture, binary: found.file, env: environment }) : undefined;
  };
  const roster = new Roster({
    locate: (engine) =>
      finder.find({
        names: engine.binaries,
        configured: options.settings().binaries[engine.id],
        nativeCandidates: (wrapper) =>
          engine.nativeBinaries(process.platform, process.arch).map((path) => join(dirname(wrapper), path)),
      }),
    forget: () => finder.refresh(),
    capture,
    // Whatever bears the name is asked, so it is told no more than a worker.
    probeEnvironment: async (engine) =>
      workerEnvironment({
        from: environment,
        allow: engine.environment,
        set: options.settings().environment,
        path: await finder.personPath(),
        runId: 'probe',
        depth: options.depth + 1,
      }),
    readState: async (
      {
        state: {
          folders: [folder],
        },
      },
      env,
      file,
    ) => folder && readFile(join(placeOf(folder, env, homedir()), file), 'utf8').catch(() => undefined),
  });
  const engines = new Map(engineList.map((engine) => [engine.id, engine]));
  const redactor = createRedactor({
    workerFile: options.redactWorker,
    known: () => secretsOf({ ...environment, ...options.settings().environment }),
    clock,
  });
  const folders = new RunFolders(state.runs);
  const sandboxes = openSandboxes(() => options.settings().sandbox, finder);
  void forgetOld(folders, journal, clock.now()).catch((error: unknown) => log.warn(`prune: ${String(error)}`));
  const worktrees = new Worktrees(state.worktrees, git);
  const sweeping = async () => {
    // Before the folders they may be at work in.
    await sweepLostRuns(journal, clock.now());
    await sweepWorktrees(worktrees, journal, clock);
  };
  void sweeping().catch((error: unknown) => log.warn(`sweep: ${String(error)}`));
  const delegation = createDelegation({
    clock,
    log,
    settings: () => delegationSettings(options.settings()),
    engines,
    journal,
    folders,
    redactor,
    owner,
    worktrees,
    outOfService: async () => {
      const isThere = await areThere([...options.guard.args, options.redactWorker]);
      return isThere ? undefined : reloadAdvice[options.kind];
    },
    roster,
    personaRoots: (cwd) => personaRoots({ extra: options.settings().personas.folders, cwd, home: homedir() }),
    snapshots: snapshotsBy(git, log),
    consent: options.consent,
    sandboxes,
    surroundings: async () => ({
      variables: environment,
      path: await finder.personPath(),
      extra: options.settings().environment,
    }),
    illHealth: async (id) => {
      const now = clock.now();
      const state = health(await journal.read(), now)[id];
      if (state.healthy) return undefined;
      const minutes = Math.ceil((state.retryAt - now) / 60_000);
      return `${engines.get(id)?.title ?? id} was passed over: ${state.why}. It is tried again in ${minutes} min.`;
    },
    limits: (timeoutMs) => ({
      wallMs: timeoutMs ?? options.settings().maxRunMinutes * 60_000,
      silenceMs: options.settings().noEventMinutes * 60_000,
    }),
    guard: options.guard,
    startWorker,
    depth: options.depth,
  });
  return {
    delegation,
    journal,
    roster,
    finder,
    redactor,
    folders,
    sandboxes,
    engines,
    git,
    async dispose() {
      await delegation.shutdown();
      redactor.dispose();
      await journal.dispose();
      await folders.dispose();
    },
  };
}

/**
 * Where runs are at work: what lies there may be anybody's, wherever this process was started. Not a folder that holds the
 * person's home, or nothing they installed there could be run.
 */
function foldersAtWork({ live }: Delegation): string[] {
  const folders = live.flatMap(({ record: { cwd, origin } }) => [cwd, ...(origin === undefined ? [] : [origin])]);
  return folders.filter((cwd) => isAbsolute(cwd) && !isInside(homedir(), cwd));
}

async function forgetOld(folders: RunFolders, journal: Journal, now: number): Promise<void> {
  await Promise.all([folders.prune(keepRunDays, now), folders.sweepTemporary(now), journal.prune(keepJournalDays)]);
}

/** A guard can be killed too: what bears the mark of a run whose owner died a short time ago is ended now. */
async function sweepLostRuns(journal: Journal, now: number): Promise<void> {
  const lost = (await journal.read()).filter(({ status, startedAt }) => status === 'lost' && now - startedAt < dayMs);
  for (const { runId } of lost.slice(0, maxLostSwept)) await sweep(runMarker(runId), createProcessTable());
}

function sweepWorktrees(worktrees: Worktrees, journal: Journal, clock: Clock): Promise<void> {
  const close = (runId: string, why: string) => journal.append({ type: 'closed', at: clock.now(), runId, why });
  return worktrees.sweep(() => journal.read(), clock.now(), close);
}

const dayMs = 86_400_000;
const maxLostSwept = 20;

const delegationSettings = ({
  tiers,
  fastTiers,
  cursor,
  followUp,
  maxParallelRuns,
  terseWorkers,
}: AssemblySettings): DelegationSettings => ({
  tiers,
  fastTiers,
  allowCursorFallback: cursor.allowFallback,
  allowWiden: followUp.allowWiden,
  maxParallelRuns,
  terseWorkers,
});

/** A repository that git cannot read costs the list of changes, never the run. */
function snapshotsBy(git: () => Promise<Git | undefined>, log: Logger): Snapshots {
  const report = (error: unknown) => {
    log.warn(`git: ${String(error)}`);
    return undefined;
  };
  const orNothing = async <T>(look: (program: Git) => Promise<T | undefined>): Promise<T | undefined> => {
    const program = await git();
    return program && look(program).catch(report);
  };
  return {
    take: (cwd, objects, signal) => orNothing((program) => takeSnapshot(program, cwd, objects, signal)),
    changesSince: (before) => orNothing((program) => changesSince(program, before)),
  };
}
