import { stat } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { isInside } from '../base/inside.ts';
import type { Mount } from './mounts.ts';
import { isSystemPath } from './system.ts';

/**
 * Where version managers and package managers keep what they install below a person's home, and the variable that moves
 * it. Programs and packages only: folders that hold credentials beside them (~/.cargo, ~/.m2, ~/.gradle) are not here.
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
  { path: '.asdf', variable: 'ASDF_DATA_DIR' },
  { path: '.pyenv', variable: 'PYENV_ROOT' },
  { path: '.rbenv', variable: 'RBENV_ROOT' },
  { path: '.rustup', variable: 'RUSTUP_HOME' },
  { path: '.cargo', variable: 'CARGO_HOME', inside: 'bin' },
  { path: '.cargo', variable: 'CARGO_HOME', inside: 'registry' },
  { path: '.bun', variable: 'BUN_INSTALL', inside: 'bin' },
  { path: '.deno', variable: 'DENO_INSTALL', inside: 'bin' },
  { path: '.sdkman', variable: 'SDKMAN_DIR', inside: 'candidates' },
  { path: 'go', variable: 'GOPATH' },
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
  const wanted = [...known, ...onPath, ...named, folderOf(program)].map(withoutSlash);
  const shown = [...new Set(wanted)].filter((path) => !isSystemPath(path) && !uncovers(path));
  const there = await Promise.all(shown.map(exists));
  const mounts = shown.filter((_, index) => there[index]).map((path): Mount => ({ kind: 'readOnly', path }));
  // A program that lies in the home itself is shown alone.
  return uncovers(dirname(program)) ? [...mounts, { kind: 'readOnly', path: program }] : mounts;
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

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
