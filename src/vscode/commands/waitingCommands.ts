import * as vscode from 'vscode';
import { isAgentRow } from '../agents/agentCommands.ts';
import { answerNext } from '../answerNext/answerNext.ts';
import type { Services } from '../services.ts';
import { requireTrust } from '../trust.ts';

const snoozeMs = 10 * 60_000;

/** "Show Waiting": the view, or the card of a row's session in it. */
export async function showWaiting(services: Services, target: unknown): Promise<void> {
  const requestId = isAgentRow(target) ? target.requestId : undefined;
  if (requestId === undefined) await vscode.commands.executeCommand('sallyport.waiting.focus');
  else await (await services.desk()).showCard(requestId);
}

/** "Answer Next". */
export async function walkQueue(services: Services): Promise<void> {
  if (!requireTrust()) return;
  const desk = await services.desk();
  await desk.start();
  await answerNext(desk);
}

/** "Snooze for 10 Minutes", in every window. */
export async function snooze(services: Services): Promise<void> {
  const desk = await services.desk();
  await desk.start();
  await desk.snooze.start(snoozeMs);
}

/** "End Snooze". */
export async function endSnooze(services: Services): Promise<void> {
  await (await services.desk()).snooze.end();
}
