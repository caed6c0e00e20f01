import { basename } from 'node:path';
import * as vscode from 'vscode';
import { oneLine, showHidden } from '../../base/displayText.ts';
import { type AgentRow, type AgentState, contextWords } from './agentRow.ts';
import { said } from '../l10n.ts';

/** Longer names would push the state out of a narrow view; the tooltip has them whole. */
const nameChars = 22;

const icons: Readonly<Record<AgentState, vscode.ThemeIcon>> = {
  waiting: new vscode.ThemeIcon('bell-dot', new vscode.ThemeColor('list.warningForeground')),
  mayBeWaiting: new vscode.ThemeIcon('bell'),
  working: new vscode.ThemeIcon('loading~spin'),
  idle: new vscode.ThemeIcon('circle-outline'),
  ended: new vscode.ThemeIcon('debug-disconnect'),
  unknown: new vscode.ThemeIcon('question'),
};

/** The row of a session: its folder, then what it does. */
export function agentItem(row: AgentRow): vscode.TreeItem {
  const name = oneLine(nameOf(row), nameChars);
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.None);
  const state = stateText(row);
  const about = [state, terminalText(row) ?? '', row.cwd === undefined ? '' : oneLine(row.title, 60)].filter(Boolean);
  item.id = row.id;
  item.description = about.join(' · ');
  item.iconPath = icons[row.state];
  item.tooltip = tooltip(row);
  item.contextValue = contextWords(row);
  item.accessibilityInformation = { label: [name, ...about].join(', ') };
  const command = clickOf(row);
  if (command) item.command = { ...command, arguments: [row] };
  return item;
}

function clickOf({ state, requestId, located }: AgentRow): { command: string; title: string } | undefined {
  if (requestId !== undefined) return { command: 'sallyport.showWaiting', title: vscode.l10n.t('Show Its Card') };
  if (state === 'ended' || located?.place === undefined) return undefined;
  return { command: 'sallyport.showAgentTerminal', title: vscode.l10n.t('Show Terminal') };
}

/** A session's name for people. */
function nameOf({ cwd, title }: AgentRow): string {
  return (cwd === undefined ? title : basename(cwd) || cwd) || vscode.l10n.t('Cursor session');
}

function stateText({ state, waiting }: AgentRow): string {
  switch (state) {
    case 'waiting':
      return waiting > 1 ? vscode.l10n.t('{0} wait for you', waiting) : vscode.l10n.t('waits for you');
    case 'mayBeWaiting':
      return vscode.l10n.t('may wait for you');
    case 'working':
      return vscode.l10n.t('working');
    case 'idle':
      return vscode.l10n.t('idle');
    case 'ended':
      return vscode.l10n.t('ended');
    case 'unknown':
      return vscode.l10n.t('unknown');
  }
}

/** Undefined while it is not known, or is no more. */
function terminalText({ located }: AgentRow): string | undefined {
  if (!located) return undefined;
  return located.kind === 'target' ? oneLine(located.target.title, 60) : vscode.l10n.t('terminal out of reach');
}

/** Text of an agent goes in as text: it makes neither links nor emphasis. */
function tooltip(row: AgentRow): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  const lines: [string, string | undefined][] = [
    [vscode.l10n.t('Folder'), row.cwd],
    [vscode.l10n.t('Title'), row.title || undefined],
    [vscode.l10n.t('State'), stateText(row)],
    [vscode.l10n.t('Why'), whyText(row)],
    [vscode.l10n.t('Terminal'), terminalText(row)],
    ['', row.located?.kind === 'unreachable' ? said(row.located.why, vscode.l10n) : undefined],
    [vscode.l10n.t('Sub-agents'), row.subagents.length === 0 ? undefined : row.subagents.join(', ')],
    [vscode.l10n.t('Process'), row.processes.map(({ pid }) => pid).join(', ') || undefined],
    [vscode.l10n.t('Chat last written'), row.writtenAtMs === undefined ? undefined : timeText(row.writtenAtMs)],
    [vscode.l10n.t('Chat'), row.chatId],
  ];
  for (const [name, value] of lines) {
    if (value === undefined) continue;
    text.appendText(`${name === '' ? '' : `${name}: `}${oneLine(showHidden(value), 500)}`).appendMarkdown('  \n');
  }
  return text;
}

function whyText({ state, why, writtenAtMs }: AgentRow): string | undefined {
  if (state !== 'unknown') return undefined;
  if (why !== undefined) return said(why, vscode.l10n);
  return writtenAtMs === undefined
    ? vscode.l10n.t('Its chat does not tell.')
    : vscode.l10n.t(
        'Its chat has been silent since {0}: the agent may think, or was interrupted.',
        timeText(writtenAtMs),
      );
}

function timeText(ms: number): string {
  return new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' }).format(ms);
}
