import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import * as z from 'zod';

const modules = resolve(import.meta.dirname, '..', '..', 'node_modules');

/** Texts of real size by the folder they are put into and their path in it. README.md tells where they come from. */
export type Corpus = Readonly<Record<keyof typeof parts, Readonly<Record<string, string>>>>;

interface Part {
  /** For people. */
  readonly what: string;
  /** Of paths and texts; see `digestOf`. */
  readonly sha256: string;
  readonly load: () => Promise<Record<string, string>>;
}

const parts = {
  repository: {
    what: 'the files of zod 4.6.7 but what it is built into',
    sha256: '1d64aac935d5fc35d807a819546839e4e0f4434674219a7700c00ed24205ec69',
    load: () => filesOf('zod', '4.6.7', ['src/**/*.ts', 'package.json', 'README.md', 'LICENSE']),
  },
  file: {
    what: 'acorn.js of acorn 8.16.0',
    sha256: '0bcba929b78e10c533a31747042860340bcc0c6ac3735b1b83e7e6c5ca16e3d2',
    load: () => filesOf('acorn', '8.16.0', ['dist/acorn.js']),
  },
  log: {
    what: 'the test log',
    sha256: '4d588a6fc2834537d70795686716245b9f7fdfea179704a945b84510d13df9fc',
    load: async () => ({ 'test.log': await unpacked('testLog.gz') }),
  },
} as const satisfies Record<string, Part>;

/** Reads the corpus. Throws when it is another than the one that was measured last. */
export async function loadCorpus(): Promise<Corpus> {
  const [repository, file, log] = await Promise.all([load(parts.repository), load(parts.file), load(parts.log)]);
  return { repository, file, log };
}

async function load({ what, sha256, load: read }: Part): Promise<Readonly<Record<string, string>>> {
  const files = await read();
  const digest = digestOf(files);
  if (digest === sha256) return files;
  throw new Error(
    `${what}: the digest is ${digest} and no longer the one in bench/corpus/corpus.ts, so figures could not be compared`,
  );
}

/** Of each path and its text in the order of the paths, each ended by a zero byte. */
function digestOf(files: Readonly<Record<string, string>>): string {
  const hash = createHash('sha256');
  for (const path of Object.keys(files).sort()) hash.update(`${path}\0${files[path] ?? ''}\0`);
  return hash.digest('hex');
}

async function filesOf(name: string, version: string, patterns: readonly string[]): Promise<Record<string, string>> {
  const cwd = join(modules, name);
  const installed = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(cwd, 'package.json'), 'utf8')));
  if (installed.version !== version) {
    throw new Error(`${name} ${version} is wanted and ${installed.version} installed: see bench/corpus/README.md`);
  }
  const paths = globSync([...patterns], { cwd }).sort();
  const texts = await Promise.all(paths.map((path) => readFile(join(cwd, path), 'utf8')));
  return Object.fromEntries(paths.map((path, index) => [path, texts[index] ?? '']));
}

async function unpacked(name: string): Promise<string> {
  const packed = await readFile(join(import.meta.dirname, name));
  return (await promisify(gunzip)(packed)).toString('utf8');
}
