import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, posix, win32 } from 'node:path';

/** The name of a chat's store in its folder. */
export const storeName = 'store.db';
/** The name of the folder of all chats in a configuration folder. */
export const chatsName = 'chats';

/** Where cursor-agent may keep its chats: the environment of whoever asks, and the person's home folder. */
export interface Whereabouts {
  env: NodeJS.ProcessEnv;
  home: string;
}

/** A chat's own folder. */
export interface ChatFolder {
  /** Absolute path. */
  folder: string;
  /** The chat's id, which names the folder. */
  id: string;
  /** The md5 of its working folder, which names the folder above. */
  bucket: string;
  /** The configuration folder it was found in. */
  root: string;
}

const bucketName = /^[0-9a-f]{32}$/;

/** Whether a folder in `chats` is named as those that hold the chats of a working folder. */
export function isBucketName(name: string): boolean {
  return bucketName.test(name);
}

/**
 * The configuration folders to look in, whether they exist or not. cursor-agent takes the first that its environment names;
 * a terminal's environment may differ from ours, so all of them count.
 */
export function cursorRoots({ env, home }: Whereabouts): string[] {
  const config = [env.XDG_CONFIG_HOME, join(home, '.config')].filter((path) => path !== undefined && isAbsolute(path));
  const underConfig = config.flatMap((path) => [join(path ?? '', 'cursor'), join(path ?? '', 'Cursor')]);
  const own = env.CURSOR_CONFIG_DIR !== undefined && isAbsolute(env.CURSOR_CONFIG_DIR) ? [env.CURSOR_CONFIG_DIR] : [];
  return [...new Set([...own, ...underConfig, join(home, '.cursor')])];
}

/**
 * All chats below these roots that have a store, each once though several roots lead to it. What vanishes while it is looked
 * at is left out; ACP sessions, which an editor drives, lie elsewhere and are not listed.
 */
export async function listChats(roots: readonly string[]): Promise<ChatFolder[]> {
  const found = new Map<string, ChatFolder>();
  for (const root of roots) {
    const chats = await realpath(join(root, chatsName)).catch(() => undefined);
    if (chats === undefined) continue;
    for (const bucket of await foldersIn(chats)) {
      if (!isBucketName(bucket)) continue;
      for (const id of await foldersIn(join(chats, bucket))) {
        const folder = join(chats, bucket, id);
        if (found.has(folder) || !(await isFile(join(folder, storeName)))) continue;
        found.set(folder, { folder, id, bucket, root });
      }
    }
  }
  return [...found.values()];
}

/** Whether this is the folder of an ACP session, by where it lies. */
export function isAcpSession(folder: string): boolean {
  return basename(dirname(folder)) === 'acp-sessions';
}

/**
 * The buckets in which chats of a working folder may lie: named by the path as it was given and by the real one, on Windows
 * with the drive letter in either case.
 */
export async function bucketsOf(cwd: string, platform: NodeJS.Platform = process.platform): Promise<string[]> {
  const real = await realpath(cwd).catch(() => cwd);
  const absolute = platform === 'win32' ? win32.resolve(cwd) : posix.resolve(cwd);
  const paths = [absolute, real].flatMap((path) => {
    const drive = platform === 'win32' && /^[a-z]:/i.test(path) ? path.slice(0, 1) : undefined;
    if (drive === undefined) return [path];
    return [drive.toLowerCase() + path.slice(1), drive.toUpperCase() + path.slice(1)];
  });
  return [...new Set(paths.map((path) => createHash('md5').update(path).digest('hex')))];
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  return entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => name);
}

async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}
