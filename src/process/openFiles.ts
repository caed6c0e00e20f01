import { createLinuxOpenFiles } from './linuxOpenFiles.ts';
import { createLsofOpenFiles } from './lsofOpenFiles.ts';

/** Who has a file open. `holders` is all there is to see; `blind` says why others may exist that could not be seen. */
export interface FileHolders {
  holders: readonly FileHolder[];
  blind: string | undefined;
}

export interface FileHolder {
  pid: number;
  /** Whether it may write to it. */
  writes: boolean;
}

/** What can be seen of a live process. */
export interface ProcessDetails {
  pid: number;
  parent: number;
  /** As it was started. Where only one line of text is to be had, its words. */
  argv: readonly string[];
  /** Absolute path of its controlling terminal. */
  tty: string | undefined;
  /** Its live children. */
  children: readonly number[];
}

/** Looks at what processes hold open. Nothing rejects. */
export interface OpenFiles {
  /** The processes that have this file open, this one left out. */
  holdersOf(file: string): Promise<FileHolders>;
  /** Undefined when the process is gone. */
  details(pid: number): Promise<ProcessDetails | undefined>;
}

/** Looks the way the platform allows: /proc on Linux, lsof and ps on macOS, not at all elsewhere. */
export function createOpenFiles(platform: NodeJS.Platform = process.platform): OpenFiles {
  if (platform === 'linux') return createLinuxOpenFiles();
  if (platform === 'darwin') return createLsofOpenFiles();
  return {
    holdersOf: () => Promise.resolve({ holders: [], blind: `It is not known how to ask ${platform} who has a file open.` }),
    details: () => Promise.resolve(undefined),
  };
}
