// node scripts/windowSuite.ts <results.json> <test file...>: runs mocha files inside the extension host of a real editor,
// with the extension loaded from this repository. Exit code 1 when a test failed.
import { existsSync, globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { build } from 'esbuild';
import type { Plugin } from 'esbuild';
import * as z from 'zod';
import { writeUserSettings } from '../test/support/editorHost.ts';
import { createSampleWorkspace } from './sampleWorkspace.ts';
import { toolCacheFolder } from './toolCache.ts';

const root = resolve(import.meta.dirname, '..');
const codeServerLauncher = join(root, 'test', 'support', 'editorExecutable.ts');
const testTimeoutMs = 60_000;

/** A bundle has one place, its sources had many: each keeps its own `import.meta.dirname` and `filename`. */
const keepSourcePlaces: Plugin = {
  name: 'keep-source-places',
  setup: (bundler) => {
    bundler.onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: (await readFile(path, 'utf8'))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.filename', JSON.stringify(path)),
    }));
  },
};

/** It finds its native part by its own place. */
const keepPtyPlace: Plugin = {
  name: 'keep-pty-place',
  setup: (bundler) => {
    const path = join(root, 'node_modules', 'node-pty', 'lib', 'index.js');
    bundler.onResolve({ filter: /^node-pty$/ }, () => ({ path, external: true }));
  },
};

/** Bundles the test files and writes the module with `run()` that the editor loads; returns its path. */
async function bundleSuite(files: readonly string[], results: string, folder: string): Promise<string> {
  const entryPoints = Object.fromEntries(files.map((file, index) => [`suite${index}`, file]));
  await build({
    entryPoints,
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode', 'playwright-core', 'esbuild'],
    sourcemap: 'inline',
    logLevel: 'error',
    plugins: [keepSourcePlaces, keepPtyPlace],
  });
  const bundles = Object.keys(entryPoints).map((name) => join(folder, `${name}.cjs`));
  const index = join(folder, 'index.js');
  await writeFile(index, indexModule(bundles, results));
  return index;
}

function indexModule(bundles: readonly string[], results: string): string {
  const mocha = pathToFileURL(join(root, 'node_modules', 'mocha', 'index.js')).href;
  const options = { ui: 'bdd', timeout: testTimeoutMs, reporter: 'json', reporterOptions: { output: results } };
  return `exports.run = async () => {
  process.setSourceMapsEnabled(true);
  const { default: Mocha } = await import(${JSON.stringify(mocha)});
  const mocha = new Mocha({ ...${JSON.stringify(options)}, forbidOnly: true });
  for (const file of ${JSON.stringify(bundles)}) mocha.addFile(file);
  await new Promise((resolve, reject) => {
    mocha.run((failures) => (failures > 0 ? reject(new Error(failures + ' test(s) failed')) : resolve()));
  });
};
`;
}

/** The editor: the desktop one that is named or can be downloaded and shown, else code-server behind a launcher. */
async function findEditor(): Promise<string> {
  const named = process.env.SALLYPORT_VSCODE;
  if (named) return named;
  const { CI, DISPLAY, WAYLAND_DISPLAY } = process.env;
  const canShow = process.platform !== 'linux' || Boolean(DISPLAY ?? WAYLAND_DISPLAY);
  if (CI === 'true' || !canShow || !(await canDownload())) return codeServerLauncher;
  return await downloadAndUnzipVSCode({ version: 'stable', cachePath: join(toolCacheFolder(), 'vscode') });
}

async function canDownload(): Promise<boolean> {
  const releases = 'https://update.code.visualstudio.com/api/releases/stable';
  return await fetch(releases, { signal: AbortSignal.timeout(5_000) }).then(
    (response) => response.ok,
    () => false,
  );
}

const testExtension = z.object({
  name: z.string(),
  publisher: z.string(),
  version: z.string(),
  enabledApiProposals: z.array(z.string()).optional(),
});

/**
 * Installs the extensions that stand by in the window suites (test/window/extensions/<name>): the browser's editor takes
 * one extension under development, and that is ours. Returns the flags they need.
 */
async function installHelpers(extensionsFolder: string): Promise<string[]> {
  const flags: string[] = [];
  for (const path of globSync('test/window/extensions/*/package.json', { cwd: root })) {
    const manifest = testExtension.parse(JSON.parse(await readFile(join(root, path), 'utf8')));
    const id = `${manifest.publisher}.${manifest.name}`;
    await cp(dirname(join(root, path)), join(extensionsFolder, `${id}-${manifest.version}`), { recursive: true });
    if (manifest.enabledApiProposals) flags.push(`--enable-proposed-api=${id}`);
  }
  return flags;
}

async function main([results, ...files]: readonly string[]): Promise<void> {
  if (results === undefined || files.length === 0)
    throw new Error('usage: windowSuite.ts <results.json> <test file...>');
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-window-'));
  try {
    const workspace = join(folder, 'workspace');
    const profile = join(folder, 'profile');
    const bundleFolder = join(folder, 'suite');
    await mkdir(bundleFolder);
    await createSampleWorkspace(workspace);
    await writeUserSettings(profile, {});
    const extensions = join(folder, 'extensions');
    const flags = await installHelpers(extensions);
    const place = [`--user-data-dir=${profile}`, `--extensions-dir=${extensions}`];
    await runTests({
      vscodeExecutablePath: await findEditor(),
      extensionDevelopmentPath: root,
      extensionTestsPath: await bundleSuite(files, resolve(results), bundleFolder),
      launchArgs: [workspace, ...place, ...flags],
    });
  } catch (error) {
    // Failed tests are in the results; only what kept them from running is worth a message.
    if (!existsSync(results)) console.error(error);
    process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

await main(process.argv.slice(2));
