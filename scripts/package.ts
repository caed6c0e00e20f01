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
  /^extension\/dist\/[^/]+\.(cjs|cjs\.LEGAL\.txt)$/,
  /^extension\/(media|l10n)\//,
  /^extension\/package(\.nls(\.[\w-]+)?)?\.json$/,
  /^extension\/(readme|changelog)\.md$/i,
  /^extension\/LICENSE\.txt$/i,
];

const required = [
  'dist/extension.cjs',
  'dist/window.cjs',
  'dist/mcp.cjs',
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
  const names = readZipEntries(await readFile(vsix)).map((entry) => entry.name);
  const foreign = names.filter((name) => !allowed.some((pattern) => pattern.test(name)));
  const lower = new Set(names.map((name) => name.toLowerCase()));
  const missing = required.filter((name) => !lower.has(`extension/${name.toLowerCase()}`));
  if (foreign.length > 0) throw new Error(`the VSIX holds what it should not: ${foreign.join(', ')}`);
  if (missing.length > 0) throw new Error(`the VSIX lacks ${missing.join(', ')}`);
}

if (process.argv[1] === import.meta.filename) {
  await packageExtension().then(console.log, (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
