import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { mustRun } from './command.ts';
import { readZipEntries } from './zipEntries.ts';

const root = resolve(import.meta.dirname, '..');

/** What a VSIX of ours may hold; vsce itself adds the first two. */
const allowed = [
  /^\[Content_Types\]\.xml$/,
  /^extension\.vsixmanifest$/,
  /^extension\/dist\/[^/]+\.(cjs|c?js\.LEGAL\.txt)$/,
  /^extension\/dist\/((webview|setupPage)\.(js|css)|codicon\.ttf)$/,
  /^extension\/dist\/sql-wasm\.wasm$/,
  /^extension\/dist\/node-pty\/(package\.json|LICENSE|lib\/\w+\.js)$/,
  /^extension\/dist\/node-pty\/prebuilds\/(linux|darwin)-(x64|arm64)\/(pty\.node|spawn-helper)$/,
  /^extension\/(media|l10n)\//,
  /^extension\/package(\.nls(\.[\w-]+)?)?\.json$/,
  /^extension\/(readme|changelog)\.md$/i,
  /^extension\/LICENSE\.txt$/i,
];

const required = [
  'dist/extension.cjs',
  'dist/window.cjs',
  'dist/mcp.cjs',
  'dist/webview.js',
  'dist/webview.css',
  'dist/setupPage.js',
  'dist/setupPage.css',
  'dist/codicon.ttf',
  'dist/sql-wasm.wasm',
  'dist/node-pty/lib/index.js',
  'dist/node-pty/prebuilds/linux-x64/pty.node',
  'dist/node-pty/prebuilds/darwin-arm64/pty.node',
  'dist/node-pty/prebuilds/darwin-arm64/spawn-helper',
  'package.json',
  'package.nls.json',
  'readme.md',
  'changelog.md',
];

/** Builds the bundles and packages them. Returns the path of the VSIX; rejects on any warning or unexpected content. */
export async function packageExtension(): Promise<string> {
  await mustRun(process.execPath, [join(root, 'esbuild.mjs')], { cwd: root });
  const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const { name, version } = z.object({ name: z.string(), version: z.string() }).parse(manifest);
  const vsix = join(root, 'dist', `${name}-${version}.vsix`);
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const output = await mustRun(process.execPath, [vsce, 'package', '--no-dependencies', '-o', vsix], { cwd: root });
  if (/\bwarning\b/i.test(output)) throw new Error(`vsce warns:\n${output}`);
  await checkContents(vsix);
  return vsix;
}

async function checkContents(vsix: string): Promise<void> {
  const entries = readZipEntries(await readFile(vsix));
  const names = entries.map((entry) => entry.name);
  const foreign = names.filter((name) => !allowed.some((pattern) => pattern.test(name)));
  const lower = new Set(names.map((name) => name.toLowerCase()));
  const missing = required.filter((name) => !lower.has(`extension/${name.toLowerCase()}`));
  if (foreign.length > 0) throw new Error(`the VSIX holds what it should not: ${foreign.join(', ')}`);
  if (missing.length > 0) throw new Error(`the VSIX lacks ${missing.join(', ')}`);
  const inert = entries.filter(({ name, mode }) => name.endsWith('/spawn-helper') && (mode & 0o111) === 0);
  if (inert.length > 0) throw new Error(`not executable in the VSIX: ${inert.map(({ name }) => name).join(', ')}`);
}

if (process.argv[1] === import.meta.filename) {
  await packageExtension().then(console.log, (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
