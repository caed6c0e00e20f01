import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Snapshot } from '../protocol/model.ts';
import { type FileVersion, isSameContent, isSameVersion } from './fileVersion.ts';
import { type Git, GitError } from './git.ts';

/** A file at three times: before somebody changed it, after that, and now. */
export interface ThreeVersions {
  before: FileVersion;
  after: FileVersion;
  now: FileVersion;
}

/**
 * Why a change cannot be taken back without touching what came later. `notKept`: what it was before or after is not known;
 * `sameLines`: the lines were changed again; `changedAgain`: the file was, and it has no lines to tell changes apart by, or
 * was new; `deletedSince`, `createdSince`: it went or came.
 */
export type WhyNot = 'notKept' | 'sameLines' | 'changedAgain' | 'deletedSince' | 'createdSince';

/** What taking back a change comes to for one file. */
export type Reversal =
  | { kind: 'nothing' }
  | { kind: 'write'; version: FileVersion }
  /** The change is to be taken out of what came on top of it. */
  | { kind: 'merge'; before: Buffer; after: Buffer; now: Buffer; executable: boolean }
  | { kind: 'refused'; why: WhyNot };

const refused = (why: WhyNot): Reversal => ({ kind: 'refused', why });

/** Decides how to take back the change from `before` to `after` in what is there now, and nothing else. */
export function reversalOf({ before, after, now }: ThreeVersions): Reversal {
  if (before.kind === 'unknown' || after.kind === 'unknown') return refused('notKept');
  if (isSameContent(now, before) || isSameContent(now, after)) {
    const version = withItsMode(before, after, now);
    return isSameVersion(now, version) ? { kind: 'nothing' } : { kind: 'write', version };
  }
  if (now.kind === 'absent') return refused('deletedSince');
  if (after.kind === 'absent') return refused('createdSince');
  if (before.kind !== 'file' || after.kind !== 'file' || now.kind !== 'file') return refused('changedAgain');
  if (![before, after, now].every(({ bytes }) => isText(bytes))) return refused('changedAgain');
  const executable = modeAfterwards(before, after, now);
  return { kind: 'merge', before: before.bytes, after: after.bytes, now: now.bytes, executable };
}

function withItsMode(before: FileVersion, after: FileVersion, now: FileVersion): FileVersion {
  if (before.kind !== 'file' || after.kind !== 'file' || now.kind !== 'file') return before;
  return { ...before, executable: modeAfterwards(before, after, now) };
}

type PlainFile = FileVersion & { kind: 'file' };

/** A mode that the change left alone is nobody's business here. */
const modeAfterwards = (before: PlainFile, after: PlainFile, now: PlainFile) =>
  before.executable === after.executable ? now.executable : before.executable;

/** As git decides it: a NUL in the first 8,000 bytes makes a file binary. */
const isText = (bytes: Buffer) => !bytes.subarray(0, 8_000).includes(0);

/** From this exit code on it failed; below, it is the number of conflicts (git-merge-file(1)). */
const failedCode = 128;

/**
 * Carries out a `merge`: takes the change from `before` to `after` out of `now`, by lines. Undefined where they were changed
 * again. Throws `GitError`.
 */
export async function mergeBack(
  git: Git,
  { root, objects }: Snapshot,
  versions: { before: Buffer; after: Buffer; now: Buffer },
): Promise<Buffer | undefined> {
  const folder = await mkdtemp(join(objects, 'merge-'));
  const place = (name: keyof typeof versions) => join(folder, name);
  try {
    for (const name of ['before', 'after', 'now'] as const)
      await writeFile(place(name), versions[name], { mode: 0o600 });
    const args = ['merge-file', '-p', '--quiet', place('now'), place('after'), place('before')];
    return await git.run({ args, gitFolder: objects, workTree: root });
  } catch (error) {
    if (error instanceof GitError && error.code !== null && error.code > 0 && error.code < failedCode) return undefined;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
