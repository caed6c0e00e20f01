import { mkdir, readlink, rm, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Remembers which of the paths are symbolic links. No mount can be put on a link, so a worker that may write the folder
 * around it can put something else in its place; the returned function puts it back, and says so, one sentence each.
 */
export async function watchLinks(paths: readonly string[]): Promise<() => Promise<string[]>> {
  const targets = await Promise.all(paths.map(targetOf));
  const links = paths.flatMap((path, index) => {
    const target = targets[index];
    return target === undefined ? [] : [{ path, target }];
  });
  return async () => {
    const warnings: string[] = [];
    for (const { path, target } of links) {
      if ((await targetOf(path)) === target) continue;
      await rm(path, { recursive: true, force: true });
      await mkdir(dirname(path), { recursive: true });
      await symlink(target, path);
      warnings.push(`The worker replaced ${path}, a link to ${target}. The link was put back.`);
    }
    return warnings;
  };
}

const targetOf = (path: string) => readlink(path).catch(() => undefined);
