import * as vscode from 'vscode';

/**
 * Opens the settings of ours that match; all of them for an empty query. In a remote window they are the remote machine's: the editor shows settings of
 * machine scope on that page alone.
 */
export async function openSettings(query: string): Promise<void> {
  const page = vscode.env.remoteName === undefined ? 'openSettings' : 'openRemoteSettings';
  await vscode.commands.executeCommand(`workbench.action.${page}`, {
    query: `@ext:sallyport.sallyport ${query}`.trim(),
  });
}
