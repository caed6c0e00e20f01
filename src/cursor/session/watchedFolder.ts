import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disposable } from '../../base/disposable.ts';
import type { FolderListener, FolderWatch, FolderWatches } from './folderWatch.ts';
import { oneAtATime } from './oneAtATime.ts';

/** What stands for a folder in another one. */
export interface FolderChild extends Disposable {
  /** It may have been gone for a moment. */
  ensure(): void;
}

/** A folder of folders, with something for each of them that the opener wants. */
export class WatchedFolder implements FolderChild, FolderListener {
  readonly #path: string;
  readonly #open: (name: string, path: string) => FolderChild | undefined;
  readonly #children = new Map<string, FolderChild>();
  readonly #watch: FolderWatch;
  readonly #list = oneAtATime(() => this.#update());
  #disposed = false;

  constructor(path: string, watches: FolderWatches, open: (name: string, path: string) => FolderChild | undefined) {
    this.#path = path;
    this.#open = open;
    this.#watch = watches.watch(path, this);
    void this.#list();
  }

  changed(_name: string | undefined, cameOrWent: boolean): void {
    if (cameOrWent) void this.#list();
  }

  tick(): void {
    void this.#list();
  }

  ensure(): void {
    if (this.#watch.ensure()) void this.#list();
  }

  dispose(): void {
    this.#disposed = true;
    this.#watch.dispose();
    for (const child of this.#children.values()) child.dispose();
    this.#children.clear();
  }

  async #update(): Promise<void> {
    const found = await foldersIn(this.#path);
    if (this.#disposed) return;
    for (const [name, child] of this.#children) {
      if (found.has(name)) child.ensure();
      else {
        this.#children.delete(name);
        child.dispose();
      }
    }
    for (const [name, path] of found) {
      if (this.#children.has(name)) continue;
      const child = this.#open(name, path);
      if (child) this.#children.set(name, child);
    }
  }
}

/** The real paths of the folders in a folder, by their names there. */
async function foldersIn(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  const found = await Promise.all(
    entries.map(async (entry): Promise<[string, string] | undefined> => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return [entry.name, path];
      if (!entry.isSymbolicLink()) return undefined;
      const real = await realpath(path).catch(() => undefined);
      return real === undefined ? undefined : [entry.name, real];
    }),
  );
  return new Map(found.filter((each) => each !== undefined));
}
