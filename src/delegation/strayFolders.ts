import { access, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Looks which of the folders a CLI may leave behind are there already. The returned function removes those that have
 * come since and are empty; one with anything in it is somebody's and stays.
 */
export async function watchStrayFolders(cwd: string, names: readonly string[]): Promise<() => Promise<void>> {
  const paths = names.map((name) => join(cwd, name));
  const there = await Promise.all(paths.map(exists));
  const missing = paths.filter((_, index) => !there[index]);
  return async () => {
    for (const path of missing) await rmdir(path).catch(() => undefined);
  };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
