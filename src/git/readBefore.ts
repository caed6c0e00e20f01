import type { Snapshot } from '../protocol/model.ts';
import { type Git, GitError } from './git.ts';

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
