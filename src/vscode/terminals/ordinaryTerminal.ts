import * as vscode from 'vscode';
import { resumeArguments } from '../../cursor/session/newChat.ts';
import type { PtyUnavailable } from '../../keys/pty.ts';
import { messageText } from '../messageText.ts';
import type { ChatToOpen } from './openChats.ts';

/** Opens a chat in a terminal of the editor, where Sallyport can have none of its own. */
export function openOrdinaryTerminal({ binary, chatId, folder, env }: ChatToOpen): void {
  const terminal = vscode.window.createTerminal({
    name: vscode.l10n.t('Cursor agent'),
    shellPath: binary,
    shellArgs: resumeArguments(chatId),
    cwd: folder,
    env,
    strictEnv: true,
    iconPath: new vscode.ThemeIcon('hubot'),
  });
  terminal.show();
}

/** Says what that means for the person, and what they can do to answer on the cards. */
export async function sayWhyOrdinary(why: PtyUnavailable): Promise<void> {
  const meaning = vscode.l10n.t(
    'The Cursor agent runs in an ordinary terminal: the Waiting view shows what it may wait for, and you answer in the terminal.',
  );
  const action = why.isMissing ? vscode.l10n.t('Show Extension') : vscode.l10n.t('Show Log');
  const chosen = await vscode.window.showWarningMessage(messageText(`${meaning} ${wayOut(why)}`, 600), action);
  if (chosen === undefined) return;
  if (why.isMissing) await vscode.commands.executeCommand('workbench.extensions.search', '@id:sallyport.sallyport');
  else await vscode.commands.executeCommand('sallyport.showLog');
}

function wayOut({ isMissing, message }: PtyUnavailable): string {
  const platform = `${process.platform}-${process.arch}`;
  if (process.platform === 'win32') {
    return isMissing
      ? vscode.l10n.t('The package of Sallyport for {0} opens a terminal of its own instead.', platform)
      : vscode.l10n.t('Sallyport could not open one of its own: {0}', message);
  }
  return isMissing
    ? vscode.l10n.t(
        'To answer on the cards, install the package of Sallyport for {0} where there is one (this is the one for all platforms), or run cursor-agent in tmux.',
        platform,
      )
    : vscode.l10n.t(
        'To answer on the cards, run cursor-agent in tmux. Sallyport could not open a terminal of its own on {0}: {1}',
        platform,
        message,
      );
}
