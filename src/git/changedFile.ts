import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import { sep } from 'node:path';

/** A path that git called changed or untracked. Bytes, since a file name on Linux need not be text. */
export interface ChangedFile {
  /** Relative to the work tree's top, forward slashes. */
  path: Buffer;
  /**
   * `folder`: a repository inside this one. `large`: past the size limit. `special`: a pipe, socket or device where git
   * knew a file.
   */
  kind: 'readable' | 'gone' | 'folder' | 'large' | 'special' | 'unreadable';
  /** Changes when the file's size or time does. */
  stamp: string;
}

/** Files past this are left out, and so are those after the first `totalBytes`, so that a snapshot stays quick. */
export interface SizeLimits {
  fileBytes: number;
  totalBytes: number;
}

/** So many files are looked at at once. */
const batch = 128;

/** Looks at each file, without following links and without opening anything. */
export async function lookAt(root: string, paths: Buffer[], limits: SizeLimits): Promise<ChangedFile[]> {
  const top = Buffer.from(root + sep);
  const files: ChangedFile[] = [];
  let left = limits.totalBytes;
  for (let start = 0; start < paths.length; start += batch) {
    const looks = paths.slice(start, start + batch).map((path) => lookAtOne(top, path));
    for (const { path, kind, stamp, size } of await Promise.all(looks)) {
      const tooLarge = kind === 'readable' && (size > limits.fileBytes || size > left);
      if (kind === 'readable' && !tooLarge) left -= size;
      files.push({ path, kind: tooLarge ? 'large' : kind, stamp });
    }
  }
  return files;
}

async function lookAtOne(top: Buffer, path: Buffer): Promise<ChangedFile & { size: number }> {
  const place = Buffer.concat([top, path]);
  const found = await lstat(place, { bigint: true }).catch(() => undefined);
  if (!found) return { path, kind: 'gone', stamp: '', size: 0 };
  const stamp = `${found.size} ${found.mtimeNs} ${found.ino}`;
  const size = Number(found.size);
  if (found.isDirectory()) return { path, kind: 'folder', stamp, size: 0 };
  if (found.isSymbolicLink()) return { path, kind: 'readable', stamp, size };
  if (!found.isFile()) return { path, kind: 'special', stamp, size: 0 };
  const readable = await access(place, constants.R_OK).then(
    () => true,
    () => false,
  );
  return { path, kind: readable ? 'readable' : 'unreadable', stamp, size };
}
