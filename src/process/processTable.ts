import { createLinuxTable } from './linuxTable.ts';
import { createMacTable } from './macTable.ts';
import type { Marker } from './marker.ts';

/**
 * Looks at the processes of this machine. A process that ended, or that belongs to someone else, is left out of every
 * answer; nothing rejects.
 */
export interface ProcessTable {
  /** False where a process's environment cannot be read: `processesBearing` and `bornUnder` then find nothing. */
  readonly seesEnvironments: boolean;
  /** Live processes that were started with exactly this entry in their environment. Never this process. */
  processesBearing(marker: Marker): Promise<number[]>;
  /** When the process started, as a token to compare only. Undefined when it is gone or has ended unreaped. */
  startTime(pid: number): Promise<string | undefined>;
  /** Whether the process that had this start time still runs, as against another one under the same number. */
  isAlive(pid: number, startedAt: string): Promise<boolean>;
  /** Whether this process or one above it was started with the variable set, to whatever value. */
  bornUnder(variable: string): Promise<boolean>;
}

/** The table of the platform this process runs on. */
export function createProcessTable(platform: NodeJS.Platform = process.platform): ProcessTable {
  if (platform === 'linux') return createLinuxTable();
  if (platform === 'darwin') return createMacTable();
  return blindTable;
}

/** Windows and others: no environments, no ancestry. A tree is ended there by `taskkill /T` alone. */
const blindTable: ProcessTable = {
  seesEnvironments: false,
  processesBearing: () => Promise.resolve([]),
  startTime: () => Promise.resolve(undefined),
  isAlive: () => Promise.resolve(false),
  bornUnder: () => Promise.resolve(false),
};
