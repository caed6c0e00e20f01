import * as vscode from 'vscode';
import { oneLine, showHidden } from '../../base/displayText.ts';
import type { RunPhase } from '../../delegation/task.ts';
import type { RunStatus } from '../../journal/entry.ts';
import { type DayNode, type RunNode, contextWords, startOfDay } from './runNode.ts';
import { accessText, engineNames, modelText, rowText, statusText } from './runText.ts';

/** Longer titles would push agent and time out of a narrow view; the tooltip has them whole. */
const titleChars = 40;

/** The row of a run: what it is doing comes first while it lives, what it was about afterwards. `now` in ms since the epoch. */
export function runItem(node: RunNode, now: number): vscode.TreeItem {
  const { record, live } = node;
  const title = oneLine(record.title, titleChars) || vscode.l10n.t('Untitled run');
  const state = rowText(record, live?.phase, now);
  const isLive = record.status === 'running';
  const item = new vscode.TreeItem(isLive ? state : title, vscode.TreeItemCollapsibleState.None);
  item.id = record.runId;
  item.description = isLive ? title : state;
  item.iconPath = live ? phaseIcon(live.phase) : statusIcon(record.status);
  item.tooltip = tooltip(node);
  item.contextValue = contextWords(node);
  item.accessibilityInformation = { label: `${title}, ${statusText(record.status)}, ${state}` };
  if (!isLive)
    item.command = { command: 'sallyport.openResult', title: vscode.l10n.t('Open Result'), arguments: [node] };
  return item;
}

/** The row of a day. The newest days start open. */
export function dayItem({ start }: DayNode, now: number): vscode.TreeItem {
  const today = startOfDay(now);
  const isRecent = start >= startOfDay(today - 1);
  const item = new vscode.TreeItem(
    dayText(start, today),
    isRecent ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = `day ${start}`;
  item.contextValue = 'day';
  return item;
}

function dayText(start: number, today: number): string {
  if (start >= today) return vscode.l10n.t('Today');
  if (start >= startOfDay(today - 1)) return vscode.l10n.t('Yesterday');
  return new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'full' }).format(start);
}

function phaseIcon(phase: RunPhase): vscode.ThemeIcon {
  switch (phase.kind) {
    case 'waiting':
      return new vscode.ThemeIcon('clock');
    case 'retrying':
      return new vscode.ThemeIcon('sync~spin');
    case 'stopping':
      return new vscode.ThemeIcon('debug-stop');
    case 'running':
    case 'ended':
      return new vscode.ThemeIcon('loading~spin');
  }
}

function statusIcon(status: RunStatus): vscode.ThemeIcon {
  switch (status) {
    case 'running':
      return new vscode.ThemeIcon('loading~spin');
    case 'completed':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed'));
    case 'cancelled':
      return new vscode.ThemeIcon('circle-slash');
    case 'lost':
      return new vscode.ThemeIcon('question');
  }
}

/** Text of agents enters as text, never as Markdown. */
function tooltip({ record, live }: RunNode): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  const line = (name: string, value: string | undefined) => {
    if (value === undefined) return;
    text.appendMarkdown('\n\n**').appendText(name).appendMarkdown('** ').appendText(showHidden(value));
  };
  text.appendText(showHidden(record.title));
  line(vscode.l10n.t('Agent'), engineNames[record.engine]);
  line(vscode.l10n.t('Model'), modelText(record));
  line(vscode.l10n.t('Status'), statusText(record.status));
  line(vscode.l10n.t('Reason'), record.status === 'failed' ? record.message : undefined);
  line(vscode.l10n.t('Access'), accessText(record.access));
  line(vscode.l10n.t('Started'), new Date(record.startedAt).toLocaleString(vscode.env.language));
  line(vscode.l10n.t('Folder'), record.cwd);
  line(vscode.l10n.t('Session'), live?.handle ?? (record.sessionId && `${record.engine}:${record.sessionId}`));
  if (record.files.length > 0) line(vscode.l10n.t('Files changed'), String(record.files.length));
  return text;
}
