import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file of ours unless it holds this already: whole or not at all, its folder private to the person. */
export async function keepFile(path: string, text: string, mode: 0o600 | 0o700): Promise<void> {
  if ((await textOf(path)) === text) return;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await replaceFile(path, text, mode);
}

/** Replaces a file, which may be in use, in one step. `path` is no link; `mode` holds whatever the umask. */
export async function replaceFile(path: string, content: string, mode: number): Promise<void> {
  const fresh = `${path}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    await writeFile(fresh, content, { mode, flag: 'wx', flush: true });
    await chmod(fresh, mode);
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

/** Undefined when there is no such file. */
export async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
