import * as vscode from 'vscode';
import type { RunResult } from '../../delegation/task.ts';
import type { Engine } from '../../engines/engine.ts';
import type { RunRecord } from '../../journal/entry.ts';
import type { FailureReason } from '../../protocol/model.ts';
import { commandIn } from '../hintCommand.ts';
import { messageText } from '../messageText.ts';
import { openSettings } from '../openSettings.ts';
import { advisesReload, reloadButton, type Remedy } from '../reloadWindow.ts';
import { handleOf } from '../runs/runNode.ts';
import type { Services } from '../services.ts';
import { openTerminalWith } from './terminal.ts';
import { said } from '../l10n.ts';

/** Says why a run failed, with the button that helps against it. */
export async function reportFailure(services: Services, record: RunRecord, result: RunResult): Promise<void> {
  const engine = (await services.engines()).get(result.engine);
  // What was refused at once was no run, and the journal does not know it.
  const recorded = await (await services.delegation()).findRecord(handleOf(record));
  const remedies = advisesReload(result.text) ? [reloadButton()] : remediesFor(result.reason, engine, services);
  if (recorded) remedies.push({ label: vscode.l10n.t('Open Result'), act: () => services.openResult(record) });
  const chosen = await vscode.window.showErrorMessage(
    messageText(said(result.text, vscode.l10n)),
    ...remedies.map(({ label }) => label),
  );
  await remedies.find(({ label }) => label === chosen)?.act();
}

/** What a person can do about a failure, beside reading it. */
function remediesFor(reason: FailureReason | undefined, engine: Engine | undefined, { log }: Services): Remedy[] {
  switch (reason) {
    case 'notInstalled':
      return [...inTerminal(vscode.l10n.t('Install in Terminal'), engine?.installHint), openPathSettings()];
    case 'notSignedIn':
      return inTerminal(vscode.l10n.t('Sign In'), engine?.signInHint);
    case 'timedOut':
      return [settingsRemedy('minutes')];
    case 'exited':
    case 'badOutput':
    case 'environment':
      return [{ label: vscode.l10n.t('Show Log'), act: () => log.show() }];
    case 'rateLimited':
    case 'cancelled':
    case 'badRequest':
    case undefined:
      return [];
  }
}

/** Types the hint's command into a terminal and leaves running it to the person. */
function inTerminal(label: string, hint: string | undefined): Remedy[] {
  const command = hint && commandIn(hint);
  return command ? [{ label, act: () => openTerminalWith(command) }] : [];
}

const openPathSettings = () => settingsRemedy('path');

function settingsRemedy(query: string): Remedy {
  return {
    label: vscode.l10n.t('Open Settings'),
    act: () => openSettings(query),
  };
}
