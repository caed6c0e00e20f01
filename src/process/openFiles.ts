import type { FileHolders, ProcessDetails } from './fileHolders.ts';
import { createLinuxOpenFiles } from './linuxOpenFiles.ts';
import { createLsofOpenFiles } from './lsofOpenFiles.ts';

/** Looks at what processes hold open. Nothing rejects. */
export interface OpenFiles {
  /** The processes that have each of these files open, this one left out, in their order. Costs hardly more for many files. */
  holdersOf(files: readonly string[]): Promise<FileHolders[]>;
  /** Undefined when the process is gone. */
  details(pid: number): Promise<ProcessDetails | undefined>;
}

/** Looks the way the platform allows: /proc on Linux, lsof and ps on macOS, not at all elsewhere. */
export function createOpenFiles(platform: NodeJS.Platform = process.platform): OpenFiles {
  if (platform === 'linux') return createLinuxOpenFiles();
  if (platform === 'darwin') return createLsofOpenFiles();
  return {
    holdersOf: (files) =>
      Promise.resolve(
        files.map(() => ({ holders: [], blind: `It is not known how to ask ${platform} who has a file open.` })),
      ),
    details: () => Promise.resolve(undefined),
  };
}
