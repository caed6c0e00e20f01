import { realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Disposable } from '../../base/disposable.ts';
import { chatsName } from '../store/storePaths.ts';
import type { FolderWatch, FolderWatches } from './folderWatch.ts';
import { oneAtATime } from './oneAtATime.ts';

/** Finds out where a root's `chats` lies, now and whenever that changes. */
export class ChatsPlace implements Disposable {
  readonly root: string;
  /** The real path; undefined while there is none. */
  real: string | undefined;
  readonly #target: string;
  readonly #watches: FolderWatches;
  readonly #onDidChange: () => void;
  readonly #resolve = oneAtATime(() => this.#look());
  #watched: { folder: string; watch: FolderWatch } | undefined;
  #disposed = false;

  constructor(root: string, watches: FolderWatches, onDidChange: () => void) {
    this.root = root;
    this.#target = join(root, chatsName);
    this.#watches = watches;
    this.#onDidChange = onDidChange;
    void this.#resolve();
  }

  dispose(): void {
    this.#disposed = true;
    this.#watched?.watch.dispose();
    this.#watched = undefined;
  }

  async #look(): Promise<void> {
    const above = await nearestAbove(this.#target);
    if (this.#disposed) return;
    if (this.#watched?.folder !== above) {
      // Only what is seen once the watch is there can be relied on.
      this.#watchFrom(above);
      void this.#resolve();
      return;
    }
    this.real = await realpath(this.#target).catch(() => undefined);
    this.#onDidChange();
  }

  #watchFrom(folder: string): void {
    this.#watched?.watch.dispose();
    const [next] = relative(folder, this.#target).split(sep);
    const watch = this.#watches.watch(folder, {
      changed: (name, cameOrWent) => {
        const isOurs = name === undefined || name === next || this.#watched?.folder.endsWith(sep + name) === true;
        if (cameOrWent && isOurs) void this.#resolve();
      },
      tick: () => void this.#resolve(),
    });
    this.#watched = { folder, watch };
  }
}

/** The folder above a path that exists and is nearest to it. */
async function nearestAbove(path: string): Promise<string> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const isFolder = await stat(folder).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (isFolder || dirname(folder) === folder) return folder;
  }
}
