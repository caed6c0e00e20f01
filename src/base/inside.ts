import { isAbsolute, relative, sep } from 'node:path';

/** Whether `path` is `folder` or lies below it. Both absolute, symlinks already resolved where that matters. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
}
