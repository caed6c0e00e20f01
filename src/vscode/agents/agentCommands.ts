import type { Services } from '../services.ts';
import type { AgentRow } from './agentRow.ts';

/** Brings the terminal of a row's session before the person. */
export async function showAgentTerminal(services: Services, target: unknown): Promise<void> {
  if (isAgentRow(target)) await (await services.terminals()).show(target.located?.place);
}

/** Opens the chat of a row's session, which has ended, in a terminal of ours. */
export async function resumeAgent(services: Services, target: unknown): Promise<void> {
  if (!isAgentRow(target)) return;
  const { chatId, cwd, processes, located } = target;
  const pids = processes.map(({ pid }) => pid);
  await (await services.terminals()).agents.reopen({ chatId, cwd, place: located?.place, pids });
}

/** Only the Agents view passes objects of this form. */
export function isAgentRow(target: unknown): target is AgentRow {
  return typeof target === 'object' && target !== null && 'kind' in target && target.kind === 'agent';
}
