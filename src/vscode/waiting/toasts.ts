import * as vscode from 'vscode';
import type { PendingRequest } from '../../protocol/request.ts';
import { attentionText } from './attentionTexts.ts';

/** Says that a request waits. True when the person asks to see it; they can also have no more of these. */
export async function wantsToSee(request: PendingRequest): Promise<boolean> {
  const show = vscode.l10n.t('Show');
  const later = vscode.l10n.t('Later');
  const never = vscode.l10n.t('Don’t Show Again');
  const text = attentionText(request, vscode.l10n);
  const chosen = await vscode.window.showInformationMessage(text, show, later, never);
  if (chosen === never) {
    const settings = vscode.workspace.getConfiguration('sallyport');
    await settings.update('cursor.notify', false, vscode.ConfigurationTarget.Global);
  }
  return chosen === show;
}

/** Says how many wait after a snooze, with the way to them. */
export async function tellWhatCame(count: number): Promise<void> {
  const show = vscode.l10n.t('Show');
  const text = vscode.l10n.t('The snooze is over. {0} waiting.', count);
  if ((await vscode.window.showInformationMessage(text, show)) === show) {
    await vscode.commands.executeCommand('sallyport.waiting.focus');
  }
}
