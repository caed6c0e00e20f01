import { createHash } from 'node:crypto';
import { isAbsolute, relative, sep } from 'node:path';
import type { FileChange, Snapshot } from '../protocol/model.ts';
import { type ChangedFile, lookAt } from './changedFile.ts';
import { parseRaw, type RawChange } from './rawDiff.ts';
import { type Git, GitError } from './git.ts';
import { type ObjectFormat, objectFormatOf } from './objectFormat.ts';
import { findRepository } from './repository.ts';
import { prepareStore } from './store.ts';

const limits = { fileBytes: 50 * 1024 * 1024, totalBytes: 1024 * 1024 * 1024 };
/** Each costs a process. */
const maxInnerRepositories = 50;

/**
 * Takes the state of the repository around `cwd`. Nothing in the repository is written, and no program that it names is
 * run. Undefined outside a work tree. Throws `GitError` when git cannot do it, and the signal's reason when aborted.
 *
 * @param store A folder of this run alone, outside the work tree; created (0700) if missing. Its owner deletes it.
 */
export async function takeSnapshot(
  git: Git,
  cwd: string,
  store: string,
  signal?: AbortSignal,
): Promise<Snapshot | undefined> {
  const repository = await findRepository(cwd);
  if (!repository) return undefined;
  const config = await git.readConfig(repository.root, signal);
  await prepareStore(store, { repository, config, env: git.env });
  return takeTree(git, { root: repository.root, store, format: objectFormatOf(config) }, signal);
}

/** What a work tree is like later, and what is different then. */
export interface Difference {
  changes: FileChange[];
  after: Snapshot;
}

/**
 * What is different in the work tree by now, by path relative to its top. A change of mode or type counts as modified; a
 * renamed file is one deleted and one added. A name that is no UTF-8 comes with replacement characters. It builds on what
 * the snapshot's store remembers, not on the repository's index, settings and ignore rules of now: those may be the work
 * of whoever changed the files meanwhile. The state of now is kept in the same store. Throws `GitError`.
 */
export async function changesSince(git: Git, before: Snapshot, signal?: AbortSignal): Promise<Difference> {
  const after = await treeNow(git, before, signal);
  const changes = (await rawChanges(git, before, after, signal)).map(({ path, kind }) => ({ path, kind }));
  return { changes, after };
}

/** What differs between two states in the same store, with what git calls each side of it. Throws `GitError`. */
export async function rawChanges(
  git: Git,
  before: Snapshot,
  after: Snapshot,
  signal?: AbortSignal,
): Promise<RawChange[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', before.tree, after.tree];
  return parseRaw((await runnerIn(git, placeOf(before), signal)(args)).toString('utf8'));
}

/** The state of now, in the same store and with what it remembers. Throws `GitError`. */
export function treeNow(git: Git, before: Snapshot, signal?: AbortSignal): Promise<Snapshot> {
  return takeTree(git, placeOf(before), signal);
}

function placeOf({ root, tree, objects }: Snapshot): Place {
  return { root, store: objects, format: tree.length === 64 ? 'sha256' : 'sha1' };
}

interface Place {
  root: string;
  store: string;
  format: ObjectFormat;
}

type Run = (args: string[], input?: Buffer) => Promise<Buffer>;

function runnerIn(git: Git, { root, store }: Place, signal: AbortSignal | undefined): Run {
  return (args, input) => git.run({ args, gitFolder: store, workTree: root, signal, ...(input && { input }) });
}

async function takeTree(git: Git, place: Place, signal?: AbortSignal): Promise<Snapshot> {
  const run = runnerIn(git, place, signal);
  const leftOut = await bringIndexUpToDate(place, run);
  // What a partial clone has not fetched is not missed.
  const tree = (await run(['write-tree', '--missing-ok'])).toString('latin1').trim();
  return { root: place.root, tree, objects: place.store, leftOut };
}

/** Returns what is left out. */
async function bringIndexUpToDate({ root, store, format }: Place, run: Run): Promise<string[]> {
  // One pass over index and folders names the few files that have to be read; a clean tree needs no more than that.
  const listed = await run(['ls-files', '-z', '--modified', '--others', '--exclude-standard']);
  const files = await lookAt(root, pathsIn(listed, storeInside(root, store)), limits);
  return updateIndex(files, format, run);
}

/**
 * Brings the store's index up to date and returns what it leaves out. `git add` would be one command instead, but it has
 * no size limit, gives up at the first unreadable file, and starts `git status` inside submodules, with their settings.
 */
async function updateIndex(files: ChangedFile[], format: ObjectFormat, run: Run): Promise<string[]> {
  const update = ['update-index', '--add', '--remove', '--replace', '-z'];
  const of = (...kinds: ChangedFile['kind'][]) => files.filter(({ kind }) => kinds.includes(kind));

  const ordinary = of('readable', 'gone');
  if (ordinary.length > 0) await run([...update, '--stdin'], lines(ordinary.map(({ path }) => path)));

  const leftOut = of('unreadable', 'large');
  for (const [index, inner] of of('folder').entries()) {
    const kept = index < maxInnerRepositories && (await succeeds(run([...update, '--stdin'], lines([inner.path]))));
    if (!kept) leftOut.push(inner);
  }

  const unread = of('large', 'special');
  if (unread.length > 0) {
    await run([...update, '--index-info'], lines(unread.map((file) => standIn(file, format))));
  }
  return leftOut.map(({ path }) => path.toString('utf8'));
}

/**
 * An index entry for a file that is not read. A large one gets the mode of a submodule, the one kind of entry whose
 * object git does not look for, and a name made of its stamp. A pipe or device is no content: its entry goes.
 */
function standIn(file: ChangedFile, format: ObjectFormat): Buffer {
  const name = createHash(format).update(file.stamp).digest('hex');
  const entry = file.kind === 'large' ? `160000 ${name}` : `0 ${'0'.repeat(name.length)}`;
  return Buffer.concat([Buffer.from(`${entry}\t`), file.path]);
}

async function succeeds(attempt: Promise<unknown>): Promise<boolean> {
  try {
    await attempt;
    return true;
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}

/** The NUL-ended paths of a listing, each once, a folder without its last slash. */
function pathsIn(listed: Buffer, except: string | undefined): Buffer[] {
  const seen = new Set<string>();
  for (const name of listed.toString('latin1').split('\0')) seen.add(name.endsWith('/') ? name.slice(0, -1) : name);
  seen.delete('');
  const paths = [...seen].map((name) => Buffer.from(name, 'latin1'));
  return except === undefined ? paths : paths.filter((path) => !path.toString('utf8').startsWith(except));
}

/** How paths inside the store begin, where somebody works in the very folder that holds it. */
function storeInside(root: string, store: string): string | undefined {
  const path = relative(root, store).split(sep).join('/');
  return path === '..' || path.startsWith('../') || isAbsolute(path) ? undefined : `${path}/`;
}

function lines(items: Buffer[]): Buffer {
  const end = Buffer.alloc(1);
  return Buffer.concat(items.flatMap((item) => [item, end]));
}
