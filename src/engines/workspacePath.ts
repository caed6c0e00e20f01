import { isAbsolute, relative, resolve, sep } from 'node:path';

/** A path as run events carry it: relative to `cwd` with forward slashes where it lies inside, else absolute. */
export function workspacePath(cwd: string, path: string): string {
  const absolute = resolve(cwd, path);
  const inside = relative(cwd, absolute);
  const outside = inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return outside ? absolute : inside.split(sep).join('/');
}
