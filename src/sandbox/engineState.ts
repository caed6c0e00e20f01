import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { isInside } from '../base/inside.ts';
import type { CopiedFile, EngineState, StateFolder } from '../protocol/engineState.ts';
import { watchLinks } from './links.ts';
import { linkTo, type Mount } from './mounts.ts';

/** Whose state, and where. Paths are absolute and real, but for those in `env`. */
export interface StateRequest {
  state: EngineState;
  env: Readonly<Record<string, string>>;
  home: string;
  /** Gets the copies. */
  scratch: string;
  /** What lies in it is the worker's own matter, whatever leads there. */
  workspace: string;
}

/**
 * Binds the state of a CLI: the folder itself, read-write, so that a token can be refreshed by a rename and sessions are
 * kept, but with what would steer the worker taken out. What is taken out must be there to be covered, so that nothing
 * can be put in its place for the person's own next session either: an empty one is made once, and left. Where it is a
 * link, as dotfile managers make them, what it leads to is covered. A worker's changes to copies are lost. Throws when a
 * folder or a copy cannot be made.
 */
export async function bindState(request: StateRequest): Promise<{ mounts: Mount[]; tidy: () => Promise<string[]> }> {
  const { state, home } = request;
  const covers = await createCovers(request);
  const folders = await Promise.all(state.folders.map((folder) => bindFolder(folder, request, covers)));
  const copies = await Promise.all(state.files.map((file) => covers.linkCopy(join(home, file.path), file)));
  return {
    mounts: [...folders.flatMap(({ mounts }) => mounts), ...copies.flat()],
    tidy: await watchLinks(folders.flatMap(({ covered }) => covered)),
  };
}

async function bindFolder(
  folder: StateFolder,
  { env, home }: StateRequest,
  covers: Covers,
): Promise<{ mounts: Mount[]; covered: string[] }> {
  const { hidden, copied = [], readOnly = [] } = folder;
  const named = placeOf(folder, env, home);
  await mkdir(named, { recursive: true, mode: 0o700 });
  const root = await realpath(named);
  const below = (name: string) => join(root, name);
  const within = await Promise.all([
    ...hidden.map((name) => covers.hide(below(name))),
    ...copied.map((file) => covers.copy(below(file.path), file)),
    ...readOnly.map((name) => keep(root, below(name))),
  ]);
  const names = [...hidden, ...copied.map(({ path }) => path), ...readOnly];
  return {
    mounts: [{ kind: 'readWrite', path: root }, ...linkTo(named, root), ...within.flat()],
    covered: names.map((name) => below(name.replace(/\/$/, ''))),
  };
}

/** Not what a link leads to elsewhere: an earlier worker may have made it. */
async function keep(root: string, path: string): Promise<Mount[]> {
  const place = await realpath(path).catch(() => undefined);
  return place !== undefined && isInside(place, root) ? [{ kind: 'readOnly', path: place }] : [];
}

/** Where a state folder is: where its variable says, else below HOME. */
export function placeOf({ path, variable, below = '' }: StateFolder, env: StateRequest['env'], home: string): string {
  const named = variable === undefined ? undefined : env[variable];
  return named !== undefined && isAbsolute(named) ? join(named, below) : join(home, path);
}

interface Covers {
  hide: (path: string) => Promise<Mount[]>;
  copy: (path: string, file: CopiedFile) => Promise<Mount[]>;
  /** By a link to the copy, which a CLI that writes by renaming can replace. For a folder that is empty inside. */
  linkCopy: (path: string, file: CopiedFile) => Promise<Mount[]>;
}

async function createCovers({ scratch, workspace }: StateRequest): Promise<Covers> {
  const folder = join(scratch, 'sandbox');
  await mkdir(folder, { mode: 0o700 });
  const emptyText = join(folder, 'empty');
  const emptyJson = join(folder, 'empty.json');
  await Promise.all([writeFile(emptyText, '', { mode: 0o600 }), writeFile(emptyJson, '{}', { mode: 0o600 })]);
  let copies = 0;

  /** The real place of what is covered. Nothing for a link that leads nowhere, or into the workspace. */
  const cover = async (path: string, mount: (place: string) => Mount): Promise<Mount[]> => {
    const place = await realpath(path).catch(() => undefined);
    return place === undefined || isInside(place, workspace) ? [] : [mount(place)];
  };
  const copyOf = async (path: string, { edit }: CopiedFile): Promise<string | undefined> => {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const copy = join(folder, `copy-${++copies}`);
    await writeFile(copy, edit(text), { mode: 0o600 });
    return copy;
  };
  return {
    async hide(path) {
      if (path.endsWith('/')) {
        await makeFolderIfMissing(path.slice(0, -1));
        return cover(path.slice(0, -1), (place) => ({ kind: 'empty', path: place }));
      }
      await makeIfMissing(path);
      const from = path.endsWith('.json') ? emptyJson : emptyText;
      return cover(path, (place) => ({ kind: 'readOnly', path: place, from }));
    },
    async copy(path, file) {
      await makeIfMissing(path);
      const from = await copyOf(path, file);
      return from === undefined ? [] : cover(path, (place) => ({ kind: 'readWrite', path: place, from }));
    },
    async linkCopy(path, file) {
      const target = await copyOf(path, file);
      return target === undefined ? [] : [{ kind: 'link', path, target }];
    },
  };
}

async function makeIfMissing(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await unlessThere(writeFile(path, path.endsWith('.json') ? '{}' : '', { mode: 0o600, flag: 'wx' }));
}

/** Also there when it is a link that leads nowhere. */
const makeFolderIfMissing = (path: string) => unlessThere(mkdir(path, { mode: 0o700 }));

async function unlessThere(making: Promise<unknown>): Promise<void> {
  await making.catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
}
