import { isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';
import { oneLine } from '../../base/displayText.ts';
import type { RunRecord } from '../../journal/entry.ts';
import type { FileChange } from '../../protocol/model.ts';
import { keptAddress } from '../changes/keptFiles.ts';
import { engineNames } from '../runs/runText.ts';
import { handleOf } from '../runs/runNode.ts';
import type { RunStates, Services } from '../services.ts';

/** One row of the editor's multi-file diff: what it is about, before, after. */
type DiffRow = [file: vscode.Uri, before: vscode.Uri | undefined, after: vscode.Uri | undefined];

/** Opens what a run changed: a diff against the state before it, or the list of files where no such state was kept. */
export async function showChangesOf(services: Services, record: RunRecord): Promise<void> {
  if (record.files.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('This run changed no files.'));
    return;
  }
  const states = await services.states(handleOf(record));
  const rows = states && (await diffRows(record, states));
  if (rows && rows.length > 0) {
    await vscode.commands.executeCommand('vscode.changes', diffTitle(record), rows);
  } else {
    await pickFile(record);
  }
}

function diffTitle(record: RunRecord): string {
  const name = engineNames[record.engine];
  const title = oneLine(record.title, 60);
  return record.origin === undefined
    ? vscode.l10n.t('{0}: {1} (before and now)', name, title)
    : vscode.l10n.t('{0}: {1} (before and after)', name, title);
}

/** The right side is the file itself, to go on with; of a worktree, which may be gone, it is what the worker left. */
async function diffRows(record: RunRecord, { before, after }: RunStates): Promise<DiffRow[]> {
  const rows: DiffRow[] = [];
  const inWorktree = record.origin !== undefined;
  const handle = handleOf(record);
  for (const change of record.files) {
    const isKept = change.kind !== 'added' && (await before(change.path)) !== undefined;
    if (change.kind !== 'added' && !isKept) continue;
    const file = fileOf(record, change);
    const later = inWorktree && after ? keptAddress('after', handle, change.path, file) : file;
    const earlier = isKept ? keptAddress('before', handle, change.path, file) : undefined;
    rows.push([file, earlier, change.kind === 'deleted' ? undefined : later]);
  }
  return rows;
}

/** Without an earlier state there is nothing to compare with; the files themselves can be opened. */
async function pickFile(record: RunRecord): Promise<void> {
  const words: Record<FileChange['kind'], string> = {
    added: vscode.l10n.t('added'),
    modified: vscode.l10n.t('modified'),
    deleted: vscode.l10n.t('deleted'),
  };
  const rows = record.files.map((change) => ({
    label: oneLine(change.path, 120),
    description: words[change.kind],
    change,
  }));
  const title = vscode.l10n.t('Files the run changed (the folder is under no git, so there is no diff)');
  const row = await vscode.window.showQuickPick(rows, { title });
  if (row && row.change.kind !== 'deleted') await vscode.window.showTextDocument(fileOf(record, row.change));
}

function fileOf(record: RunRecord, { path }: FileChange): vscode.Uri {
  return vscode.Uri.file(isAbsolute(path) ? path : join(record.cwd, path));
}
