import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isVersioned, readPlace } from './place.ts';

interface Installation {
  /** Absolute path of its server program. */
  server: string;
  version: readonly number[];
}

/**
 * The server program of the newest Sallyport in the places that the launcher's folder knows, as an absolute path. Undefined
 * when there is none left: the extension was uninstalled.
 */
export function newestServer(launcherFolder: string): string | undefined {
  const places = join(launcherFolder, 'places');
  const found = list(places).flatMap((name) => {
    const place = readPlace(read(join(places, name)) ?? '');
    return place === undefined ? [] : installationsAt(place.prefix);
  });
  return found.sort(byVersion).at(-1)?.server;
}

function installationsAt(prefix: string): Installation[] {
  const folder = dirname(prefix);
  const gone = obsoleteIn(folder);
  return list(folder)
    .filter((name) => (isVersioned(prefix) ? name.startsWith(basename(prefix)) : name === basename(prefix)))
    .filter((name) => !gone.has(name))
    .map((name) => ({ server: join(folder, name, 'dist', 'mcp.cjs'), version: versionIn(name) }))
    .filter(({ server }) => existsSync(server));
}

/**
 * Folders of extensions that were updated or uninstalled and are not deleted yet: the keys of `.obsolete` in VS Code's folder
 * of extensions, which it empties when it starts.
 */
function obsoleteIn(folder: string): ReadonlySet<string> {
  try {
    const names: unknown = JSON.parse(read(join(folder, '.obsolete')) ?? '{}');
    return new Set(typeof names === 'object' && names !== null ? Object.keys(names) : []);
  } catch {
    return new Set();
  }
}

/** `sallyport.sallyport-1.10.0-linux-x64` is [1, 10, 0]; a folder without a version (a checkout) comes before all others. */
function versionIn(name: string): number[] {
  const [, ...numbers] = /-(\d+)\.(\d+)\.(\d+)/.exec(name) ?? [];
  return numbers.map(Number);
}

function byVersion(one: Installation, other: Installation): number {
  for (const at of [0, 1, 2]) {
    const difference = (one.version[at] ?? 0) - (other.version[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
