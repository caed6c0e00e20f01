import { realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import which from 'which';
import type { Capture } from './capture.ts';
import { loginShellPath, looksDockStarted } from './loginShell.ts';
import { type Person, wellKnownFolders } from './wellKnownFolders.ts';
import { WorkspaceBounds } from './workspaceBounds.ts';

/** A program to run, or why there is none, for people. */
export type Found = { ok: true; file: string } | { ok: false; why: string };

/** What to look for. */
export interface BinaryQuery {
  /** Best first. */
  names: readonly string[];
  /** From an npm wrapper's real path: absolute places of the native binary, best first. */
  nativeCandidates(wrapper: string): readonly string[];
  /** An absolute path that a setting names: then nothing else is looked for. */
  configured?: string | undefined;
}

export interface BinaryFinder {
  /**
   * The person's PATH: what their login shell reports (asked once, and only when PATH looks dock-started), this process's
   * own, and the well-known folders. Without relative and empty entries and what belongs to the workspace.
   */
  personPath(): Promise<string>;
  /**
   * The first program of that name, as an absolute real path, native rather than an npm wrapper. Nothing that the
   * workspace could have put there. What was found is remembered, a miss is not.
   */
  find(query: BinaryQuery): Promise<Found>;
  /** Forgets everything, for when the person has installed something or a remembered program would not start. */
  refresh(): void;
}

/** What the finder needs to know of the machine. `workspaceFolders` gives absolute paths. */
export interface FinderSystem extends Person {
  workspaceFolders(): readonly string[];
  capture: Capture;
}

/**
 * Programs that version managers link every tool's name to: they read the name they were called by, so the link itself
 * must be run.
 */
const dispatchers = new Set(['mise', 'rtx', 'volta', 'volta-shim', 'asdf', 'proto', 'proto-shim', 'snap']);

/** Finds the person's own programs. Starts nothing until it is asked. */
export function createBinaryFinder(system: FinderSystem): BinaryFinder {
  let shellPath: Promise<string> | undefined;
  const found = new Map<string, Found>();

  async function folders(bounds: WorkspaceBounds): Promise<string[]> {
    shellPath ??= looksDockStarted(system) ? loginShellPath(system, system.capture) : Promise.resolve('');
    const paths = [await shellPath, system.env.PATH ?? system.env.Path ?? ''];
    const entries = [...paths.flatMap((path) => path.split(delimiter)), ...(await wellKnownFolders(system))];
    const outside = await Promise.all(
      [...new Set(entries)].map(async (entry) => {
        if (!isAbsolute(entry)) return [];
        const real = await realpath(entry).catch(() => entry);
        return bounds.own(entry) || bounds.own(real) ? [] : [entry];
      }),
    );
    return outside.flat();
  }

  return {
    async personPath() {
      const bounds = await WorkspaceBounds.of(system.workspaceFolders());
      return (await folders(bounds)).join(delimiter);
    },
    async find(query) {
      const key = JSON.stringify([query.names, query.configured, system.workspaceFolders()]);
      const known = found.get(key);
      if (known) return known;
      const bounds = await WorkspaceBounds.of(system.workspaceFolders());
      const result =
        query.configured === undefined
          ? await search(query, await folders(bounds), bounds)
          : await checkConfigured(query.configured, query, bounds);
      if (result.ok) found.set(key, result);
      return result;
    },
    refresh() {
      shellPath = undefined;
      found.clear();
    },
  };
}

async function search(query: BinaryQuery, folders: string[], bounds: WorkspaceBounds): Promise<Found> {
  const refused: string[] = [];
  for (const name of query.names) {
    for (const folder of folders) {
      const wrapper = await executable(join(folder, name));
      if (wrapper === undefined) continue;
      const file = await resolveProgram(wrapper, query, bounds);
      if (file !== undefined) return { ok: true, file };
      refused.push(wrapper);
    }
  }
  const names = query.names.join(' or ');
  if (refused.length === 0)
    return { ok: false, why: `No program named ${names} was found on PATH or where such tools are usually installed.` };
  return {
    ok: false,
    why: `${refused.join(', ')} leads into the workspace, and programs of the workspace are never run. No other ${names} was found.`,
  };
}

async function checkConfigured(path: string, query: BinaryQuery, bounds: WorkspaceBounds): Promise<Found> {
  if (!isAbsolute(path))
    return { ok: false, why: `The configured path "${path}" is not absolute. Give the program's full path.` };
  const wrapper = await executable(path);
  if (wrapper === undefined)
    return { ok: false, why: `The configured path "${path}" does not exist or is not an executable file.` };
  const file = await resolveProgram(wrapper, query, bounds);
  if (file !== undefined) return { ok: true, file };
  return {
    ok: false,
    why: `The configured path "${path}" lies in the workspace or leads into it, and programs of the workspace are never run.`,
  };
}

/** What to run for a path that is executable, or undefined when the workspace owns any part of the way to it. */
async function resolveProgram(
  wrapper: string,
  query: BinaryQuery,
  bounds: WorkspaceBounds,
): Promise<string | undefined> {
  const real = await realpath(wrapper).catch(() => wrapper);
  const folder = await realpath(dirname(wrapper)).catch(() => dirname(wrapper));
  const link = join(folder, basename(wrapper));
  if ([wrapper, link, real].some((path) => bounds.own(path))) return undefined;
  for (const candidate of query.nativeCandidates(real)) {
    const native = await realpath(candidate).catch(() => undefined);
    if (native !== undefined && !bounds.own(native) && (await executable(native)) !== undefined) return native;
  }
  return dispatchers.has(basename(real)) ? link : real;
}

/**
 * The path (on Windows with the extension that made it executable), or undefined. An absolute path makes `which` look at
 * it alone; given a bare name it would look into the current folder first on Windows.
 */
async function executable(path: string): Promise<string | undefined> {
  return (await which(path, { nothrow: true })) ?? undefined;
}
