import * as vscode from 'vscode';
import { oneLine, showHidden } from '../../base/displayText.ts';
import type { RunPhase } from '../../delegation/task.ts';
import type { RunRecord, RunStatus } from '../../journal/entry.ts';
import { type DayNode, type RunNode, contextWords, startOfDay } from './runNode.ts';
import { accessText, engineNames, modelText, phaseText, rowText, statusText } from './runText.ts';
import { said } from '../l10n.ts';

/** Longer titles would push agent and time out of a narrow view; the tooltip has them whole. */
const titleChars = 40;

/**
 * The row of a run: what it is about comes first, so that it is read in the narrowest view. Its tooltip is asked for when
 * it is wanted (`runTooltip`). `now` in ms since the epoch.
 */
export function runItem(node: RunNode, now: number): vscode.TreeItem {
  const { record, live, workers } = node;
  const title = oneLine(record.title, titleChars) || vscode.l10n.t('Untitled run');
  const state = rowText(record, live?.phase, now);
  const item = new vscode.TreeItem(record.ledBy === undefined ? title : workerTitle(record), collapsible(node));
  item.id = record.runId;
  item.description = state;
  item.iconPath = live ? phaseIcon(live.phase) : statusIcon(record.status);
  item.contextValue = contextWords(node);
  item.accessibilityInformation = { label: `${title}, ${statusText(record.status)}, ${state}` };
  if (record.status !== 'running' && workers.length === 0)
    item.command = { command: 'sallyport.openResult', title: vscode.l10n.t('Open Result'), arguments: [node] };
  return item;
}

/** All workers of a lead are about the same: what tells them apart is who they are. */
function workerTitle({ level, engine, tool, model }: RunRecord): string {
  const who = [engineNames[engine], model].filter((word) => word !== undefined).join(' ');
  if (tool.endsWith('_arbiter')) return vscode.l10n.t('Arbiter: {0}', who);
  return level === undefined ? who : vscode.l10n.t('Level {0}: {1}', level, who);
}

function collapsible({ live, workers }: RunNode): vscode.TreeItemCollapsibleState {
  if (workers.length === 0) return vscode.TreeItemCollapsibleState.None;
  return live ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed;
}

/** The row of a day. */
export function dayItem({ start, runs, isOpen }: DayNode, now: number): vscode.TreeItem {
  const item = new vscode.TreeItem(
    dayText(start, startOfDay(now)),
    isOpen ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = `day ${start}`;
  item.description = String(runs.length);
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

/** All that is known of a run. Text of agents enters as text, never as Markdown. */
export function runTooltip({ record, live }: RunNode): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  const line = (name: string, value: string | undefined) => {
    if (value === undefined) return;
    text.appendMarkdown('\n\n**').appendText(name).appendMarkdown('** ').appendText(showHidden(value));
  };
  text.appendText(showHidden(record.title));
  line(vscode.l10n.t('Agent'), engineNames[record.engine]);
  line(vscode.l10n.t('Model'), modelText(record));
  line(vscode.l10n.t('Status'), statusText(record.status));
  line(
    vscode.l10n.t('Reason'),
    record.status === 'failed' && record.message !== undefined ? said(record.message, vscode.l10n) : undefined,
  );
  line(vscode.l10n.t('Access'), accessText(record.access));
  line(vscode.l10n.t('Started'), new Date(record.startedAt).toLocaleString(vscode.env.language));
  line(vscode.l10n.t('Step'), live && phaseText(live.phase));
  line(vscode.l10n.t('Folder'), record.origin ?? record.cwd);
  line(vscode.l10n.t('Branch'), record.branch);
  line(vscode.l10n.t('Session'), live?.handle ?? (record.sessionId && `${record.engine}:${record.sessionId}`));
  if (record.files.length > 0) line(vscode.l10n.t('Files changed'), String(record.files.length));
  return text;
}
