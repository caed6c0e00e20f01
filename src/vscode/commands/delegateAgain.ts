import * as vscode from 'vscode';
import type { RunRecord } from '../../journal/entry.ts';
import { oneLine } from '../../base/displayText.ts';
import type { Services } from '../services.ts';
import { requireTrust } from '../trust.ts';
import { askPrompt } from './askPrompt.ts';
import { pickLevel } from './delegate.ts';
import { targetRun } from './target.ts';
import { watchRun } from './watchRun.ts';

/**
 * "Delegate Again at Level…": the same prompt, as it is kept (redacted), to another level, in the same folder and with no
 * more access. The person sees the prompt and confirms it.
 */
export async function delegateAgain(services: Services, target: unknown): Promise<void> {
  if (!requireTrust()) return;
  const record = await targetRun(services, target, ({ status }) => status !== 'running');
  if (!record) return;
  const row = await pickLevel(services, vscode.l10n.t('Delegate again: “{0}”', oneLine(record.title, 60)));
  if (!row) return;
  const delegation = await services.delegation();
  const kept = await delegation.readPrompt(record.runId);
  const asked = vscode.l10n.t('Delegate at level {0}: {1}', row.level, row.description);
  const prompt = await confirmPrompt(asked, record, kept);
  if (prompt === undefined) return;
  const task = {
    tool: 'command',
    prompt,
    access: record.access === 'readOnly' ? 'readOnly' : 'workspaceWrite',
    cwd: record.origin ?? record.cwd,
    ...(record.origin !== undefined && { isolation: 'worktree' as const }),
    ...(record.web && { web: record.web }),
    choice: { by: 'level', level: row.level },
  } as const;
  await watchRun(services, delegation, delegation.start(task));
}

/** An input holds one line; a longer prompt is sent as it is, or edited in a document first. */
async function confirmPrompt(title: string, record: RunRecord, kept: string | undefined): Promise<string | undefined> {
  if (kept === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('The prompt of that run is not kept (any more), only its first line.'),
    );
  }
  const prompt = (kept ?? record.title).trim();
  if (!prompt.includes('\n')) return askPrompt({ title, draft: prompt });
  const same = vscode.l10n.t('Delegate the Same Prompt');
  const edit = vscode.l10n.t('Edit It First');
  const rows = [
    { label: same, detail: oneLine(prompt, 200) },
    { label: edit, detail: vscode.l10n.t('Opens it as a document; then use “Delegate…” and the note button.') },
  ];
  const row = await vscode.window.showQuickPick(rows, { title });
  if (row?.label === same) return prompt;
  if (row) {
    const document = await vscode.workspace.openTextDocument({ content: prompt, language: 'markdown' });
    await vscode.window.showTextDocument(document);
  }
  return undefined;
}
