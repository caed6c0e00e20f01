import { mkdir, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isInside } from '../base/inside.ts';
import { watchLinks } from './links.ts';
import type { Mount } from './mounts.ts';

/** The repository around a workspace, by absolute paths (gitrepository-layout(5)). */
export interface RepositoryFolders {
  /** The real path of the top of the work tree. */
  root: string;
  /** Holds this work tree's index; that of a linked work tree lies in the common folder. */
  gitFolder: string;
  /** Holds objects, configuration and hooks. */
  commonFolder: string;
}

/** A repository in a sandbox. */
export interface GuardedRepository {
  mounts: Mount[];
  /** After the run: removes what no mount can keep away, and returns what to tell the person. */
  tidy(): Promise<string[]>;
}

/** Submodules and linked work trees are looked for this deep, and this many. */
const maxDepth = 6;
const maxParts = 200;

/**
 * Binds a repository: the rest of a work tree around its part that is the workspace read-only (git would take it for
 * deleted), git's own folders read-write, and in them what names programs that the person's next git command runs,
 * `config` and `hooks`, read-only unless `open`. Every folder on the way to those is a mount of its own, so that none can
 * be renamed and another put in its place. What is missing is made, where it could be made from inside.
 *
 * A workspace can claim any folder of the machine as its repository. Undefined for a claim that the folder does not
 * return, as git's own linked work trees and submodules do.
 */
export async function guardRepository(
  repository: RepositoryFolders,
  workspace: string,
  open: boolean,
): Promise<GuardedRepository | undefined> {
  if (!(await isGenuine(repository))) return undefined;
  const { root, gitFolder, commonFolder } = repository;
  const mounts: Mount[] = root === workspace ? [] : [{ kind: 'readOnly', path: root }];
  for (const path of [commonFolder, gitFolder]) mounts.push({ kind: 'readWrite', path });
  if (open) return { mounts, tidy: () => Promise.resolve([]) };
  // The file that says where the folder of a linked work tree or submodule is.
  if (gitFolder !== join(root, '.git')) mounts.push({ kind: 'readOnly', path: join(root, '.git') });
  const parts = [...new Set([commonFolder, gitFolder, ...(await partsBelow(commonFolder))])];
  const guarded = await Promise.all(parts.map((part) => guard(part, root)));
  mounts.push(...parts.flatMap((part) => wayTo(part, commonFolder)), ...guarded.flat());
  const redirections = parts.map((part) => join(part, 'commondir'));
  const there = await Promise.all(redirections.map(isThere));
  const missing = redirections.filter((_, index) => !there[index]);
  const restoreLinks = await watchLinks(parts.flatMap(guardedPaths));
  return { mounts, tidy: async () => [...(await restoreLinks()), ...(await removeRedirections(missing))] };
}

async function isGenuine({ root, gitFolder, commonFolder }: RepositoryFolders): Promise<boolean> {
  const place = join(root, '.git');
  // A folder that is reached by a link cannot be kept in its place.
  if ((await realpath(gitFolder)) !== gitFolder) return false;
  if (gitFolder === place) return commonFolder === gitFolder;
  if (commonFolder === gitFolder) return (await workTreeOf(gitFolder)) === root;
  const back = await readFile(join(gitFolder, 'gitdir'), 'utf8').catch(() => '');
  const isLinked = basename(dirname(gitFolder)) === 'worktrees' && dirname(dirname(gitFolder)) === commonFolder;
  return isLinked && (await realpath(resolve(gitFolder, back.trim())).catch(() => '')) === place;
}

/** `core.worktree`, which git sets for a submodule. */
async function workTreeOf(gitFolder: string): Promise<string | undefined> {
  const config = await readFile(join(gitFolder, 'config'), 'utf8').catch(() => '');
  const worktree = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(config)?.[1];
  return worktree === undefined ? undefined : realpath(resolve(gitFolder, worktree)).catch(() => undefined);
}

const guardedPaths = (folder: string) =>
  ['config', 'hooks', 'config.worktree', 'commondir', 'gitdir'].map((name) => join(folder, name));

/**
 * `config.worktree` counts only where the configuration says so. What leads out of the repository by a link is not shown:
 * an earlier worker may have made it.
 */
async function guard(folder: string, root: string): Promise<Mount[]> {
  const config = await readFile(join(folder, 'config'), 'utf8').catch(() => undefined);
  if (config !== undefined) {
    await mkdir(join(folder, 'hooks'), { recursive: true }).catch(() => undefined);
    if (/worktreeconfig/i.test(config)) await writeFile(join(folder, 'config.worktree'), '', { flag: 'a' });
  }
  const places = await Promise.all(guardedPaths(folder).map((path) => realpath(path).catch(() => undefined)));
  const own = (path: string) => isInside(path, folder) || isInside(path, root);
  return places.flatMap((path) => (path !== undefined && own(path) ? [{ kind: 'readOnly', path }] : []));
}

/** The git folders of submodules, and those of linked work trees, which may have a configuration of their own. */
async function partsBelow(commonFolder: string): Promise<string[]> {
  const found: string[] = [];
  const look = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const isPart = entries.some(({ name }) => name === 'HEAD');
    if (isPart) found.push(folder);
    for (const entry of isPart ? entries.filter(({ name }) => name === 'modules') : entries) {
      if (found.length >= maxParts || depth >= maxDepth) return;
      if (entry.isDirectory()) await look(join(folder, entry.name), depth + 1);
    }
  };
  for (const name of ['modules', 'worktrees']) await look(join(commonFolder, name), 0);
  return found;
}

function wayTo(part: string, commonFolder: string): Mount[] {
  const steps = relative(commonFolder, part)
    .split('/')
    .filter((step) => step !== '');
  return steps.map((_, index) => ({
    kind: 'readWrite',
    path: join(commonFolder, ...steps.slice(0, index + 1)),
  }));
}

/** With a `commondir` git reads its configuration elsewhere. It cannot be kept away by an empty one, which git refuses. */
async function removeRedirections(paths: readonly string[]): Promise<string[]> {
  const warnings: string[] = [];
  for (const path of paths) {
    if (!(await isThere(path))) continue;
    await rm(path, { recursive: true, force: true });
    warnings.push(`The worker made ${path}, by which git reads its configuration elsewhere. It was removed.`);
  }
  return warnings;
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
