import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isInside } from '../base/inside.ts';
import { Refusal } from './tool.ts';

/** Where a server may send workers. */
export type Workspace =
  /** The window's folders: nothing outside them. */
  | { kind: 'window'; folders(): readonly string[] }
  /** No editor: the client's roots when it has any, else any folder the caller names. `cwd` is the process's own. */
  | { kind: 'standalone'; cwd: string };

/**
 * The folder a run works in: `cwd` as the caller gave it, or the first folder of the workspace. `roots` asks the client
 * for its roots (absolute paths, empty when it has none). Throws a Refusal that says what is wrong.
 */
export async function workFolder(
  cwd: string | undefined,
  workspace: Workspace,
  roots: () => Promise<readonly string[]>,
): Promise<string> {
  const allowed = workspace.kind === 'window' ? workspace.folders() : await roots();
  if (workspace.kind === 'window' && allowed.length === 0) {
    throw new Refusal('No folder is open in this window. Open one, then try again.');
  }
  const fallback = workspace.kind === 'window' ? allowed[0] : (allowed[0] ?? workspace.cwd);
  const wanted = cwd ?? fallback ?? '';
  if (!isAbsolute(wanted)) throw new Refusal(`cwd must be an absolute path; ${JSON.stringify(wanted)} is not.`);
  const real = await realFolder(wanted);
  if (allowed.length === 0 || (await isInsideAny(real, allowed))) return resolve(wanted);
  throw new Refusal(`cwd ${wanted} lies outside the workspace (${allowed.join(', ')}). Name a folder inside it.`);
}

async function realFolder(path: string): Promise<string> {
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return real;
  } catch {
    throw new Refusal(`The folder ${JSON.stringify(path)} does not exist or cannot be read. Name one that does.`);
  }
  throw new Refusal(`${path} is a file. Name the folder to work in.`);
}

async function isInsideAny(real: string, folders: readonly string[]): Promise<boolean> {
  const realFolders = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)));
  return realFolders.some((folder) => folder !== undefined && isInside(real, folder));
}

/**
 * Paths a caller names for reading, relative to `folder` with forward slashes. Each must exist and lie inside the folder
 * once links are followed. Throws a Refusal that names the argument and the first that does not.
 */
export async function filesInside(folder: string, files: readonly string[], argument = 'files'): Promise<string[]> {
  const realRoot = await realpath(folder);
  return Promise.all(files.map((file) => fileInside(realRoot, folder, file, argument)));
}

async function fileInside(realRoot: string, folder: string, file: string, argument: string): Promise<string> {
  const real = await realpath(resolve(folder, file)).catch(() => undefined);
  if (real === undefined)
    throw new Refusal(`${argument}: ${JSON.stringify(file)} does not exist in ${folder} or cannot be read.`);
  if (!isInside(real, realRoot))
    throw new Refusal(`${argument}: ${JSON.stringify(file)} lies outside ${folder}. Name files inside it.`);
  return relative(realRoot, real).split(sep).join('/') || '.';
}

/**
 * A file that is to be written, relative to `folder` with forward slashes: in a folder that is there and lies inside once
 * links are followed, under a name that nothing has yet. Throws a Refusal that says what is wrong.
 */
export async function newFileInside(folder: string, file: string): Promise<string> {
  const refuse = (why: string) => new Refusal(`out_path: ${JSON.stringify(file.slice(0, 300))} ${why}`);
  // A worker is told the path in its prompt.
  if (/\p{C}|\p{Zl}|\p{Zp}/u.test(file)) throw refuse('has a hidden or control character in it.');
  const realRoot = await realpath(folder);
  const path = resolve(folder, file);
  const parent = await realFolder(dirname(path));
  if (!isInside(parent, realRoot)) throw refuse(`lies outside ${folder}. Name a file inside it.`);
  const inside = relative(realRoot, join(parent, basename(path))).split(sep);
  if (inside.some((name) => name.toLowerCase() === '.git')) throw refuse("lies in git's own folder.");
  const taken = await lstat(path).then(Boolean, () => false);
  if (taken) throw refuse('is there already, and nothing is overwritten. Name a new file.');
  return inside.join('/');
}
