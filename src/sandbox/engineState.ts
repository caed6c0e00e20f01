import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { CopiedFile, EngineState, StateFolder } from '../protocol/engineState.ts';
import type { Mount } from './mounts.ts';

/**
 * Binds the state of a CLI: the folder itself, read-write, so that a token can be refreshed by a rename and sessions are
 * kept, but with what would steer the worker taken out. What is taken out must be there to be covered, so that nothing
 * can be put in its place for the person's own next session either: an empty one is made once, and left. Copies go to
 * `scratch`; a worker's changes to them are lost. Throws when a folder or a copy cannot be made.
 */
export async function stateMounts(
  { folders, files }: EngineState,
  env: Readonly<Record<string, string>>,
  home: string,
  scratch: string,
): Promise<Mount[]> {
  const covers = await createCovers(scratch);
  const mounts: Mount[] = [];
  for (const folder of folders) {
    const root = placeOf(folder, env, home);
    await mkdir(root, { recursive: true, mode: 0o700 });
    mounts.push({ kind: 'readWrite', path: root });
    for (const name of folder.hidden) mounts.push(await covers.hide(join(root, name)));
    for (const name of folder.readOnly ?? []) {
      if (await exists(join(root, name))) mounts.push({ kind: 'readOnly', path: join(root, name) });
    }
    for (const file of folder.copied ?? []) {
      await makeIfMissing(join(root, file.path));
      const from = await covers.copy(join(root, file.path), file);
      if (from !== undefined) mounts.push({ kind: 'readWrite', path: join(root, file.path), from });
    }
  }
  for (const file of files) {
    const path = join(home, file.path);
    const from = await covers.copy(path, file);
    // By a link, which a CLI that writes by renaming can replace.
    if (from !== undefined) mounts.push({ kind: 'link', path, target: from });
  }
  return mounts;
}

/** Where a state folder is: where its variable says, else below HOME. */
export function placeOf(
  { path, variable, below = '' }: StateFolder,
  env: Readonly<Record<string, string>>,
  home: string,
) {
  const named = variable === undefined ? undefined : env[variable];
  return named !== undefined && isAbsolute(named) ? join(named, below) : join(home, path);
}

interface Covers {
  hide(path: string): Promise<Mount>;
  /** Path of the copy; undefined when there is nothing to copy. */
  copy(path: string, file: CopiedFile): Promise<string | undefined>;
}

async function createCovers(scratch: string): Promise<Covers> {
  const folder = join(scratch, 'sandbox');
  await mkdir(folder, { mode: 0o700 });
  const emptyText = join(folder, 'empty');
  const emptyJson = join(folder, 'empty.json');
  await writeFile(emptyText, '', { mode: 0o600 });
  await writeFile(emptyJson, '{}', { mode: 0o600 });
  let copies = 0;
  return {
    async hide(path) {
      if (path.endsWith('/')) {
        const hidden = path.slice(0, -1);
        await mkdir(hidden, { recursive: true, mode: 0o700 });
        return { kind: 'empty', path: hidden };
      }
      await makeIfMissing(path);
      return { kind: 'readOnly', path, from: path.endsWith('.json') ? emptyJson : emptyText };
    },
    async copy(path, { edit }) {
      const text = await readFile(path, 'utf8').catch(() => undefined);
      if (text === undefined) return undefined;
      const copy = join(folder, `copy-${++copies}`);
      await writeFile(copy, edit(text), { mode: 0o600 });
      return copy;
    },
  };
}

async function makeIfMissing(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, path.endsWith('.json') ? '{}' : '', { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
