import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  chmod,
  copyFile,
  mkdir,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { Worktree } from '../protocol/model.ts';
import type { Git } from './git.ts';
import { findRepository } from './repository.ts';
import { takeSnapshot, treeNow } from './snapshot.ts';

/** All files of a large repository are written. */
const checkoutMs = 300_000;

/** What came back of a worktree: a branch of the repository, and the same as a patch against what it began with. */
export interface BroughtBack {
  worktree: Worktree;
  patch: Buffer;
  /** By path relative to the top: too large or unreadable, so neither on the branch nor in the patch. */
  leftOut: string[];
}

/** Why there can be no worktree: a clause for people. */
export interface NoWorktree {
  why: string;
}

/**
 * Says where a worktree of the repository around `cwd` would lie; makes nothing yet, so that its owner can write down what
 * is to be removed before there is anything.
 *
 * @param place A folder of this worktree alone, absolute, outside the repository. Its last part names branch and entry.
 */
export async function planWorktree(git: Git, cwd: string, place: string, name: string): Promise<Worktree | NoWorktree> {
  const repository = await findRepository(cwd);
  if (!repository) return { why: `${cwd} is not under git` };
  const config = await git.readConfig(repository.root);
  // There, a ref is no file: only git itself could write one, and it would run the repository's hooks.
  if (config.get('extensions.refstorage') === 'reftable') return { why: 'its repository keeps its refs in a reftable' };
  const { root, gitFolder } = repository;
  const commonFolder = await realpath(repository.commonFolder);
  const elsewhere = await linkAmong(sharedPlaces(commonFolder));
  if (elsewhere !== undefined) return { why: `${elsewhere} is a link` };
  const entry = join(commonFolder, 'worktrees', name);
  return {
    root,
    gitFolder,
    commonFolder,
    entry,
    branch: name,
    checkout: join(place, 'tree'),
    store: join(place, 'store'),
  };
}

/**
 * Makes a planned worktree: a commit of the work tree as it is now, untracked files included, checked out with a detached
 * HEAD, and the entry by which the repository knows it (gitrepository-layout(5), `worktrees/`). The commit is made in a git
 * folder of our own and the entry by hand: `git worktree add` would run the repository's hooks and filters. Of the
 * repository nothing changes but that it has more objects. Throws `GitError`, the system's error, or the signal's reason.
 */
export async function addWorktree(
  git: Git,
  planned: Worktree,
  signal?: AbortSignal,
): Promise<{ worktree: Worktree; leftOut: string[] }> {
  const { root, store, checkout, commonFolder, entry } = planned;
  const snapshot = await takeSnapshot(git, root, store, signal);
  if (!snapshot) throw new Error(`${root} is no longer under git.`);
  const tree = await withoutLeftOut(git, planned, root, snapshot.leftOut, signal);
  const head = await git.resolveHead(planned.gitFolder, signal);
  const base = await commit(git, planned, tree, head, 'The work tree as it was', signal);

  await mkdir(checkout, { recursive: true, mode: 0o700 });
  const args = ['checkout-index', '--all', '--force', '--index', '--quiet'];
  await git.run({ args, gitFolder: store, workTree: checkout, timeoutMs: checkoutMs, signal });
  await copyObjects(store, commonFolder);
  await mkdir(join(commonFolder, 'worktrees'), { recursive: true });
  await mkdir(entry);
  await writeFile(join(entry, 'commondir'), '../..\n');
  await writeFile(join(entry, 'gitdir'), `${join(checkout, '.git')}\n`);
  await pointAt(planned, base);
  await writeFile(join(checkout, '.git'), `gitdir: ${entry}\n`);
  return { worktree: { ...planned, base }, leftOut: snapshot.leftOut };
}

/**
 * Commits what is in the worktree by now on top of what the worker committed itself, and points the worktree's branch there.
 * Undefined when nothing has come since the last time. Throws `GitError` or the system's error.
 */
export async function bringBack(git: Git, worktree: Worktree, signal?: AbortSignal): Promise<BroughtBack | undefined> {
  const { base, checkout, store } = worktree;
  if (base === undefined) return undefined;
  const run = runnerIn(git, worktree, signal);
  const leftOut = (await treeNow(git, { root: checkout, tree: base, objects: store, leftOut: [] }, signal)).leftOut;
  const tree = await withoutLeftOut(git, worktree, checkout, leftOut, signal);
  const before = worktree.tip ?? base;
  const head = (await git.resolveHead(worktree.entry, signal)) ?? before;
  const headTree = (await run(['rev-parse', '--verify', `${head}^{tree}`])).toString('latin1').trim();
  const tip = tree === headTree ? head : await commit(git, worktree, tree, head, 'What the worker left', signal);
  if (tip === before) return undefined;
  const link = await linkAmong([worktree.entry, ...sharedPlaces(worktree.commonFolder)]);
  if (link !== undefined) throw new Error(`${link} is a link now`);
  await copyObjects(store, worktree.commonFolder);
  await writeBranch(worktree, tip);
  await pointAt(worktree, tip);
  const patch = await run(['diff-tree', '-p', '--binary', '--no-ext-diff', '--no-textconv', '--no-color', base, tip]);
  return { worktree: { ...worktree, tip }, patch, leftOut };
}

