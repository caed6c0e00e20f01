import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

const packageSchema = z.object({ name: z.string(), version: z.string(), license: z.string() });

/** Whose the packages are that come without a text of their licence, the MIT licence. From the head of their bundle. */
const mitCopyrights: Readonly<Record<string, string>> = {
  '@xterm/headless': [
    'Copyright (c) 2014-2024 The xterm.js authors. All rights reserved.',
    'Copyright (c) 2012-2013, Christopher Jeffrey',
    'Copyright (c) 2011 Fabrice Bellard',
  ].join('\n'),
};

/**
 * The licences of what is in a build, for people to read: each package with its version and the text of its licence, in the
 * order of their names. `sources` are the paths of all source files, from `root`. Rejects for a package whose licence has
 * no text.
 */
export async function thirdPartyNotices(root: string, sources: Iterable<string>): Promise<string> {
  const folders = new Set([...sources].flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  const notices = await Promise.all([...folders].map((folder) => noticeOf(join(root, folder), root)));
  const distinct = [...new Set(notices)].sort();
  return ['Sallyport contains the following software of others.\n', ...distinct].join(`\n${'='.repeat(80)}\n`);
}

async function noticeOf(folder: string, root: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const { name, version, license } = packageSchema.parse(manifest);
  const text = (await licenceText(folder)) ?? (await mitText(name, root));
  if (text === undefined) throw new Error(`${name} ${version} comes without the text of its licence (${license})`);
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}

async function licenceText(folder: string): Promise<string | undefined> {
  const names = (await readdir(folder)).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.length === 0 ? undefined : texts.join('\n').replaceAll('\uFEFF', '').replaceAll('\r\n', '\n');
}

/** The terms are those of Sallyport's own licence. */
async function mitText(name: string, root: string): Promise<string | undefined> {
  const copyright = mitCopyrights[name];
  if (copyright === undefined) return undefined;
  const own = await readFile(join(root, 'LICENSE'), 'utf8');
  return `${copyright}\n\n${own.slice(own.indexOf('Permission is hereby granted'))}`;
}
