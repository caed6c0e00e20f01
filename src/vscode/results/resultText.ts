import * as vscode from 'vscode';
import { oneLine, showHidden } from '../../base/displayText.ts';
import type { RunRecord } from '../../journal/entry.ts';
import { formatDuration } from '../duration.ts';
import { accessText, engineNames, modelText, statusText } from '../runs/runText.ts';
import { said } from '../l10n.ts';

/** The document of a run: what ran and how it ended, then what it said (`text`, already redacted). */
export function resultText(record: RunRecord, text: string): string {
  const title = oneLine(record.title, 120);
  return [
    `# ${engineNames[record.engine]}${title === '' ? '' : `: ${title}`}`,
    '',
    ...facts(record).map(([name, value]) => `- ${name}: ${value}`),
    ...record.notes.flatMap((note) => ['', `> ${oneLine(said(note, vscode.l10n), 500)}`]),
    '',
    '---',
    '',
    showHidden(text).trimEnd(),
    '',
  ].join('\n');
}

function facts(record: RunRecord): [name: string, value: string][] {
  const rows: [string, string | undefined][] = [
    [vscode.l10n.t('Status'), statusWithTime(record)],
    [vscode.l10n.t('Model'), modelText(record) ?? vscode.l10n.t('the default of the agent')],
    [vscode.l10n.t('Access'), accessText(record.access)],
    [vscode.l10n.t('Folder'), showHidden(record.cwd)],
    [vscode.l10n.t('Session'), record.sessionId && `${record.engine}:${record.sessionId}`],
    [vscode.l10n.t('Files changed'), record.files.map(({ path }) => oneLine(path, 200)).join(', ') || undefined],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== undefined);
}

function statusWithTime({ status, startedAt, endedAt }: RunRecord): string {
  if (endedAt === undefined) return statusText(status);
  return vscode.l10n.t('{0} after {1}', statusText(status), formatDuration(endedAt - startedAt));
}
