import type { ProcessState } from '../process/processStates.ts';
import type { Look } from './target.ts';

/** The process that keys are meant for, as against a later one of the same number. */
export interface AgentProcess {
  pid: number;
  /** Token of ProcessState. */
  startedAt: string;
}

/**
 * What a terminal is like for the agent in it: a key reaches it only while its process group is in the foreground. What
 * started it, a shell or a wrapper script, may stand in another group.
 */
export function lookOfAgent(look: Look, agent: AgentProcess, state: ProcessState | 'ended' | 'unknown'): Look {
  if (look.state === 'gone' || look.state === 'unreadable') return look;
  if (state === 'unknown') return { state: 'unreadable', why: "The agent's process cannot be looked at." };
  if (state === 'ended' || state.startedAt !== agent.startedAt) return { state: 'gone', why: 'The agent has ended.' };
  if (look.state === 'held') return look;
  const { rows } = look;
  if (state.stopped) return { state: 'held', rows, why: 'The agent is suspended. Type fg in its terminal to go on.' };
  if (state.foreground === state.group) return look;
  return {
    state: 'held',
    rows,
    why: 'Another program is in the foreground of its terminal, so no key would reach the agent.',
  };
}
