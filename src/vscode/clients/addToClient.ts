import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { CliClient, Scope } from '../../clients/clientTable.ts';
import { messageText } from '../messageText.ts';
import { requireTrust } from '../trust.ts';
import { foldersOnDisk } from '../workspaceFolders.ts';
import { type ClientCommand, confirmCommands, type Ran, runCommand, shown } from './clientCommand.ts';
import { pickClient, pickScope } from './clientPick.ts';
import type { ClientTools } from './clientTools.ts';
import { said } from '../l10n.ts';

/** "Add Sallyport to Another Client…": by the client's own command, shown before it is run, or by showing what to paste. */
export async function addToClient(tools: ClientTools): Promise<void> {
  if (!requireTrust()) return;
  const choice = await pickClient(vscode.l10n.t('Add Sallyport to which client?'), 'add');
  if (choice?.kind === 'paste') {
    await tools.launcher.write();
    await tools.documents.open(choice.client);
  }
  if (choice?.kind === 'command') await addByCommand(tools, choice.client);
}

async function addByCommand(tools: ClientTools, client: CliClient): Promise<void> {
  const folder = foldersOnDisk()[0]?.uri.fsPath;
  const scope = await pickScope(client, folder);
  const command = scope && (await addingCommand(tools, client, scope, folder));
  if (!command) return;
  const note = vscode.l10n.t(
    '{0} writes this into its own configuration. "Remove Sallyport from Another Client…" undoes it.',
    client.title,
  );
  if (!(await confirmCommands(vscode.l10n.t('Add Sallyport to {0}?', client.title), [command], note))) return;
  await tools.launcher.write();
  await add(tools, client, command);
}

async function addingCommand(
  tools: ClientTools,
  client: CliClient,
  scope: Scope,
  folder: string | undefined,
): Promise<ClientCommand | undefined> {
  const cwd = scope === 'local' ? folder : undefined;
  return commandOf(tools, client, client.add(tools.launcher.command, scope), cwd);
}

async function add(tools: ClientTools, client: CliClient, command: ClientCommand): Promise<void> {
  const ran = await runCommand(command, tools.capture);
  if (ran.ok) await reportAdded(tools, client, ran);
  else if (client.hasOneAlready(ran.output)) await offerToReplace(tools, client, command, ran);
  else await reportCommandFailure(tools, command, ran);
}

async function reportAdded(tools: ClientTools, { id, title }: CliClient, { output }: Ran): Promise<void> {
  tools.log.info(`clients: added to ${title}: ${output}`);
  const message = vscode.l10n.t(
    '{0} says: {1} Sessions that are open now see it when they are started anew.',
    title,
    messageText(withEnd(firstLine(output))),
  );
  const offer = id === 'claude' && !(await tools.hook().isInstalled());
  const install = vscode.l10n.t('Add a Reminder Hook…');
  if ((await vscode.window.showInformationMessage(message, ...(offer ? [install] : []))) === install) {
    await vscode.commands.executeCommand('sallyport.installClaudeHook');
  }
}

/** An entry of the same name may be of an earlier Sallyport, or somebody else's: the person decides. */
async function offerToReplace(tools: ClientTools, client: CliClient, adding: ClientCommand, ran: Ran): Promise<void> {
  const removing: ClientCommand = { ...adding, args: client.remove };
  const replace = vscode.l10n.t('Replace It…');
  const message = vscode.l10n.t('{0} says: {1}', client.title, messageText(firstLine(ran.output)));
  if ((await vscode.window.showWarningMessage(message, replace)) !== replace) return;
  const question = vscode.l10n.t('Replace what {0} has under this name?', client.title);
  if (!(await confirmCommands(question, [removing, adding], ''))) return;
  const removed = await runCommand(removing, tools.capture);
  if (!removed.ok) {
    await reportCommandFailure(tools, removing, removed);
    return;
  }
  const added = await runCommand(adding, tools.capture);
  if (added.ok) await reportAdded(tools, client, added);
  else await reportCommandFailure(tools, adding, added);
}

/** Undefined, after saying why and what to do, when the client's program is not there. */
export async function commandOf(
  tools: ClientTools,
  { id, title, program }: CliClient,
  args: readonly string[],
  cwd = homedir(),
): Promise<ClientCommand | undefined> {
  const ready = await tools.program(id);
  if (ready.ok) return { file: ready.installed.binary, program, args, cwd, env: await tools.environment() };
  const byHand = vscode.l10n.t('Show How by Hand');
  const message = vscode.l10n.t('{0} cannot be asked: {1}', title, messageText(said(ready.message, vscode.l10n), 400));
  if ((await vscode.window.showWarningMessage(message, byHand)) === byHand) {
    await tools.launcher.write();
    await tools.documents.open(undefined);
  }
  return undefined;
}

/** What a client said when its command failed, word for word. */
export async function reportCommandFailure(tools: ClientTools, command: ClientCommand, { output }: Ran): Promise<void> {
  tools.log.error(`clients: ${shown(command)}\n${output}`);
  const showLog = vscode.l10n.t('Show Log');
  const said = messageText(output === '' ? vscode.l10n.t('It said nothing.') : output, 400);
  const message = vscode.l10n.t('"{0}" failed. {1}', shown(command), said);
  if ((await vscode.window.showErrorMessage(message, showLog)) === showLog) tools.log.show();
}

export function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? '';
}

function withEnd(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
