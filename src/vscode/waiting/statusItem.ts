import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { PendingRequest } from '../../protocol/request.ts';
import { attentionText } from './attentionTexts.ts';

/** How many requests the tooltip names. */
const maxNamed = 10;

/** The item of the status bar: there while something waits for the person, and only then. */
export class StatusItem implements Disposable {
  #item: vscode.StatusBarItem | undefined;

  show(waiting: readonly PendingRequest[]): void {
    if (waiting.length === 0) {
      this.#item?.hide();
      return;
    }
    const item = (this.#item ??= this.#make());
    const count = vscode.l10n.t('{0} waiting', waiting.length);
    item.text = `$(bell-dot) ${count}`;
    const named = waiting.slice(0, maxNamed).map((request) => attentionText(request, vscode.l10n));
    const rest = waiting.length - named.length;
    item.tooltip = [...named, ...(rest > 0 ? [vscode.l10n.t('and {0} more', rest)] : [])].join('\n');
    item.accessibilityInformation = { label: vscode.l10n.t('Sallyport: {0}', count) };
    item.show();
  }

  dispose(): void {
    this.#item?.dispose();
  }

  #make(): vscode.StatusBarItem {
    const item = vscode.window.createStatusBarItem('sallyport.waiting', vscode.StatusBarAlignment.Left, 50);
    item.name = 'Sallyport';
    item.command = 'sallyport.showWaiting';
    item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    return item;
  }
}
