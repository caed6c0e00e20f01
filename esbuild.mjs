// node esbuild.mjs [--dev]: makes the bundles of dist/. Any error or warning fails the build.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/** One row per bundle: `entry` -> `dist/<output>`. */
const bundles = [
  // These two run in the extension host, hence may say `vscode`; elsewhere that import fails the build.
  {
    entry: 'src/extension.ts',
    output: 'extension',
    external: ['vscode'],
    late: { './vscode/window.ts': './window.cjs' },
  },
  { entry: 'src/vscode/window.ts', output: 'window', external: ['vscode'] },
  { entry: 'src/mcpMain.ts', output: 'mcp' },
  { entry: 'src/process/guardMain.ts', output: 'guard' },
  { entry: 'src/delegation/redactWorker.ts', output: 'redactWorker' },
];

const root = import.meta.dirname;
const dev = process.argv.includes('--dev');

/** Leaves an import to the bundle that another row makes of it. */
const loadedLater = (late) => ({
  name: 'loaded-later',
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ path }) => (path in late ? { path: late[path], external: true } : undefined));
  },
});

async function bundle({ entry, output, external = [], late = {} }) {
  const { errors, warnings, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { [output]: entry },
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    external,
    plugins: [loadedLater(late)],
    // `require` is what the extension host gives `vscode` to.
    supported: { 'dynamic-import': false },
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    minify: !dev,
    sourcemap: dev ? 'linked' : false,
    legalComments: 'external',
    metafile: true,
    logLevel: 'warning',
  });
  if (errors.length + warnings.length > 0) throw new Error(`${entry}: ${warnings.length} warning(s), see above`);
  return Object.entries(metafile.outputs).map(([path, { bytes }]) => ({ path, bytes }));
}

/** A file that no bundle writes any more would be packaged for ever. */
async function removeStale(written) {
  for (const name of await readdir(join(root, 'dist'))) {
    const isBundle = /\.(cjs|map|txt)$/.test(name);
    if (isBundle && !written.includes(`dist/${name}`)) await rm(join(root, 'dist', name));
  }
}

try {
  const written = (await Promise.all(bundles.map(bundle))).flat();
  await removeStale(written.map(({ path }) => path));
  for (const { path, bytes } of written)
    process.stdout.write(`${path.padEnd(34)} ${(bytes / 1000).toFixed(1).padStart(8)} kB\n`);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
