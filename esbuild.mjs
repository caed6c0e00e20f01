// node esbuild.mjs [--dev]: makes the bundles of dist/. Any error or warning fails the build.
import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { thirdPartyNotices } from './scripts/thirdParty.ts';
import { platformTargets, ptyFiles } from './scripts/vsixTarget.ts';

/** One row per bundle: `entry` -> `dist/<output>`. */
const bundles = [
  // These two run in the extension host, hence may say `vscode`; elsewhere that import fails the build.
  {
    entry: 'src/extension.ts',
    output: 'extension',
    external: ['vscode'],
    late: { './window.ts': './window.cjs', '../window.ts': './window.cjs' },
  },
  {
    entry: 'src/vscode/window.ts',
    output: 'window',
    external: ['vscode'],
    late: { 'node-pty': './node-pty/lib/index.js' },
  },
  { entry: 'src/mcpMain.ts', output: 'mcp' },
  { entry: 'src/process/guardMain.ts', output: 'guard' },
  { entry: 'src/delegation/redactWorker.ts', output: 'redactWorker' },
  { entry: 'src/clients/launcherMain.ts', output: 'launcher' },
  // Makes a style sheet and the font of the icons as well.
  { entry: 'webview-ui/main.ts', output: 'webview', browser: true },
  { entry: 'webview-ui/setupMain.ts', output: 'setupPage', browser: true },
];

const platforms = {
  node: {
    outExtension: { '.js': '.cjs' },
    // `require` is what the extension host gives `vscode` to.
    supported: { 'dynamic-import': false },
    // Its main file is UMD, whose parts no bundler can follow.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    platform: 'node',
    target: 'node22',
    format: 'cjs',
  },
  // VS Code 1.101 has Chromium 134.
  browser: {
    platform: 'browser',
    target: 'chrome134',
    format: 'iife',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
  },
};

/** It finds its native part by its place. A package takes those of its platform. */
const ptyPaths = new Set(platformTargets.flatMap(ptyFiles).map(({ path }) => path));

/** What is loaded as a file of its own: `node_modules/<from>` -> `dist/<to>`. */
const files = [
  { from: 'sql.js/dist/sql-wasm.wasm', to: 'sql-wasm.wasm' },
  ...[...ptyPaths].map((path) => ({ from: `node-pty/${path}`, to: `node-pty/${path}` })),
];

/** The licences of all that is in the bundles. node-pty brings its own. */
const notices = 'ThirdPartyNotices.txt';

const root = import.meta.dirname;
const dev = process.argv.includes('--dev');

/** Leaves an import to the bundle that another row makes of it. */
const loadedLater = (late) => ({
  name: 'loaded-later',
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ path }) => (path in late ? { path: late[path], external: true } : undefined));
  },
});

async function bundle({ entry, output, external = [], late = {}, browser = false }) {
  const { errors, warnings, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { [output]: entry },
    outdir: 'dist',
    external,
    plugins: [loadedLater(late)],
    bundle: true,
    ...(browser ? platforms.browser : platforms.node),
    minify: !dev,
    sourcemap: dev ? 'linked' : false,
    // The notices have them.
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  if (errors.length + warnings.length > 0) throw new Error(`${entry}: ${warnings.length} warning(s), see above`);
  return Object.entries(metafile.outputs).map(([path, { bytes, inputs }]) => ({
    path,
    bytes,
    sources: Object.keys(inputs).filter((source) => inputs[source].bytesInOutput > 0),
  }));
}

async function copyFiles() {
  for (const { from, to } of files) {
    const target = join(root, 'dist', to);
    // Written over, a library that a running window has loaded would bring it down.
    await rm(target, { recursive: true, force: true });
    await cp(join(root, 'node_modules', from), target, { recursive: true });
  }
}

/** A file that no bundle writes any more would be packaged for ever. */
async function removeStale(written) {
  for (const name of await readdir(join(root, 'dist'))) {
    const isBundle = /\.(cjs|js|css|ttf|map|txt)$/.test(name) && name !== notices;
    if (isBundle && !written.includes(`dist/${name}`)) await rm(join(root, 'dist', name));
  }
}

try {
  const written = (await Promise.all(bundles.map(bundle))).flat();
  await copyFiles();
  const sources = written.flatMap((output) => output.sources);
  await writeFile(join(root, 'dist', notices), await thirdPartyNotices(root, sources));
  await removeStale(written.map(({ path }) => path));
  for (const { path, bytes } of written)
    process.stdout.write(`${path.padEnd(34)} ${(bytes / 1000).toFixed(1).padStart(8)} kB\n`);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
