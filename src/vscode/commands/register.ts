import * as vscode from 'vscode';
import { lazy } from '../../base/lazy.ts';
import { messageText } from '../messageText.ts';
import type { Services } from '../services.ts';
import { type CommandId, commandIds } from './commandIds.ts';
import { said } from '../l10n.ts';

/** Registers all commands; what they do is loaded with the first one used. */
export function registerCommands(services: Services): vscode.Disposable {
  const load = lazy(() => import('./actions.ts'));
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
  const why = error instanceof Error ? error.message : String(error);
  log.error(`${id}: ${error instanceof Error ? (error.stack ?? why) : why}`);
  const showLog = vscode.l10n.t('Show Log');
  const message = vscode.l10n.t('Sallyport could not do that: {0}', messageText(said(why, vscode.l10n)));
  if ((await vscode.window.showErrorMessage(message, showLog)) === showLog) log.show();
}
