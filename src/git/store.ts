import { copyFile, mkdir, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { withoutAssumedUnchanged } from './indexFile.ts';
import { type ObjectFormat, objectFormatOf } from './objectFormat.ts';
import type { Repository } from './repository.ts';

const maxIndexBytes = 512 * 1024 * 1024;
const maxIgnoreBytes = 4 * 1024 * 1024;

/** What a store is made from. */
export interface StoreSource {
  repository: Repository;
  config: Map<string, string>;
  env: Readonly<Record<string, string>>;
}

/**
 * Makes `store` (0700) a git folder of our own beside a repository: its own configuration, index and objects, and the
 * repository's objects to look up in. Only what decides which bytes a file has is taken over from the repository.
 */
export async function prepareStore(store: string, source: StoreSource): Promise<void> {
  for (const folder of ['refs', 'info', join('objects', 'info')]) {
    await mkdir(join(store, folder), { recursive: true, mode: 0o700 });
  }
  const { gitFolder, commonFolder } = source.repository;
  const write = (path: string, text: string) => writeFile(join(store, path), text, { mode: 0o600 });
  const personalIgnore = join(store, 'info', 'personal');
  const objectFormat = objectFormatOf(source.config);
  await Promise.all([
    write('HEAD', 'ref: refs/heads/none\n'),
    write('config', configText(source.config, objectFormat, personalIgnore)),
    // Filters are programs; the other two make git give up on a file whose bytes do not fit.
    write('info/attributes', '* !filter !working-tree-encoding !ident\n'),
    write('objects/info/alternates', `${quote(join(commonFolder, 'objects'))}\n`),
    copyIgnoreFile(join(commonFolder, 'info', 'exclude'), join(store, 'info', 'exclude')),
    copyIgnoreFile(personalIgnoreFile(source), personalIgnore),
    copyIndex(gitFolder, store, objectFormat),
  ]);
}

/** Settings that decide what git takes a file's bytes, mode and name to be. */
const takenOver = [
  'core.autocrlf',
  'core.eol',
  'core.filemode',
  'core.symlinks',
  'core.ignorecase',
  'core.precomposeunicode',
  'core.longpaths',
];

function configText(config: Map<string, string>, objectFormat: ObjectFormat, excludesFile: string): string {
  const own: Record<string, string> = {
    'core.repositoryformatversion': objectFormat === 'sha1' ? '0' : '1',
    'core.bare': 'false',
    'core.excludesfile': excludesFile,
    'core.attributesfile': '/dev/null',
    'core.fsmonitor': 'false',
    'core.hookspath': '/dev/null',
    // Neither the repository's word on what is unchanged nor on what is untracked is believed.
    'core.untrackedcache': 'false',
    'core.splitindex': 'false',
    'core.trustctime': 'true',
    // Files outside a sparse checkout are not deleted ones, and those that are there all the same are looked at.
    'core.sparsecheckout': 'true',
    'core.safecrlf': 'false',
    // The store lives as long as a run's folder: speed over size and over surviving a power cut.
    'core.loosecompression': '0',
    'core.fsync': 'none',
    'gc.auto': '0',
    // Whose commits those of a worktree are.
    'user.name': 'Sallyport',
    'user.email': 'sallyport@localhost',
  };
  if (objectFormat === 'sha256') own['extensions.objectformat'] = objectFormat;
  for (const key of takenOver) {
    const value = config.get(key);
    if (value !== undefined) own[key] = value;
  }
  return Object.entries(own)
    .map(
      ([key, value]) => `[${key.slice(0, key.indexOf('.'))}]\n${key.slice(key.indexOf('.') + 1)} = ${quote(value)}\n`,
    )
    .join('');
}

/** Quotes as git reads both its configuration and its list of alternates. */
function quote(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}

/** Where git looks for the person's own ignore rules (gitignore(5)). Undefined when there is no such place. */
function personalIgnoreFile(source: StoreSource): string | undefined {
  const { config, env, repository } = source;
  const home = env.HOME ?? env.USERPROFILE;
  const named = config.get('core.excludesfile');
  if (named?.startsWith('~/')) return home && join(home, named.slice(2));
  if (named !== undefined) return named === '' ? undefined : resolve(repository.root, named);
  const usual = home && join(home, '.config');
  const folder = env.XDG_CONFIG_HOME === '' ? usual : (env.XDG_CONFIG_HOME ?? usual);
  return folder && join(folder, 'git', 'ignore');
}

/** Copied, so that a run cannot hide its files by adding to the rules. What is no plain file of usual size has no rules. */
async function copyIgnoreFile(from: string | undefined, to: string): Promise<void> {
  const kind = from === undefined ? undefined : await stat(from).catch(() => undefined);
  if (from !== undefined && kind?.isFile() && kind.size <= maxIgnoreBytes) await copyFile(from, to);
  else await writeFile(to, '', { mode: 0o600 });
}

/**
 * The index is git's memory of what it has hashed already. Its time must not move forward in the copy: git takes a file
 * that changed in the same moment the index was written for unchanged unless it can see that from the index's time.
 */
async function copyIndex(gitFolder: string, store: string, objectFormat: ObjectFormat): Promise<void> {
  const from = join(gitFolder, 'index');
  const to = join(store, 'index');
  // An attempt that was stopped in the middle may have left its lock.
  await rm(`${to}.lock`, { force: true });
  const kind = await stat(from).catch(() => undefined);
  if (!kind?.isFile() || kind.size > maxIndexBytes) return rm(to, { force: true });
  const [index] = await Promise.all([readFile(from), copySharedIndexes(gitFolder, store)]);
  await writeFile(to, withoutAssumedUnchanged(index, objectFormat), { mode: 0o600 });
  const earlier = (Math.floor(kind.mtimeMs) - 1) / 1000;
  await utimes(to, earlier, earlier);
}

/** A split index (git-update-index(1)) names its larger part by hash; that part lies beside it. */
async function copySharedIndexes(gitFolder: string, store: string): Promise<void> {
  const names = (await readdir(gitFolder)).filter((name) => /^sharedindex\.[0-9a-f]{40,64}$/.test(name));
  await Promise.all(names.map((name) => copyFile(join(gitFolder, name), join(store, name))));
}
