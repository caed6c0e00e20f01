import * as vscode from 'vscode';
import type { ConfigProblem } from '../config.ts';
import { said } from './l10n.ts';
import { messageText } from './messageText.ts';
import { openSetting } from './openSettings.ts';

/** Says which setting was not used, why, and what is used instead, with the button that opens it. */
export async function tellOfProblem({ setting, message }: ConfigProblem): Promise<void> {
  const open = vscode.l10n.t('Open Setting');
  const shown = vscode.l10n.t('A setting is not used. {0}', messageText(said(message, vscode.l10n), 500));
  if ((await vscode.window.showWarningMessage(shown, open)) === open) await openSetting(setting);
}
