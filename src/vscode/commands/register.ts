import * as vscode from 'vscode';
import { lazy } from '../../base/lazy.ts';
import { reloadAdvice } from '../../base/ownFiles.ts';
import { messageText } from '../messageText.ts';
import { advisesReload, reloadButton, type Remedy } from '../reloadWindow.ts';
import type { Services } from '../services.ts';
import { type CommandId, commandIds } from './commandIds.ts';
import { said } from '../l10n.ts';

/** Registers all commands; what they do is loaded with the first one used. */
export function registerCommands(services: Services): vscode.Disposable {
  const load = lazy(() => import('../window.ts'));
  const run = async (id: CommandId, target: unknown) => {
    try {
      const { actions } = await load();
      await actions[id](services, target);
    } catch (error) {
      await reportError(services, id, error);
    }
  };
  return vscode.Disposable.from(
    ...commandIds.map((id) => vscode.commands.registerCommand(`sallyport.${id}`, (target: unknown) => run(id, target))),
  );
}

async function reportError({ log }: Services, id: CommandId, error: unknown): Promise<void> {
  const why = whyOf(error);
  log.error(`${id}: ${error instanceof Error ? (error.stack ?? why) : why}`);
  const showLog: Remedy = { label: vscode.l10n.t('Show Log'), act: () => log.show() };
  const message = vscode.l10n.t('Sallyport could not do that: {0}', messageText(said(why, vscode.l10n)));
  const buttons = advisesReload(why) ? [reloadButton(), showLog] : [showLog];
  const chosen = await vscode.window.showErrorMessage(message, ...buttons.map(({ label }) => label));
  await buttons.find(({ label }) => label === chosen)?.act();
}

/** A bundle of ours that is not there was replaced by an update. */
function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && error.code === 'MODULE_NOT_FOUND' ? reloadAdvice.window : error.message;
}
