import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, resolve } from 'node:path';
import { isInside } from '../base/inside.ts';
import type { EngineState } from '../protocol/engineState.ts';
import type { Access } from '../protocol/model.ts';
import { bubblewrapArguments } from './bubblewrap.ts';
import { bindState, placeOf } from './engineState.ts';
import { identityFiles } from './gitIdentity.ts';
import { guardRepository, type RepositoryFolders } from './gitMounts.ts';
import { linkTo, type Mount, shown } from './mounts.ts';
import type { Availability } from './probe.ts';
import { isSystemFolder, systemMounts } from './system.ts';
import { toolchainMounts } from './toolchains.ts';

/** What a worker needs of the disk. Paths are absolute. */
export interface SandboxRequest {
  /** `readOnly` makes everything of the person's read-only but the CLI's own state. */
  access: Access;
  /** An existing folder. */
  workspace: string;
  repository?: RepositoryFolders;
  /** The run's own private folder (0700). */
  scratch: string;
  /** The worker's whole environment; HOME and PATH are looked at. */
  env: Readonly<Record<string, string>>;
  program: string;
  /** Absent for a command that is no CLI's. */
  state?: EngineState;
}

/** What the person's settings add. */
export interface SandboxSettings {
  /** Further paths a worker sees, absolute or below `~`. */
  readonly extraPaths: Readonly<Record<string, 'readOnly' | 'readWrite'>>;
  /** Git's configuration and hooks can be written. */
  readonly allowGitConfig: boolean;
}

/** A program with its arguments and its whole environment. */
export interface Program {
  file: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** A sandbox that is ready for one worker. */
export interface Prepared {
  /** There is a repository, and its configuration and hooks cannot be written. */
  guardsGit: boolean;
  /** The program as it is started inside. */
  confine(program: Program): Program;
  /** After the run: removes what the worker should not have left, and returns what to tell the person. */
  tidy(): Promise<string[]>;
}

export interface Sandbox {
  /** Whether a worker in this (existing) folder can be put into a sandbox. Starts bwrap the first time. */
  available(workspace: string): Promise<{ ok: true } | { ok: false; why: string }>;
  /** Looks up and makes what a sandbox needs. Throws when that fails, or when none is available. */
  prepare(request: SandboxRequest): Promise<Prepared>;
}

export interface SandboxDeps {
  probe: () => Promise<Availability>;
  settings: () => SandboxSettings;
  /** The person's real home. */
  home: string;
  /** Undefined where users have no numbers. */
  uid: number | undefined;
}

/** The sandbox of Linux: bubblewrap, with an empty HOME. */
export function createSandbox({ probe, settings, home, uid }: SandboxDeps): Sandbox {
  const available = async (workspace: string): Promise<Availability> => {
    const why = await unfit(workspace, home, uid);
    return why === undefined ? probe() : { ok: false, why };
  };
  return {
    async available(workspace) {
      const answer = await available(workspace);
      return answer.ok ? { ok: true } : answer;
    },
    async prepare(request) {
      const answer = await available(request.workspace);
      if (!answer.ok) throw new Error(`There is no sandbox: ${answer.why}.`);
      const { mounts, cwd, guardsGit, tidy } = await lookUp(request, settings(), await real(home));
      return {
        guardsGit,
        tidy,
        confine: ({ file, args, env }) => ({
          file: answer.bwrap,
          args: bubblewrapArguments({ mounts, cwd, isRoot: uid === 0 }, file, args),
          env: withoutOutside(env),
        }),
      };
    },
  };
}

/** Why no sandbox can be made around a folder, for people. */
async function unfit(workspace: string, home: string, uid: number | undefined): Promise<string | undefined> {
  const folder = await realpath(workspace);
  if (isInside(await real(home), folder))
    return `${workspace} holds your whole home, which a sandbox keeps from workers`;
  if (isSystemFolder(folder)) return `${workspace} is a folder of the system, and no workspace`;
  if (uid !== 0 || (await stat(folder)).uid === 0) return undefined;
  return `${workspace} is not root's, and in its sandbox root cannot write the files of others`;
}

async function lookUp(request: SandboxRequest, settings: SandboxSettings, personHome: string) {
  const { access, env, scratch, state, repository, program } = request;
  const namedHome = env.HOME !== undefined && isAbsolute(env.HOME) ? env.HOME : personHome;
  const [home, cwd] = await Promise.all([real(namedHome), realpath(request.workspace)]);
  if (dirname(home) === home) throw new Error(`HOME is ${home}, which cannot be kept from a worker.`);
  for (const folder of state?.folders ?? []) {
    const place = placeOf(folder, env, home);
    if (!isInside(personHome, place)) continue;
    throw new Error(
      `${folder.variable ?? 'A setting'} names ${place}, which holds your whole home. Name a folder of its own.`,
    );
  }
  const [system, toolchains, own, git, extra] = await Promise.all([
    systemMounts(),
    toolchainMounts(env, [home, personHome], program),
    bindState({ state: withGit(state), env, home, scratch, workspace: cwd }),
    repository && !isInside(personHome, repository.root)
      ? guardRepository(repository, cwd, settings.allowGitConfig)
      : undefined,
    extraMounts(settings.extraPaths, home),
  ]);
  const theirs: Mount[] = [...(git?.mounts ?? []), { kind: 'readWrite', path: cwd }, ...extra];
  const mounts: Mount[] = [
    ...system,
    { kind: 'empty', path: home },
    ...toolchains,
    ...own.mounts,
    ...(access === 'readOnly' ? theirs.map(asReadOnly) : theirs),
    ...(await shown('readWrite', scratch)),
    ...linkTo(namedHome, home),
    ...linkTo(request.workspace, cwd),
  ];
  return {
    mounts,
    cwd,
    guardsGit: git !== undefined && !settings.allowGitConfig,
    tidy: async () => [...(await own.tidy()), ...((await git?.tidy()) ?? [])],
  };
}

/** The CLI's state, and of git's what a commit needs. */
const withGit = ({ folders, files }: EngineState = { folders: [], files: [] }): EngineState => ({
  folders,
  files: [...identityFiles, ...files],
});

/** What a setting names and is not there is left out. */
async function extraMounts(paths: SandboxSettings['extraPaths'], home: string): Promise<Mount[]> {
  const mounts = Object.entries(paths).map(([path, kind]) =>
    shown(kind, resolve(home, path.replace(/^~(?=\/|$)/, '.'))),
  );
  return (await Promise.all(mounts)).flat();
}

const asReadOnly = (mount: Mount): Mount => (mount.kind === 'readWrite' ? { ...mount, kind: 'readOnly' } : mount);

const real = (path: string) => realpath(path).catch(() => path);

/** Folders of this machine that are not there inside: temporary files go to /tmp, and no service listens. */
const outside = new Set(['TMPDIR', 'TMP', 'TEMP', 'XDG_RUNTIME_DIR']);

function withoutOutside(env: Program['env']): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !outside.has(name)));
}
