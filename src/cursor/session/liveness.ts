import type { OpenFiles } from '../../process/openFiles.ts';

/** The process that a session is. */
export interface SessionProcess {
  pid: number;
  argv: readonly string[];
  /** Absolute path of its controlling terminal; undefined when it has none. */
  tty: string | undefined;
  /** Its live children: commands that run, and helpers such as MCP servers. */
  children: readonly number[];
}

/**
 * Whether a chat's session lives. `processes` is mostly one; several have opened the same chat at once. `unknown` is never
 * `dead`: it stands for whatever could not be seen.
 */
export type Liveness =
  | { state: 'alive'; processes: readonly [SessionProcess, ...SessionProcess[]] }
  | { state: 'dead' }
  | { state: 'unknown'; why: string };

/**
 * Finds the session of a store by who has it open. A session may write to its store for as long as it lives; who only reads
 * (a backup, another window) is none. Never rejects.
 */
export async function sessionOf(storeFile: string, openFiles: OpenFiles): Promise<Liveness> {
  const { holders, blind } = await openFiles.holdersOf(storeFile);
  const details = await Promise.all(holders.filter(({ writes }) => writes).map(({ pid }) => openFiles.details(pid)));
  const found = details.filter((each) => each !== undefined);
  // What a session forked without exec has inherited its files.
  const own = found.filter(({ parent }) => !found.some(({ pid }) => pid === parent));
  const [first, ...others] = own.map(({ pid, argv, tty, children }) => ({ pid, argv, tty, children }));
  if (first) return { state: 'alive', processes: [first, ...others] };
  return blind === undefined ? { state: 'dead' } : { state: 'unknown', why: blind };
}
