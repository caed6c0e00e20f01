import { isAgentRow } from '../agents/agentCommands.ts';
import type { Services } from '../services.ts';
import { requireTrust } from '../trust.ts';
import { pickFolder } from './pickFolder.ts';

/** "Start Cursor Agent": an ordinary terminal with an agent in it, whose requests can be answered from the Waiting view. */
export async function startCursorAgent(services: Services): Promise<void> {
  if (!requireTrust()) return;
  const folder = await pickFolder();
  if (folder) await (await services.terminals()).agents.start(folder.uri.fsPath);
}

/** "Inspect Chat Store": the chat of a row's session, else one that the person picks. */
export async function inspectChatStore(services: Services, target: unknown): Promise<void> {
  const terminals = await services.terminals();
  if (isAgentRow(target)) await terminals.inspectChat(target.id);
  else await terminals.inspectChats();
}
