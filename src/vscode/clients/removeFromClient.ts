import * as vscode from 'vscode';
import type { CliClient } from '../../clients/clientTable.ts';
import { messageText } from '../messageText.ts';
import { requireTrust } from '../trust.ts';
import { foldersOnDisk } from '../workspaceFolders.ts';
import { commandOf, firstLine, reportCommandFailure } from './addToClient.ts';
import { confirmCommands, runCommand } from './clientCommand.ts';
import { pickClient } from './clientPick.ts';
import type { ClientTools } from './clientTools.ts';

/** "Remove Sallyport from Another Client…": what adding it did, undone in the same way. */
export async function removeFromClient(tools: ClientTools): Promise<void> {
  const launcher = (await tools.launcher.exists()) ? tools.launcher.path : undefined;
  const choice = await pickClient(vscode.l10n.t('Remove Sallyport from which client?'), 'remove', launcher);
  if (choice?.kind === 'paste') await tools.documents.open(choice.client);
  if (choice?.kind === 'launcher') await removeLauncher(tools);
  if (choice?.kind === 'command' && requireTrust()) await removeByCommand(tools, choice.client);
}

async function removeByCommand(tools: ClientTools, client: CliClient): Promise<void> {
  // Where an entry holds for one folder alone, its client finds it from there.
  const command = await commandOf(tools, client, client.remove, foldersOnDisk()[0]?.uri.fsPath);
  if (!command || !(await confirmCommands(vscode.l10n.t('Remove Sallyport from {0}?', client.title), [command], '')))
    return;
  const ran = await runCommand(command, tools.capture);
  if (ran.ok) await reportRemoved(tools, client, ran.output);
  else await reportCommandFailure(tools, command, ran);
}

async function reportRemoved(tools: ClientTools, { id, title }: CliClient, output: string): Promise<void> {
  tools.log.info(`clients: removed from ${title}: ${output}`);
  const launcher = vscode.l10n.t('Remove the Launcher…');
  const hook = vscode.l10n.t('Remove the Hook');
  const actions = [
    ...((await tools.launcher.exists()) ? [launcher] : []),
    ...(id === 'claude' && (await tools.hook().isInstalled()) ? [hook] : []),
  ];
  const message = vscode.l10n.t('{0} says: {1}', title, messageText(firstLine(output)));
  const chosen = await vscode.window.showInformationMessage(message, ...actions);
  if (chosen === launcher) await removeLauncher(tools);
  if (chosen === hook) await vscode.commands.executeCommand('sallyport.removeClaudeHook');
}

/** Nobody but the clients knows which of them name it. */
async function removeLauncher({ launcher }: ClientTools): Promise<void> {
  const remove = vscode.l10n.t('Remove');
  const consequence = vscode.l10n.t(
    'A client that still names it can then no longer start Sallyport. "Add Sallyport to Another Client…" makes it again.',
  );
  const detail = `${launcher.path}\n\n${consequence}`;
  const question = vscode.l10n.t('Remove the launcher?');
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) !== remove) return;
  await launcher.remove();
  vscode.window.setStatusBarMessage(vscode.l10n.t('The launcher was removed'), 5_000);
}
