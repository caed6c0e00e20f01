import * as vscode from 'vscode';
import { type CliClient, cliClients, type Scope } from '../../clients/clientTable.ts';

/** Which client: one with a command of its own, one that is shown what to paste, or the launcher itself. */
export type ClientChoice =
  { kind: 'command'; client: CliClient } | { kind: 'paste'; client: string | undefined } | { kind: 'launcher' };

/** Undefined when nothing was picked. */
export async function pickClient(
  title: string,
  verb: 'add' | 'remove',
  launcher?: string,
): Promise<ClientChoice | undefined> {
  const paste =
    verb === 'add' ? vscode.l10n.t('shows what to paste, and where') : vscode.l10n.t('shows what to delete, and where');
  const rows: (vscode.QuickPickItem & { choice: ClientChoice })[] = [
    ...cliClients.map((client) => ({
      label: client.title,
      description: vscode.l10n.t('by its own command, {0}', `${client.program} mcp ${verb}`),
      choice: { kind: 'command', client } as const,
    })),
    { label: 'Cursor', description: paste, choice: { kind: 'paste', client: 'Cursor' } },
    { label: vscode.l10n.t('Other…'), description: paste, choice: { kind: 'paste', client: undefined } },
    ...(launcher === undefined ? [] : [launcherRow(launcher)]),
  ];
  return (await vscode.window.showQuickPick(rows, { title, matchOnDescription: true }))?.choice;
}

function launcherRow(launcher: string): vscode.QuickPickItem & { choice: ClientChoice } {
  return {
    label: vscode.l10n.t('The launcher itself'),
    description: vscode.l10n.t('once no client names it any more'),
    detail: launcher,
    choice: { kind: 'launcher' },
  };
}

/** Where an entry is to hold. Not asked where there is no choice; undefined when nothing was picked. */
export async function pickScope({ title, scopes }: CliClient, folder: string | undefined): Promise<Scope | undefined> {
  if (scopes.length === 1 || folder === undefined) return scopes[0];
  const words: Record<Scope, { label: string; description: string }> = {
    user: { label: vscode.l10n.t('All my projects'), description: 'user' },
    local: { label: vscode.l10n.t('Only this folder, only for me'), description: folder },
  };
  const rows = scopes.map((scope) => ({ ...words[scope], scope }));
  return (await vscode.window.showQuickPick(rows, { title: vscode.l10n.t('Where should {0} have Sallyport?', title) }))
    ?.scope;
}
