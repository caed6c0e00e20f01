import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { PendingRequest } from '../../protocol/request.ts';
import { attentionText } from './attentionTexts.ts';

/** How many requests the tooltip names. */
const maxNamed = 10;

/** The commands that its tooltip offers. */
const commands = ['sallyport.answerNext', 'sallyport.snooze', 'sallyport.endSnooze'];

/** The item of the status bar: there while something waits for the person or notifications are snoozed, and only then. */
export class StatusItem implements Disposable {
  #item: vscode.StatusBarItem | undefined;
  #shown = '';

  /** `snoozedUntilMs` in milliseconds since the epoch. */
  show(waiting: readonly PendingRequest[], snoozedUntilMs: number | undefined): void {
    const shown = JSON.stringify([waiting.map(({ id, sinceMs }) => [id, sinceMs]), snoozedUntilMs]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    if (waiting.length === 0 && snoozedUntilMs === undefined) {
      this.#item?.hide();
      return;
    }
    const item = (this.#item ??= this.#make());
    const count = waiting.length === 0 ? undefined : vscode.l10n.t('{0} waiting', waiting.length);
    const snoozed =
      snoozedUntilMs === undefined ? undefined : vscode.l10n.t('snoozed until {0}', timeText(snoozedUntilMs));
    const said = [count, snoozed].filter((each) => each !== undefined).join(', ');
    item.text = `${snoozed === undefined ? '$(bell-dot)' : '$(bell-slash)'} ${said}`;
    item.tooltip = tooltip(waiting, snoozed);
    item.accessibilityInformation = { label: vscode.l10n.t('Sallyport: {0}', said) };
    item.backgroundColor =
      count === undefined || snoozed !== undefined
        ? undefined
        : new vscode.ThemeColor('statusBarItem.warningBackground');
    item.show();
  }

  dispose(): void {
    this.#item?.dispose();
  }

  #make(): vscode.StatusBarItem {
    const item = vscode.window.createStatusBarItem('sallyport.waiting', vscode.StatusBarAlignment.Left, 50);
    item.name = 'Sallyport';
    item.command = 'sallyport.showWaiting';
    return item;
  }
}

/** What waits, since when (a time does not grow old while the tooltip is open), and what can be done about it. */
function tooltip(waiting: readonly PendingRequest[], snoozed: string | undefined): vscode.MarkdownString {
  const text = new vscode.MarkdownString('', true);
  text.isTrusted = { enabledCommands: commands };
  for (const request of waiting.slice(0, maxNamed)) {
    const since = vscode.l10n.t('since {0}', timeText(request.sinceMs));
    text.appendText(`${attentionText(request, vscode.l10n)} · ${since}`).appendMarkdown('\n\n');
  }
  const rest = waiting.length - maxNamed;
  if (rest > 0) text.appendText(vscode.l10n.t('and {0} more', rest)).appendMarkdown('\n\n');
  if (snoozed !== undefined) {
    const still = vscode.l10n.t('Notifications of every window are {0}. Cards and badge are not.', snoozed);
    text.appendText(still).appendMarkdown('\n\n');
  }
  const links = [
    ...(waiting.length > 0 ? [link('play', vscode.l10n.t('Answer Next'), 'sallyport.answerNext')] : []),
    snoozed === undefined
      ? link('bell-slash', vscode.l10n.t('Snooze for 10 Minutes'), 'sallyport.snooze')
      : link('bell', vscode.l10n.t('End Snooze'), 'sallyport.endSnooze'),
  ];
  return text.appendMarkdown(links.join(' \u00a0 '));
}

const link = (icon: string, title: string, command: string) => `[$(${icon}) ${title}](command:${command})`;

function timeText(ms: number): string {
  return new Intl.DateTimeFormat(vscode.env.language, { timeStyle: 'short' }).format(ms);
}
