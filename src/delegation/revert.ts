import { randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type FileVersion,
  isSameContent,
  isSameVersion,
  liesBehindLink,
  readVersion,
  writeVersion,
} from '../git/fileVersion.ts';
import type { Git } from '../git/git.ts';
import { readBefore } from '../git/readBefore.ts';
import { type KeptChange, readKept } from '../git/readKept.ts';
import { mergeBack, reversalOf, type WhyNot } from '../git/revert.ts';
import { rawChanges } from '../git/snapshot.ts';
import { type KeptRevert, keptRevert, type KeptVersion } from '../protocol/keptRevert.ts';
import type { Snapshot } from '../protocol/model.ts';
import type { RunFolders } from './runFolder.ts';

export interface RevertDeps {
  folders: RunFolders;
  git: () => Promise<Git | undefined>;
}

/** Why a file stays as it is. `linkedFolder`: a folder above it is a link, so it lies somewhere else. */
export type WhyKept = WhyNot | 'linkedFolder';

/** One file of a plan. */
export interface FilePlan {
  /** Absolute. */
  place: string;
  /** Relative to the plan's root, forward slashes. */
  path: string;
  now: FileVersion;
  /** What it becomes, or why it cannot. Absent: it is as it should be. */
  becomes?: FileVersion;
  refused?: WhyKept;
}

/** What taking back a run's changes (or taking back that) comes to. Nothing is changed by making one. */
export interface RevertPlan {
  runId: string;
  act: 'revert' | 'undo';
  /** Absolute: the top of the work tree. */
  root: string;
  files: FilePlan[];
}

/** What became of a plan. `changed`: these files (by path) are not as they were when it was made; nothing was done. */
export type Carried = { done: true } | { done: false; changed: string[] };

/**
 * Plans to take back what a run changed between its states before and after, and nothing else. Undefined where the states
 * are not kept (any more). Throws `GitError`.
 */
export async function planRevert(runId: string, { folders, git }: RevertDeps): Promise<RevertPlan | undefined> {
  const [before, after, program] = await Promise.all([
    folders.readSnapshot(runId, 'before'),
    folders.readSnapshot(runId, 'after'),
    git(),
  ]);
  if (!before || !after || !program) return undefined;
  const kept = await readKept(program, before, await rawChanges(program, before, after));
  const files: FilePlan[] = [];
  for (const change of kept) {
    const now = await readVersion(join(before.root, change.path));
    const versions = { ...(await inFormOf(now, change, { before, after }, program)), now };
    files.push(await planFile(before, change.path, versions, program));
  }
  return { runId, act: 'revert', root: before.root, files };
}

/** Plans to take back the last revert of a run. Undefined where there was none, or it was taken back already. */
export async function planUndo(runId: string, { folders, git }: RevertDeps): Promise<RevertPlan | undefined> {
  const [last, before, program] = await Promise.all([
    readLast(folders.revertsFolder(runId)),
    folders.readSnapshot(runId, 'before'),
    git(),
  ]);
  if (last?.act !== 'revert' || !before || !program) return undefined;
  const files: FilePlan[] = [];
  for (const { path, was, is } of last.files) {
    const now = await readVersion(join(last.root, path));
    files.push(await planFile(before, path, { before: was, after: is, now }, program));
  }
  return { runId, act: 'undo', root: last.root, files };
}

/**
 * Carries out a plan of which no file is refused. What was there is kept in the run's folder first. When the disk fails on
 * the way, what was done is taken back, and the system's error is thrown.
 */
export async function carryOut(plan: RevertPlan, { folders }: RevertDeps): Promise<Carried> {
  const changed: string[] = [];
  for (const { place, path, now } of plan.files) {
    const isAsPlanned = isSameVersion(now, await readVersion(place)) && !(await liesBehindLink(plan.root, place));
    if (!isAsPlanned) changed.push(path);
  }
  if (changed.length > 0) return { done: false, changed };
  const steps = plan.files.flatMap(({ place, path, now, becomes }) => (becomes ? [{ place, path, now, becomes }] : []));
  await keep(folders.revertsFolder(plan.runId), plan, steps);
  // What goes makes room: a folder may come where a file was, and the other way round.
  const goesFirst = (step: Step) => (step.becomes.kind === 'absent' ? 0 : 1);
  const done: Step[] = [];
  try {
    for (const step of steps.toSorted((a, b) => goesFirst(a) - goesFirst(b))) {
      done.push(step);
      await writeVersion(plan.root, step.place, step.becomes);
    }
  } catch (error) {
    for (const { place, now } of done.reverse()) await writeVersion(plan.root, place, now).catch(() => undefined);
    throw error;
  }
  return { done: true };
}

