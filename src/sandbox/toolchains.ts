import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { isInside } from '../base/inside.ts';
import { type Mount, shown } from './mounts.ts';
import { isSystemPath } from './system.ts';

/**
 * Where version managers and package managers keep what they install below a person's home, and the variable that moves
 * it. Programs only: what holds credentials beside them (~/.cargo, ~/.m2) is not here, and no cache of packages either,
 * since tools fail where they find one that they cannot write.
 */
const managers: readonly { path: string; variable?: string; inside?: string }[] = [
  { path: '.nvm', variable: 'NVM_DIR' },
  { path: '.volta', variable: 'VOLTA_HOME' },
  { path: '.local/share/fnm', variable: 'FNM_DIR' },
  { path: '.local/share/mise', variable: 'MISE_DATA_DIR' },
  { path: '.local/share/pnpm', variable: 'PNPM_HOME' },
  { path: '.local/share/uv' },
  { path: '.local/share/pipx', variable: 'PIPX_HOME' },
  { path: '.local/bin' },
  { path: '.local/lib' },
  { path: '.config/mise', variable: 'MISE_CONFIG_DIR' },
  { path: '.asdf', variable: 'ASDF_DATA_DIR' },
  { path: '.tool-versions' },
  { path: '.pyenv', variable: 'PYENV_ROOT' },
  { path: '.rbenv', variable: 'RBENV_ROOT' },
  { path: '.rustup', variable: 'RUSTUP_HOME' },
  { path: '.cargo', variable: 'CARGO_HOME', inside: 'bin' },
  { path: '.bun', variable: 'BUN_INSTALL', inside: 'bin' },
  { path: '.deno', variable: 'DENO_INSTALL', inside: 'bin' },
  { path: '.sdkman', variable: 'SDKMAN_DIR', inside: 'candidates' },
  { path: 'go', variable: 'GOPATH', inside: 'bin' },
  { path: '.nix-profile' },
];

/** Beside a `bin` folder, what its programs need. */
const siblings = ['lib', 'lib64', 'libexec', 'share', 'include'];

/** Certificates and keys that a worker's environment names by their path. */
const fileVariables = ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'GOOGLE_APPLICATION_CREDENTIALS'];

/**
 * What of a person's own programs a worker sees, read-only: the folders of the managers above, every folder on PATH
 * (and beside one called `bin` its libraries), the folder of the worker's own program (of an npm package all of
 * `node_modules`), and the certificates the environment names. Only what exists, and nothing that would uncover a home:
 * `homes` are the worker's own and the person's.
 */
export async function toolchainMounts(
  env: Readonly<Record<string, string>>,
  homes: readonly [own: string, person: string],
  program: string,
): Promise<Mount[]> {
  const uncovers = (path: string) => homes.some((home) => isInside(home, path));
  const known = managers.map(({ path, variable, inside = '' }) =>
    join(absolute(variable && env[variable]) ?? join(homes[0], path), inside),
  );
  const onPath = (env.PATH ?? '').split(delimiter).flatMap((entry) => (isAbsolute(entry) ? withSiblings(entry) : []));
  const named = fileVariables.flatMap((name) => absolute(env[name]) ?? []);
  const wanted = [...new Set([...known, ...onPath, ...named, folderOf(program)].map(withoutSlash))];
  const mounts = await Promise.all(wanted.filter((path) => !isSystemPath(path)).map((path) => shown('readOnly', path)));
  const kept = mounts.filter(([place]) => place !== undefined && !uncovers(place.path)).flat();
  // A program that lies in the home itself is shown alone.
  return uncovers(dirname(program)) ? [...kept, { kind: 'readOnly', path: program }] : kept;
}

function withSiblings(entry: string): string[] {
  const parent = dirname(withoutSlash(entry));
  return basename(entry) === 'bin' ? [entry, ...siblings.map((name) => join(parent, name))] : [entry];
}

function folderOf(program: string): string {
  const parts = program.split('/');
  const at = parts.indexOf('node_modules');
  return at < 0 ? dirname(program) : parts.slice(0, at + 1).join('/');
}

const withoutSlash = (path: string) => (path.length > 1 ? path.replace(/\/+$/, '') : path);

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
