import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { isInside } from '../base/inside.ts';

/** Tells what a workspace could have put there, so that nothing of it is ever run as the person's own program. */
export class WorkspaceBounds {
  readonly #folders: readonly string[];

  private constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** Of workspace folders as the editor names them (absolute). */
  static async of(folders: readonly string[]): Promise<WorkspaceBounds> {
    const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
    return new WorkspaceBounds([...new Set([...folders, ...real])]);
  }

  /**
   * Whether a path lies in a workspace folder, or in the `node_modules` of a folder that a workspace folder lies in (a
   * package of a monorepo opened alone). Symbolic links are the caller's to resolve: ask for both ends.
   */
  own(path: string): boolean {
    if (this.#folders.some((folder) => isInside(path, folder))) return true;
    const parts = path.split(sep);
    return parts.some((part, index) => {
      if (part !== 'node_modules') return false;
      const project = parts.slice(0, index).join(sep) || sep;
      return this.#folders.some((folder) => isInside(folder, project));
    });
  }
}