interface Step {
  place: string;
  path: string;
  now: FileVersion;
  becomes: FileVersion;
}

interface Sides {
  before: FileVersion;
  after: FileVersion;
}

/**
 * A change in the line ends that the work tree has. Git may keep a file with others, and does not say which ones were
 * there: those of now tell.
 */
async function inFormOf(
  now: FileVersion,
  kept: KeptChange,
  states: { before: Snapshot; after: Snapshot },
  git: Git,
): Promise<Sides> {
  if (now.kind !== 'file' || isSameContent(now, kept.after) || isSameContent(now, kept.before)) return kept;
  const converted = async (when: 'before' | 'after'): Promise<FileVersion> => {
    const version = kept[when];
    const bytes = version.kind === 'file' ? await readBefore(git, states[when], kept.path) : undefined;
    return version.kind === 'file' && bytes ? { ...version, bytes } : version;
  };
  const sides = { before: await converted('before'), after: await converted('after') };
  const isForm = isSameContent(now, sides.after) || isSameContent(now, sides.before) || now.bytes.includes('\r\n');
  return isForm ? sides : kept;
}

async function planFile(
  snapshot: Snapshot,
  path: string,
  versions: Sides & { now: FileVersion },
  git: Git,
): Promise<FilePlan> {
  const place = join(snapshot.root, path);
  const file = { place, path, now: versions.now };
  // Git tells a name that is no UTF-8 with such characters in it, and then it is not known which file it is.
  if (path.includes('\ufffd')) return { ...file, refused: 'notKept' };
  if (await liesBehindLink(snapshot.root, place)) return { ...file, refused: 'linkedFolder' };
  const reversal = reversalOf(versions);
  switch (reversal.kind) {
    case 'nothing':
      return file;
    case 'refused':
      return { ...file, refused: reversal.why };
    case 'write':
      return { ...file, becomes: reversal.version };
    case 'merge': {
      const bytes = await mergeBack(git, snapshot, reversal);
      if (!bytes) return { ...file, refused: 'sameLines' };
      return { ...file, becomes: { kind: 'file', bytes, executable: reversal.executable } };
    }
  }
}

const listFile = 'list.json';

/** The list comes last, and in one piece: what is kept is there before anything is changed. */
async function keep(reverts: string, { act, root }: RevertPlan, steps: readonly Step[]): Promise<void> {
  const number = String((await numbersIn(reverts)).length + 1).padStart(6, '0');
  const folder = join(reverts, number);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const keepOne = async (name: string, version: FileVersion): Promise<KeptVersion> => {
    if (version.kind === 'unknown') throw new Error('A content that is not known cannot be kept.');
    if (version.kind === 'absent') return version;
    await writeFile(join(folder, name), version.kind === 'file' ? version.bytes : version.target, { mode: 0o600 });
    if (version.kind === 'link') return { kind: 'link', content: name };
    return { kind: 'file', content: name, executable: version.executable };
  };
  const files: KeptRevert['files'] = [];
  for (const [index, { path, now, becomes }] of steps.entries()) {
    files.push({ path, was: await keepOne(`${index}.was`, now), is: await keepOne(`${index}.is`, becomes) });
  }
  const draft = join(folder, `.${randomUUID()}`);
  await writeFile(draft, JSON.stringify({ act, root, files }), { mode: 0o600 });
  await rename(draft, join(folder, listFile));
}

async function numbersIn(reverts: string): Promise<string[]> {
  const names = await readdir(reverts).catch(() => []);
  return names.filter((name) => /^\d{6}$/.test(name)).sort();
}

async function readLast(
  reverts: string,
): Promise<
  { act: 'revert' | 'undo'; root: string; files: { path: string; was: FileVersion; is: FileVersion }[] } | undefined
> {
  const number = (await numbersIn(reverts)).at(-1);
  if (number === undefined) return undefined;
  const folder = join(reverts, number);
  const text = await readFile(join(folder, listFile), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { files, ...rest } = keptRevert.parse(JSON.parse(text));
  const read = async (version: KeptVersion): Promise<FileVersion> => {
    if (version.kind === 'absent') return version;
    const bytes = await readFile(join(folder, version.content));
    return version.kind === 'link' ? { kind: 'link', target: bytes } : { ...version, bytes };
  };
  const versions = files.map(async ({ path, was, is }) => ({ path, was: await read(was), is: await read(is) }));
  return { ...rest, files: await Promise.all(versions) };
}