/**
 * Removes a worktree, made or half made: its files, and the repository's entry. The branch that came of it stays, unless
 * it is to go too and is still where it was left. Objects that nothing names any more are left to git's own collection.
 */
export async function removeWorktree(worktree: Worktree, branchToo: boolean): Promise<void> {
  if (branchToo) await removeBranch(worktree);
  await rm(worktree.entry, { recursive: true, force: true });
  // As git does it: the folder of all entries goes with the last one.
  await rmdir(join(worktree.commonFolder, 'worktrees')).catch(() => undefined);
  await rm(worktree.checkout, { recursive: true, force: true });
  await rm(worktree.store, { recursive: true, force: true });
}

function runnerIn(git: Git, { checkout, store }: Worktree, signal: AbortSignal | undefined) {
  return (args: string[], input?: Buffer) =>
    git.run({ args, gitFolder: store, workTree: checkout, signal, ...(input && { input }) });
}

/** Writes the store's index as a tree without what it only stands in for: such an entry would be no content of a commit. */
async function withoutLeftOut(
  git: Git,
  { store }: Worktree,
  workTree: string,
  leftOut: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string> {
  const run = (args: string[], input?: Buffer) =>
    git.run({ args, gitFolder: store, workTree, signal, ...(input && { input }) });
  const paths = Buffer.from(leftOut.map((path) => `${path}\0`).join(''));
  // A split index would name a part that lies elsewhere.
  await run(['update-index', '--no-split-index', '--force-remove', '-z', '--stdin'], paths);
  return (await run(['write-tree', '--missing-ok'])).toString('latin1').trim();
}

async function commit(
  git: Git,
  { store, root }: Worktree,
  tree: string,
  parent: string | undefined,
  message: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const args = ['commit-tree', tree, ...(parent === undefined ? [] : ['-p', parent]), '-m', message];
  return (await git.run({ args, gitFolder: store, workTree: root, signal })).toString('latin1').trim();
}

/** The worktree's HEAD is detached, and its index is ours, which knows every file that was just written or read. */
async function pointAt({ entry, store }: Worktree, name: string): Promise<void> {
  const draft = join(entry, `draft-${randomUUID().slice(0, 8)}`);
  await writeFile(draft, `${name}\n`, { flag: 'wx' });
  await rename(draft, join(entry, 'HEAD'));
  await copyFile(join(store, 'index'), draft, constants.COPYFILE_EXCL);
  await rename(draft, join(entry, 'index'));
}

/** Loose objects are files named by their content: one that is there already is the same. Written as git does, by rename. */
async function copyObjects(store: string, commonFolder: string): Promise<void> {
  const from = join(store, 'objects');
  const to = join(commonFolder, 'objects');
  for (const fan of (await readdir(from)).filter((name) => /^[0-9a-f]{2}$/.test(name))) {
    await mkdir(join(to, fan), { recursive: true });
    if ((await linkAmong([join(to, fan)])) !== undefined) throw new Error(`${join(to, fan)} is a link`);
    for (const name of await readdir(join(from, fan))) {
      const place = join(to, fan, name);
      if (!/^[0-9a-f]{38,62}$/.test(name) || (await isThere(place))) continue;
      // git-gc(1) removes such files when they are left behind.
      const draft = join(to, fan, `tmp_obj_${randomUUID().slice(0, 8)}`);
      await copyFile(join(from, fan, name), draft, constants.COPYFILE_EXCL);
      await chmod(draft, 0o444);
      await rename(draft, place);
    }
  }
}

/** By hand, with git's own lock (git's files backend): `git update-ref` would run the repository's hooks. */
async function writeBranch(worktree: Worktree, tip: string): Promise<void> {
  const place = branchFile(worktree);
  await writeFile(`${place}.lock`, `${tip}\n`, { flag: 'wx' });
  await rename(`${place}.lock`, place);
}

async function removeBranch(worktree: Worktree): Promise<void> {
  const place = branchFile(worktree);
  const now = await readFile(place, 'utf8').catch(() => undefined);
  if (now?.trim() === worktree.tip) await rm(place, { force: true });
}

/** What we write in below a repository's common folder. */
const sharedPlaces = (commonFolder: string) => [join(commonFolder, 'objects'), join(commonFolder, 'refs', 'heads')];

/** A worker may put a link there, to have us write where it may not. Files are safe: they come by rename, which follows none. */
async function linkAmong(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if ((await realpath(path)) !== path) return path;
  return undefined;
}

const branchFile = ({ commonFolder, branch }: Worktree) => join(commonFolder, 'refs', 'heads', branch);

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
