import { dirname } from 'node:path';

/** What a path is inside the sandbox. Paths are absolute; `from` is the path outside, the same one when absent. */
export type Mount =
  | { kind: 'empty'; path: string }
  | { kind: 'readOnly' | 'readWrite'; path: string; from?: string }
  /** For system folders that not every machine has. */
  | { kind: 'readOnlyIfThere'; path: string }
  | { kind: 'link'; path: string; target: string };

/**
 * The mounts in an order in which none hides another: what lies deeper comes later, whatever it is. Of several for one
 * path the last one counts. A link below another link would be made at its target, where the path is there already.
 */
export function inOrder(mounts: readonly Mount[]): Mount[] {
  const byPath = new Map(mounts.map((mount) => [mount.path, mount]));
  const links = new Set(mounts.filter(({ kind }) => kind === 'link').map(({ path }) => path));
  const wanted = [...byPath.values()].filter(({ path }) => !ancestorsOf(path).some((above) => links.has(above)));
  return wanted.sort((one, other) => depth(one.path) - depth(other.path));
}

const depth = (path: string) => (path === '/' ? 0 : path.split('/').length);

function ancestorsOf(path: string): string[] {
  const above: string[] = [];
  for (let folder = dirname(path); folder !== above.at(-1); folder = dirname(folder)) above.push(folder);
  return above;
}
