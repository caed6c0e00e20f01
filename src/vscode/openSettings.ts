import * as vscode from 'vscode';

/** Opens the settings of ours that match; all of them for an empty query. */
export async function openSettings(query: string): Promise<void> {
  await openPage(`@ext:sallyport.sallyport ${query}`.trim());
}

/** Opens one setting, by its full name (`sallyport.tiers`). A level of a ladder (`sallyport.tiers.2`) opens its ladder. */
export async function openSetting(name: string): Promise<void> {
  await openPage(`@id:${name.replace(/\.\d+$/, '')}`);
}

/** In a remote window they are the remote machine's: the editor shows settings of machine scope on that page alone. */
async function openPage(query: string): Promise<void> {
  const page = vscode.env.remoteName === undefined ? 'openSettings' : 'openRemoteSettings';
  await vscode.commands.executeCommand(`workbench.action.${page}`, { query });
}
