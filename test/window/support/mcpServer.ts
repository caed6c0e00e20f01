import * as vscode from 'vscode';
import { eventually } from './eventually.ts';

const toolNames = () => vscode.lm.tools.map(({ name }) => name).filter((name) => name.includes('sallyport'));

/** Has the editor start the server as the chat would. The first calls after start-up find nothing to start yet. */
export async function startSallyportServer(): Promise<string[]> {
  return eventually('the tools of Sallyport', async () => {
    if (toolNames().length === 0) {
      await vscode.commands.executeCommand('workbench.mcp.startServer', '*', { waitForLiveTools: true });
    }
    const names = toolNames();
    return names.length > 0 && names;
  });
}
