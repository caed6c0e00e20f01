import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Absolute real paths of the repository around a folder. */
export interface Repository {
  /** The top of the work tree. */
  root: string;
  /** Holds this work tree's index. */
  gitFolder: string;
  /** Holds what all work trees of the repository share: objects and `info/exclude`. */
  commonFolder: string;
}

/**
 * Finds the repository as git would (gitrepository-layout(5)), without starting it. `core.worktree` is not followed: it is
 * a repository's own word, and could name any folder of the machine. Undefined outside a work tree.
 */
export async function findRepository(cwd: string): Promise<Repository | undefined> {
  let folder = await realpath(cwd);
  for (;;) {
    const gitFolder = await gitFolderOf(folder);
    if (gitFolder) return { root: folder, gitFolder, commonFolder: await commonFolderOf(gitFolder) };
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

async function gitFolderOf(folder: string): Promise<string | undefined> {
  const place = join(folder, '.git');
  const kind = await stat(place).catch(() => undefined);
  if (kind?.isDirectory()) return (await isThere(join(place, 'HEAD'))) ? place : undefined;
  if (!kind?.isFile() || kind.size > 8192) return undefined;
  const target = /^gitdir: ([^\n]+?)\r?\n?$/.exec(await readFile(place, 'utf8'))?.[1];
  if (!target) return undefined;
  const gitFolder = resolve(folder, target);
  return (await isThere(join(gitFolder, 'HEAD'))) ? gitFolder : undefined;
}

async function commonFolderOf(gitFolder: string): Promise<string> {
  const place = join(gitFolder, 'commondir');
  const kind = await stat(place).catch(() => undefined);
  if (!kind?.isFile() || kind.size > 8192) return gitFolder;
  return resolve(gitFolder, (await readFile(place, 'utf8')).replace(/\r?\n$/, ''));
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
