import * as vscode from 'vscode';
import type { Delegation, LiveRun, RunResult } from '../../delegation/task.ts';
import { formatDuration } from '../duration.ts';
import { messageText } from '../messageText.ts';
import { Attention } from '../attention.ts';
import { engineNames, phaseText } from '../runs/runText.ts';
import type { Services } from '../services.ts';
import { reportFailure } from './reportFailure.ts';
import { showChangesOf } from './showChanges.ts';

/** Shows a run as a notification with its step, its time and a cancel button, and what came of it in the end. */
export async function watchRun(services: Services, delegation: Delegation, run: LiveRun): Promise<void> {
  const title = messageText(`${engineNames[run.record.engine]}: ${withoutEnd(run.record.title)}`, 90);
  const attention = new Attention();
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  const result = await vscode.window.withProgress(options, (progress, token) =>
    follow(delegation, run, progress, token),
  );
  attention.dispose();
  await present(services, run, result, attention.elsewhere);
}

/** A title that is followed by a colon ends without one, or any other sign. */
const withoutEnd = (title: string) => title.replace(/[\s.:;,!?…]+$/u, '');

async function follow(
  delegation: Delegation,
  run: LiveRun,
  progress: vscode.Progress<{ message?: string }>,
  token: vscode.CancellationToken,
): Promise<RunResult> {
  const show = () => {
    const elapsed = formatDuration(Date.now() - run.record.startedAt);
    progress.report({ message: messageText(`${elapsed} · ${phaseText(run.phase)}`) });
  };
  const ticker = setInterval(show, 1_000);
  const changes = delegation.onDidChange((changed) => changed.id === run.id && show());
  const cancel = token.onCancellationRequested(() => run.cancel());
  try {
    show();
    return await run.result;
  } finally {
    clearInterval(ticker);
    changes.dispose();
    cancel.dispose();
  }
}

async function present(services: Services, run: LiveRun, result: RunResult, busy: boolean): Promise<void> {
  switch (result.status) {
    case 'completed':
      if (busy) await offerResult(services, run);
      else await services.openResult(run.record, 'leave');
      return;
    case 'cancelled':
      await reportCancelled(services, run, result);
      return;
    case 'failed':
      await reportFailure(services, run.record, result);
  }
}

/** For a person who is at something else by now: nothing opens until they say so. */
async function offerResult(services: Services, run: LiveRun): Promise<void> {
  const open = vscode.l10n.t('Open Result');
  const show = vscode.l10n.t('Show Changes');
  const message = messageText(
    vscode.l10n.t('{0} finished: {1}', engineNames[run.record.engine], run.record.title),
    160,
  );
  const actions = run.record.files.length > 0 ? [open, show] : [open];
  const chosen = await vscode.window.showInformationMessage(message, ...actions);
  if (chosen === open) await services.openResult(run.record);
  if (chosen === show) await showChangesOf(services, run.record);
}

/** A run that was stopped on the way may have changed files; nothing else about it is news to who stopped it. */
async function reportCancelled(services: Services, run: LiveRun, result: RunResult): Promise<void> {
  const name = engineNames[result.engine];
  if (result.files.length === 0) {
    vscode.window.setStatusBarMessage(vscode.l10n.t('The run of {0} was cancelled', name), 5_000);
    return;
  }
  const show = vscode.l10n.t('Show Changes');
  const message = vscode.l10n.t(
    'The run of {0} was cancelled. It had changed files by then: {1}',
    name,
    result.files.length,
  );
  if ((await vscode.window.showInformationMessage(message, show)) === show) await showChangesOf(services, run.record);
}
