import * as vscode from 'vscode';

/** Whether a process may start here. In Restricted Mode says why not, with the way out, and returns false. */
export function requireTrust(): boolean {
  if (vscode.workspace.isTrusted) return true;
  void explainRestrictedMode();
  return false;
}

async function explainRestrictedMode(): Promise<void> {
  const manage = vscode.l10n.t('Manage Workspace Trust');
  const message = vscode.l10n.t(
    'Sallyport starts no agent in Restricted Mode. Trust this workspace to delegate work in it.',
  );
  if ((await vscode.window.showWarningMessage(message, manage)) === manage) {
    await vscode.commands.executeCommand('workbench.trust.manage');
  }
}
