import { readdir, readFile, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

/** Whose machine it is. */
export interface Person {
  env: NodeJS.ProcessEnv;
  /** Absolute. */
  home: string;
  platform: NodeJS.Platform;
}

/** Folders where command-line tools of one person usually are, of those that exist, best first. */
export async function wellKnownFolders(person: Person): Promise<string[]> {
  const folders = person.platform === 'win32' ? windowsFolders(person) : await posixFolders(person);
  const exist = await Promise.all(folders.map(isFolder));
  return folders.filter((_, index) => exist[index]);
}

async function posixFolders({ env, home }: Person): Promise<string[]> {
  const own = (variable: string, usual: string) => absolute(env[variable]) ?? join(home, usual);
  const data = own('XDG_DATA_HOME', '.local/share');
  return [
    join(home, '.local/bin'),
    join(home, 'bin'),
    ...(await nvmFolders(own('NVM_DIR', '.nvm'))),
    join(data, 'fnm/aliases/default/bin'),
    join(own('VOLTA_HOME', '.volta'), 'bin'),
    join(absolute(env.MISE_DATA_DIR) ?? join(data, 'mise'), 'shims'),
    join(own('ASDF_DATA_DIR', '.asdf'), 'shims'),
    join(home, '.npm-global/bin'),
    absolute(env.PNPM_HOME) ?? join(data, 'pnpm'),
    join(home, 'Library/pnpm'),
    join(own('BUN_INSTALL', '.bun'), 'bin'),
    join(own('CARGO_HOME', '.cargo'), 'bin'),
    join(own('GROK_HOME', '.grok'), 'bin'),
    join(home, '.claude/local'),
    join(home, '.nix-profile/bin'),
    '/opt/homebrew/bin',
    '/home/linuxbrew/.linuxbrew/bin',
    '/usr/local/bin',
    '/snap/bin',
  ];
}

function windowsFolders({ env, home }: Person): string[] {
  const roaming = env.APPDATA ?? join(home, 'AppData', 'Roaming');
  const local = env.LOCALAPPDATA ?? join(home, 'AppData', 'Local');
  return [
    join(home, '.local', 'bin'),
    join(roaming, 'npm'),
    join(local, 'Volta', 'bin'),
    join(local, 'mise', 'shims'),
    env.PNPM_HOME ?? join(local, 'pnpm'),
    join(home, '.bun', 'bin'),
    join(home, '.cargo', 'bin'),
    join(home, '.grok', 'bin'),
    join(home, 'scoop', 'shims'),
    join(local, 'cursor-agent'),
    join(local, 'Microsoft', 'WinGet', 'Links'),
    join(env.ProgramFiles ?? 'C:\\Program Files', 'nodejs'),
  ];
}

/**
 * The default version's folder, then the newest's. nvm keeps versions in `versions/node/v1.2.3` and names the default in
 * `alias/default`, which holds a version, the beginning of one, or another alias (also `lts/*`, a file of that name).
 */
async function nvmFolders(nvm: string): Promise<string[]> {
  const installed = join(nvm, 'versions/node');
  const versions = (await readdir(installed).catch(() => [])).filter((name) => /^v\d+\./.test(name)).sort(byVersion);
  let wanted = 'default';
  for (let hop = 0; hop < 5; hop++) {
    if (!/^[\w./*-]+$/.test(wanted) || wanted.includes('..')) break;
    const next = await readFile(join(nvm, 'alias', wanted), 'utf8').catch(() => undefined);
    if (next === undefined) break;
    wanted = next.trim();
  }
  const prefix = `v${wanted.replace(/^v/, '')}.`;
  const preferred = versions.filter((version) => `${version}.`.startsWith(prefix)).at(-1);
  return [...new Set([preferred, versions.at(-1)])]
    .filter((version) => version !== undefined)
    .map((version) => join(installed, version, 'bin'));
}

function byVersion(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
