// npm run package [-- --target <target>...]: makes and checks the packages of these targets, or of all.
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { problemsOfVsix } from './checkVsix.ts';
import { mustRun } from './command.ts';
import { checkPtyLoads } from './ptyLoads.ts';
import { hostTarget, ptyFiles, vsixName, type VsixTarget, vsixTargets } from './vsixTarget.ts';

const root = resolve(import.meta.dirname, '..');
const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
/** What a package has beside its bundles and the manifest's texts. */
const beside = ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'media', 'l10n'];
/** vsce waits for the disk half of its time. */
const atOnce = 2;

/** A package that was made and checked. */
export interface Vsix {
  readonly target: VsixTarget;
  /** Absolute path. */
  readonly path: string;
  readonly bytes: number;
}

/** Builds the bundles and packages them for this machine, or for `target`. Returns the path; rejects as `packageTargets` does. */
export async function packageExtension(target: VsixTarget = hostTarget()): Promise<string> {
  await buildBundles();
  return await packageOne(target);
}

/** Packages the bundles as they are. Returns the path. */
export async function packageOne(target: VsixTarget): Promise<string> {
  const [vsix] = await packageTargets([target]);
  if (vsix === undefined) throw new Error(`nothing was packaged for ${target}`);
  return vsix.path;
}

/** Makes dist/. */
export async function buildBundles(): Promise<void> {
  await mustRun(process.execPath, [join(root, 'esbuild.mjs')], { cwd: root });
}

/**
 * Packages the bundles in dist/ as they are, in the order of `targets`. Rejects on any warning, and with all that is wrong with what
 * was made.
 */
export async function packageTargets(targets: readonly VsixTarget[]): Promise<Vsix[]> {
  const manifest = await readFile(join(root, 'package.json'), 'utf8');
  const scratch = await mkdtemp(join(tmpdir(), 'sallyport-package-'));
  const made = new Map<VsixTarget, Vsix>();
  const waiting = [...targets];
  const work = async () => {
    for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
      made.set(target, await packageFor(target, { manifest, scratch }));
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return targets.flatMap((target) => made.get(target) ?? []);
}

async function packageFor(
  target: VsixTarget,
  { manifest, scratch }: { manifest: string; scratch: string },
): Promise<Vsix> {
  const identity = z.object({ name: z.string(), version: z.string() }).parse(JSON.parse(manifest));
  const path = join(root, 'dist', vsixName(target, identity));
  const platform = target === 'universal' ? [] : ['--target', target];
  const args = ['package', '--no-dependencies', ...platform, '-o', path];
  const output = await mustRun(process.execPath, [vsce, ...args], { cwd: await stage(target, join(scratch, target)) });
  if (/\bwarning\b/i.test(output)) throw new Error(`vsce warns of ${target}:\n${output}`);
  const archive = await readFile(path);
  const problems = problemsOfVsix(archive, { target, manifest });
  if (problems.length > 0)
    throw new Error(`${relative(root, path)}:\n${problems.map((each) => `  ${each}`).join('\n')}`);
  if (target === hostTarget()) await checkPtyLoads(archive, scratch);
  return { target, path, bytes: archive.length };
}

/**
 * Copies what may belong to a package into a folder of its own: vsce would look at every file of this one, and pack the
 * binaries of all platforms. Returns that folder.
 */
async function stage(target: VsixTarget, folder: string): Promise<string> {
  const pty = ptyFiles(target).map(({ path }) => `dist/node-pty/${path}`);
  const built = (await readdir(join(root, 'dist'), { withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.vsix'))
    .map(({ name }) => `dist/${name}`);
  const strings = (await readdir(root)).filter((name) => name.startsWith('package.nls.'));
  for (const path of [...beside, ...strings, ...built, ...pty]) {
    await cp(join(root, path), join(folder, path), { recursive: true });
  }
  const ignored = await readFile(join(root, '.vscodeignore'), 'utf8');
  await writeFile(join(folder, '.vscodeignore'), ignored + pty.map((path) => `!${path}\n`).join(''));
  return folder;
}

function chosenTargets(args: readonly string[]): readonly VsixTarget[] {
  const { values } = parseArgs({ args: [...args], options: { target: { type: 'string', multiple: true } } });
  const wanted = values.target ?? [];
  const unknown = wanted.filter((name) => !vsixTargets.some((target) => target === name));
  if (unknown.length > 0) {
    throw new Error(`There is no package for ${unknown.join(', ')}. The targets are: ${vsixTargets.join(', ')}`);
  }
  return wanted.length === 0 ? vsixTargets : vsixTargets.filter((target) => wanted.includes(target));
}

async function main(args: readonly string[]): Promise<void> {
  const targets = chosenTargets(args);
  await buildBundles();
  for (const { path, bytes } of await packageTargets(targets)) {
    console.log(`${relative(root, path).padEnd(44)} ${(bytes / 1e6).toFixed(2)} MB`);
  }
}

if (process.argv[1] === import.meta.filename) {
  await main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
