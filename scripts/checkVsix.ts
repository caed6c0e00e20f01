import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { targetOfBinary } from './binaryTarget.ts';
import { type PtyFile, ptyFiles, type VsixTarget } from './vsixTarget.ts';
import { readZipEntries, type ZipEntry } from './zipEntries.ts';

/** A package may not be larger, packed. */
const maxBytes = 3_000_000;

/** Each file or folder (with a slash at its end) of a package but node-pty, below `extension/`. vsce names some itself. */
const always = [
  'dist/extension.cjs',
  'dist/window.cjs',
  'dist/mcp.cjs',
  'dist/guard.cjs',
  'dist/launcher.cjs',
  'dist/redactWorker.cjs',
  'dist/webview.js',
  'dist/webview.css',
  'dist/setupPage.js',
  'dist/setupPage.css',
  'dist/codicon.ttf',
  'dist/sql-wasm.wasm',
  'dist/ThirdPartyNotices.txt',
  'media/',
  'l10n/bundle.l10n.json',
  'package.json',
  'package.nls.json',
  'readme.md',
  'changelog.md',
  'LICENSE.txt',
];
const ownToVsce = ['[Content_Types].xml', 'extension.vsixmanifest'];
const translation = /^(?:l10n\/bundle\.l10n|package\.nls)\.[\w-]+\.json$/;

const manifestSchema = z.looseObject({ version: z.string() });

/**
 * What is wrong with a package, for people; empty when nothing is. `manifest` is the text of the package.json that it was
 * made from.
 */
export function problemsOfVsix(
  archive: Buffer,
  { target, manifest }: { target: VsixTarget; manifest: string },
): string[] {
  const entries = new Map(readZipEntries(archive).map((entry) => [entry.name, entry]));
  const content = (name: string) => entries.get(name)?.read().toString('utf8') ?? '';
  const pty = ptyFiles(target).map((file) => ({ ...file, path: `dist/node-pty/${file.path}` }));
  return [
    ...problemsOfNames([...entries.keys()], [...always, ...pty.map(({ path }) => path)]),
    ...pty.flatMap((file) => problemsOfPtyFile(file, entries.get(`extension/${file.path}`), target)),
    ...problemsOfManifest(content('extension/package.json'), manifest),
    ...problemsOfTarget(content('extension.vsixmanifest'), target),
    ...(archive.length > maxBytes ? [`has ${archive.length} bytes, which is more than ${maxBytes}`] : []),
  ];
}

function problemsOfNames(names: readonly string[], wanted: readonly string[]): string[] {
  const isWanted = (name: string) =>
    translation.test(name) || wanted.some((each) => (each.endsWith('/') ? name.startsWith(each) : name === each));
  const isThere = (name: string) =>
    names.some((each) => (name.endsWith('/') ? each.startsWith(`extension/${name}`) : each === `extension/${name}`));
  const foreign = names.filter((name) =>
    name.startsWith('extension/') ? !isWanted(name.slice('extension/'.length)) : !ownToVsce.includes(name),
  );
  return [
    ...foreign.map((name) => `holds ${name}, which does not belong there`),
    ...wanted.filter((name) => !isThere(name)).map((name) => `lacks ${name}`),
  ];
}

function problemsOfPtyFile({ path, kind }: PtyFile, entry: ZipEntry | undefined, target: VsixTarget): string[] {
  if (entry === undefined || kind === 'text') return [];
  const built = targetOfBinary(entry.read());
  return [
    ...(built === target ? [] : [`has ${path} for ${built ?? 'an unknown platform'}`]),
    ...(kind === 'program' && (entry.mode & 0o111) !== 0o111 ? [`has ${path}, which is not executable`] : []),
  ];
}

function problemsOfManifest(packaged: string, manifest: string): string[] {
  const [inside, outside] = [packaged, manifest].map((text) =>
    manifestSchema.parse(JSON.parse(text || '{"version":""}')),
  );
  return isDeepStrictEqual(inside, outside) ? [] : ['has a package.json that is not the one of this folder'];
}

/** vsce leaves the platform out for a package that is for all. */
function problemsOfTarget(vsixManifest: string, target: VsixTarget): string[] {
  const [, found = 'universal'] = /<Identity [^>]*TargetPlatform="([^"]*)"/.exec(vsixManifest) ?? [];
  return found === target ? [] : [`says that it is for ${found}`];
}
