import type { FileHolders } from '../../process/fileHolders.ts';
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
 * Finds the sessions of stores by who has them open, in their order. A session may write to its store for as long as it
 * lives; who only reads (a backup, another window) is none. Never rejects.
 */
export async function sessionsOf(storeFiles: readonly string[], openFiles: OpenFiles): Promise<Liveness[]> {
  const answers = await openFiles.holdersOf(storeFiles);
  return await Promise.all(answers.map((holders) => livenessBy(holders, openFiles)));
}

async function livenessBy({ holders, blind }: FileHolders, openFiles: OpenFiles): Promise<Liveness> {
  const details = await Promise.all(holders.filter(({ writes }) => writes).map(({ pid }) => openFiles.details(pid)));
  const found = details.filter((each) => each !== undefined);
  // What a session forked without exec has inherited its files.
  const own = found.filter(({ parent }) => !found.some(({ pid }) => pid === parent));
  const [first, ...others] = own.map(({ pid, argv, tty, children }) => ({ pid, argv, tty, children }));
  if (first) return { state: 'alive', processes: [first, ...others] };
  return blind === undefined ? { state: 'dead' } : { state: 'unknown', why: blind };
}
