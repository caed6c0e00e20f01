import { realpath } from 'node:fs/promises';
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
 * path the last one counts. A link is left out where its name is there already: in what is bound, and below another link.
 */
export function inOrder(mounts: readonly Mount[]): Mount[] {
  const byPath = new Map(mounts.map((mount) => [mount.path, mount]));
  const wanted = [...byPath.values()].filter((mount) => {
    if (mount.kind !== 'link') return true;
    const above = ancestorsOf(mount.path).find((path) => byPath.has(path));
    return above === undefined || byPath.get(above)?.kind === 'empty';
  });
  return wanted.sort((one, other) => depth(one.path) - depth(other.path));
}

/**
 * Mounts what a path leads to at its real place, and links the path there, so that both names work as they do outside: a
 * mount cannot be put on a link. Empty when there is nothing at the path.
 */
export async function shown(kind: 'readOnly' | 'readWrite', path: string): Promise<Mount[]> {
  const place = await realpath(path).catch(() => undefined);
  return place === undefined ? [] : [{ kind, path: place }, ...linkTo(path, place)];
}

/** The link that a path is; none when the path is the place itself. */
export function linkTo(path: string, target: string): Mount[] {
  return path === target ? [] : [{ kind: 'link', path, target }];
}

const depth = (path: string) => (path === '/' ? 0 : path.split('/').length);

/** The nearest first. */
function ancestorsOf(path: string): string[] {
  const above = [dirname(path)];
  for (let folder = dirname(path); dirname(folder) !== folder; folder = dirname(folder)) above.push(dirname(folder));
  return above;
}
