import type { SessionProcess } from '../../cursor/session/liveness.ts';
import type { Located } from '../../keys/target.ts';

/**
 * What a session does, as far as it can be seen. `working`: a call runs, or the model has the word. `idle`: the person has it.
 * `unknown`: see `why`.
 */
export type AgentState = 'waiting' | 'mayBeWaiting' | 'working' | 'idle' | 'ended' | 'unknown';

/** A session of Cursor, as a row of the view. Texts are the agent's own, raw. */
export interface AgentRow {
  kind: 'agent';
  /** The folder of its chat: the same for as long as it is seen. */
  id: string;
  chatId: string;
  /** Its working folder, absolute. */
  cwd: string | undefined;
  title: string;
  state: AgentState;
  /** Why nothing more is known, for people. */
  why: string | undefined;
  /** The request that waits longest. */
  requestId: string | undefined;
  /** How many of its requests wait. */
  waiting: number;
  /** When its chat last moved on, in milliseconds since the epoch. */
  writtenAtMs: number | undefined;
  /** Live sub-agents of it, by their kind. */
  subagents: readonly string[];
  processes: readonly SessionProcess[];
  /** Where its terminal is; undefined while that is not known. */
  located: Located | undefined;
}

/** The words that `when` clauses of the manifest look for in `viewItem`. */
export function contextWords({ state, located, requestId }: AgentRow): string {
  const words = ['agent', state === 'ended' ? 'ended' : 'live'];
  if (located?.place !== undefined) words.push('place');
  if (requestId !== undefined) words.push('request');
  return words.join(' ');
}
