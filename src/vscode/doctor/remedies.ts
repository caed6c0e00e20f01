import * as vscode from 'vscode';
import { openTerminalWith } from '../commands/terminal.ts';
import { openSettings } from '../openSettings.ts';
import type { Remedy } from './finding.ts';

/** Does what a button says. Returns the terminal that a command was typed into, when it was. */
export async function apply(remedy: Remedy): Promise<vscode.Terminal | undefined> {
  switch (remedy.kind) {
    case 'terminal':
      return await openTerminalWith(remedy.command);
    case 'settings':
      if (remedy.whose === 'own') await openSettings(remedy.query);
      else await vscode.commands.executeCommand('workbench.action.openSettings', remedy.query);
      return undefined;
    case 'command':
      await vscode.commands.executeCommand(remedy.id);
      return undefined;
    case 'link':
      await vscode.env.openExternal(vscode.Uri.parse(remedy.address));
      return undefined;
  }
}
