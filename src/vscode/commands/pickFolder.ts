import * as vscode from 'vscode';
import { foldersOnDisk } from '../workspaceFolders.ts';

/** The folder an agent should work in. Undefined when there is none (after saying so) or the person chose none. */
export async function pickFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = foldersOnDisk();
  if (folders.length > 1) {
    return vscode.window.showWorkspaceFolderPick({
      placeHolder: vscode.l10n.t('Which folder should the agent work in?'),
    });
  }
  if (folders.length === 0) void explainNoFolder();
  return folders[0];
}

async function explainNoFolder(): Promise<void> {
  const open = vscode.l10n.t('Open Folder');
  const message = vscode.l10n.t('An agent works in a folder on disk, and none is open. Open one, then delegate again.');
  if ((await vscode.window.showWarningMessage(message, open)) === open) {
    await vscode.commands.executeCommand('workbench.action.files.openFolder');
  }
}
