import { pidExists } from '../base/pidExists.ts';
import { createLinuxStates } from './linuxStates.ts';
import { createPsStates } from './psStates.ts';

/** Where a live process stands. */
export interface ProcessState {
  parent: number;
  /** Its process group. */
  group: number;
  /** The process that leads its session; undefined where the platform does not tell. */
  session: number | undefined;
  /** Absolute path of its controlling terminal. */
  tty: string | undefined;
  /** The process group in the foreground of that terminal: what is typed goes to it. */
  foreground: number | undefined;
  /** It is suspended (ctrl+z). */
  stopped: boolean;
  /** When it started: a token to compare only, which tells it from a later process of the same number. */
  startedAt: string;
}

/** Looks at single processes. Nothing rejects. */
export interface ProcessStates {
  /** `unknown` is never `ended`: it could not be looked at. */
  of(pid: number): Promise<ProcessState | 'ended' | 'unknown'>;
  /** Its parent first. Empty when that cannot be seen. */
  ancestors(pid: number): Promise<number[]>;
  /** The value that a variable had when the process was started. Undefined also when its environment cannot be read. */
  variable(pid: number, name: string): Promise<string | undefined>;
}

/** Looks the way the platform allows: /proc on Linux, ps on macOS. Elsewhere only whether a process has that number. */
export function createProcessStates(platform: NodeJS.Platform = process.platform): ProcessStates {
  if (platform === 'linux') return createLinuxStates();
  if (platform === 'darwin') return createPsStates();
  return {
    of: (pid) => Promise.resolve(pidExists(pid) ? 'unknown' : 'ended'),
    ancestors: () => Promise.resolve([]),
    variable: () => Promise.resolve(undefined),
  };
}
