import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, readlink, rename, rm, rmdir, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { isInside } from '../base/inside.ts';

/** What is, or was, at a path. */
export type FileVersion =
  | { kind: 'absent' }
  | { kind: 'file'; bytes: Buffer; executable: boolean }
  | { kind: 'link'; target: Buffer }
  /** A folder, a repository, a pipe, something too large or unreadable: its content is not known. */
  | { kind: 'unknown' };

/** Larger files are in no snapshot either (see `snapshot.ts`). */
const maxBytes = 50 * 1024 * 1024;
const executableBits = 0o111;

/** What is at an absolute path now. No link is followed but those of the folders above. */
export async function readVersion(place: string): Promise<FileVersion> {
  try {
    const found = await lstat(place);
    if (found.isSymbolicLink()) return { kind: 'link', target: await readlink(place, 'buffer') };
    if (!found.isFile() || found.size > maxBytes) return { kind: 'unknown' };
    return { kind: 'file', bytes: await readFile(place), executable: (found.mode & executableBits) !== 0 };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return { kind: code === 'ENOENT' || code === 'ENOTDIR' ? 'absent' : 'unknown' };
  }
}

/** Whether two versions are the same to the last byte. What is not known is the same as nothing. */
export function isSameContent(a: FileVersion, b: FileVersion): boolean {
  if (a.kind === 'file') return b.kind === 'file' && a.bytes.equals(b.bytes);
  if (a.kind === 'link') return b.kind === 'link' && a.target.equals(b.target);
  return a.kind === 'absent' && b.kind === 'absent';
}

/** Whether two versions are the same, executable or not included. */
export function isSameVersion(a: FileVersion, b: FileVersion): boolean {
  const isSameMode = a.kind !== 'file' || b.kind !== 'file' || a.executable === b.executable;
  return isSameMode && isSameContent(a, b);
}

/** Whether a folder between `root` and `place` is a link: what is written below it lands elsewhere. Both absolute. */
export async function liesBehindLink(root: string, place: string): Promise<boolean> {
  if (!isInside(place, root)) return true;
  let folder = root;
  for (const name of relative(root, dirname(place)).split(sep).filter(Boolean)) {
    folder = join(folder, name);
    const found = await lstat(folder).catch(() => undefined);
    if (found?.isSymbolicLink()) return true;
  }
  return false;
}

/**
 * Puts a version at an absolute path, in one piece: whoever reads meanwhile sees the old or the new one. A file keeps the
 * permissions of the one it replaces, but for whether it can be executed. With the last file of a folder the folder goes,
 * up to `root`. Throws the system's error.
 */
export async function writeVersion(root: string, place: string, version: FileVersion): Promise<void> {
  if (version.kind === 'absent') {
    await rm(place, { force: true });
    await removeEmptyFolders(root, dirname(place));
    return;
  }
  if (version.kind === 'unknown') throw new Error(`${place}: its content is not known.`);
  await mkdir(dirname(place), { recursive: true });
  const draft = join(dirname(place), `.sallyport-${randomUUID().slice(0, 8)}`);
  try {
    if (version.kind === 'link') await symlink(version.target, draft);
    else await writeFileLike(place, draft, version);
    await rename(draft, place);
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeFileLike(place: string, draft: string, version: FileVersion & { kind: 'file' }): Promise<void> {
  await writeFile(draft, version.bytes, { flag: 'wx' });
  const replaced = await lstat(place).catch(() => undefined);
  const { mode } = replaced?.isFile() ? replaced : await stat(draft);
  // Who may read it may execute it.
  const bits = version.executable ? mode & executableBits || (mode & 0o444) >> 2 : 0;
  await chmod(draft, (mode & 0o7777 & ~executableBits) | bits);
}

async function removeEmptyFolders(root: string, from: string): Promise<void> {
  for (let folder = from; folder !== root && isInside(folder, root); folder = dirname(folder)) {
    const gone = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!gone) return;
  }
}
