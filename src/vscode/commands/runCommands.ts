import * as vscode from 'vscode';
import { formatHandle } from '../../delegation/handle.ts';
import type { LiveRun } from '../../delegation/task.ts';
import { oneLine } from '../../base/displayText.ts';
import type { RunRecord } from '../../journal/entry.ts';
import { pickFilter } from '../runs/filterPick.ts';
import { offersOf } from '../runs/runNode.ts';
import { rowText } from '../runs/runText.ts';
import type { Services } from '../services.ts';
import { showChangesOf } from './showChanges.ts';
import { isRunNode, pickRun, recordOfDocument, targetRun } from './target.ts';

/** "Cancel Run": the run of the row, or the one the person picks when several live. */
export async function cancelRun(services: Services, target: unknown): Promise<void> {
  if (isRunNode(target)) {
    target.live?.cancel();
    return;
  }
  const { live } = await services.delegation();
  (live.length > 1 ? await pickLive(live) : live[0])?.cancel();
}

async function pickLive(live: readonly LiveRun[]): Promise<LiveRun | undefined> {
  const rows = live.map((run) => ({
    label: oneLine(run.record.title, 80),
    description: rowText(run.record, run.phase, Date.now()),
    run,
  }));
  return (await vscode.window.showQuickPick(rows, { title: vscode.l10n.t('Cancel which run?') }))?.run;
}

/** "Open Result": of the row or the transcript, else of the run the person picks, whatever result is in front. */
export async function openResult(services: Services, target: unknown): Promise<void> {
  const given = isRunNode(target) ? target.record : await recordOfDocument(services, target);
  const record = given ?? (await pickRun(services, hasEnded));
  if (record) await services.openResult(record);
}

export async function showRendered(services: Services, target: unknown): Promise<void> {
  const record = await targetRun(services, target, hasEnded);
  if (record) await services.openRendered(record);
}

export async function showTranscript(services: Services, target: unknown): Promise<void> {
  const record = await targetRun(services, target, hasEnded);
  if (record) await services.openTranscript(record);
}

export async function filterRuns({ runs }: Services): Promise<void> {
  const filter = await pickFilter(runs.filter);
  if (filter) runs.filter = filter;
}

const hasEnded = ({ status }: RunRecord) => status !== 'running';

export async function showChanges(services: Services, target: unknown): Promise<void> {
  const record = await targetRun(services, target, (each) => offersOf(each).includes('changes'));
  if (record) await showChangesOf(services, record);
}

export async function copyHandle(services: Services, target: unknown): Promise<void> {
  const record = await targetRun(services, target, ({ sessionId }) => sessionId !== undefined);
  if (!record) return;
  await vscode.env.clipboard.writeText(formatHandle({ engine: record.engine, id: record.sessionId ?? record.runId }));
  vscode.window.setStatusBarMessage(vscode.l10n.t('Session handle copied'), 3_000);
}
