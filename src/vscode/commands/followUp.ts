import * as vscode from 'vscode';
import { formatHandle } from '../../delegation/handle.ts';
import { oneLine } from '../../base/displayText.ts';
import { engineNames } from '../runs/runText.ts';
import type { Services } from '../services.ts';
import { requireTrust } from '../trust.ts';
import { targetRun } from './target.ts';
import { watchRun } from './watchRun.ts';

/** "Follow Up": a question to the session of an earlier run, with that session's access. */
export async function followUp(services: Services, target: unknown): Promise<void> {
  if (!requireTrust()) return;
  const record = await targetRun(services, target, ({ sessionId }) => sessionId !== undefined);
  if (!record) return;
  if (record.sessionId === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('This run never had a session, so it cannot be continued.'),
    );
    return;
  }
  const question = await askQuestion(engineNames[record.engine], record.title);
  if (question === undefined) return;
  const delegation = await services.delegation();
  const handle = formatHandle({ engine: record.engine, id: record.sessionId });
  await watchRun(services, delegation, await delegation.followUp({ tool: 'command', handle, question }));
}

async function askQuestion(name: string, title: string): Promise<string | undefined> {
  const question = await vscode.window.showInputBox({
    title: vscode.l10n.t('Follow up with {0}: {1}', name, oneLine(title, 60)),
    placeHolder: vscode.l10n.t('What else should it do or tell?'),
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.length > 0 && text.trim() === '' ? vscode.l10n.t('Say what should be done.') : undefined,
  });
  return question?.trim() === '' ? undefined : question;
}
