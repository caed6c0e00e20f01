import type { FileChange, Snapshot } from '../protocol/model.ts';
import { type Git, GitError } from './git.ts';

/**
 * What differs between two snapshots of one work tree in the same store, by path relative to its top. A change of mode or
 * type counts as modified; a renamed file is one deleted and one added. A name that is no UTF-8 comes with replacement
 * characters. Throws `GitError`.
 */
export async function changesBetween(
  git: Git,
  before: Snapshot,
  after: Snapshot,
  signal?: AbortSignal,
): Promise<FileChange[]> {
  if (before.tree === after.tree) return [];
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', before.tree, after.tree];
  const listed = await git.run({ args, gitFolder: before.objects, workTree: before.root, signal });
  return parseRaw(listed.toString('utf8'));
}

const kinds: Readonly<Record<string, FileChange['kind']>> = { A: 'added', D: 'deleted', M: 'modified', T: 'modified' };

/** `:<mode> <mode> <object> <object> <letter> NUL <path> NUL`, again and again (git-diff-tree(1), raw output format). */
function parseRaw(listed: string): FileChange[] {
  const parts = listed.split('\0');
  const changes: FileChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const kind = kinds[parts[at]?.at(-1) ?? ''];
    const path = parts[at + 1];
    if (kind && path) changes.push({ path, kind });
  }
  return changes;
}

/** How git says that the path is not in the tree, or that its object is not there. */
const absent = /does not exist in|exists on disk, but not in|cannot read object/;

/**
 * A file as it was in the snapshot, with the line ends it had in the work tree; for a symbolic link, the path it names.
 * Undefined when it was not there or its content was not kept. Throws `GitError`.
 */
export async function readBefore(
  git: Git,
  snapshot: Snapshot,
  path: string,
  signal?: AbortSignal,
): Promise<Buffer | undefined> {
  // Git would take such a path for one relative to a folder. No file in a tree has it.
  if (path === '' || /^\.{0,2}\//.test(path) || path.includes('\0') || snapshot.leftOut.includes(path))
    return undefined;
  const args = ['cat-file', '--filters', `${snapshot.tree}:${path}`];
  try {
    return await git.run({ args, gitFolder: snapshot.objects, workTree: snapshot.root, signal });
  } catch (error) {
    if (error instanceof GitError && absent.test(error.stderr)) return undefined;
    throw error;
  }
}
