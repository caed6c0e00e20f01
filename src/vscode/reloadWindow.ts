import * as vscode from 'vscode';
import { reloadAdvice } from '../base/ownFiles.ts';

/** Whether a text advises to reload the window, because the extension's files were replaced under it. */
export function advisesReload(text: string): boolean {
  return text.includes(reloadAdvice.window) || text.includes(reloadAdvice.either);
}

/** A button of a message, and what it does. */
export interface Remedy {
  label: string;
  act(): unknown;
}

/** The button that goes with such a text. */
export function reloadButton(): Remedy {
  return {
    label: vscode.l10n.t('Reload Window'),
    act: () => vscode.commands.executeCommand('workbench.action.reloadWindow'),
  };
}
