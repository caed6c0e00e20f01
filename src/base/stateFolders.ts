import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import envPaths from 'env-paths';

/** Absolute paths of the folders Sallyport keeps its own state in, shared by windows and standalone servers of one user. */
export interface StateFolders {
  /** Everything below is private to the user (0700). */
  root: string;
  /** Append-only journal files, one per process and day. */
  journal: string;
  /** One folder per run, named by its run id. */
  runs: string;
}

/**
 * Names the state folders and creates them (0700). `override` replaces the platform's default root.
 * Throws the file system's error when they cannot be created.
 */
export function openStateFolders(override?: string): StateFolders {
  const root = override ?? envPaths('sallyport', { suffix: '' }).data;
  const folders = { root, journal: join(root, 'journal'), runs: join(root, 'runs') };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folders;
}
