import * as vscode from 'vscode';
import type { ClaudeHook, HookChange } from '../../clients/claudeHook.ts';
import { messageText } from '../messageText.ts';
import type { ClientTools } from './clientTools.ts';
import { said } from '../l10n.ts';

/** "Add Claude Code Hook…": says what it does and where it is written, then writes it. */
export async function installClaudeHook(tools: ClientTools): Promise<void> {
  const hook = tools.hook();
  if (await hook.isInstalled()) {
    // Its script may be gone all the same.
    await hook.install();
    void vscode.window.showInformationMessage(vscode.l10n.t('Claude Code has the hook already.'));
    return;
  }
  if (process.platform === 'win32' && !(await tools.findGit()).ok) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        'The hook is a shell script, which Claude Code runs by the shell of Git for Windows. Install that first.',
      ),
    );
    return;
  }
  if (await confirmHook(hook))
    report(
      await hook.install(),
      hook,
      vscode.l10n.t('Claude Code has the hook now. Sessions that are open now see it when they are started anew.'),
    );
}

async function confirmHook({ settings, backup }: ClaudeHook): Promise<boolean> {
  const add = vscode.l10n.t('Add the Hook');
  const detail = [
    vscode.l10n.t(
      'Once per session, when Claude Code is about to read a large file whole or to search the web, it is told that Sallyport can do that for less context. No tool is ever blocked.',
    ),
    vscode.l10n.t('One entry is added to {0}; all else in it stays. How it is now is kept in {1}.', settings, backup),
  ].join('\n\n');
  const question = vscode.l10n.t('Remind Claude Code of Sallyport by a hook?');
  return (await vscode.window.showInformationMessage(question, { modal: true, detail }, add)) === add;
}

/** "Remove Claude Code Hook": takes out exactly what was put in. */
export async function removeClaudeHook(tools: ClientTools): Promise<void> {
  const hook = tools.hook();
  const change = await hook.remove();
  const nothing = change.ok && !change.changed;
  report(
    change,
    hook,
    nothing
      ? vscode.l10n.t('The settings of Claude Code hold no hook of Sallyport.')
      : vscode.l10n.t('The hook was removed. Sessions that are open now may still remind once.'),
  );
}

function report(change: HookChange, { settings }: ClaudeHook, done: string): void {
  if (change.ok) void vscode.window.showInformationMessage(done);
  else void reportRefusal(settings, change.why);
}

async function reportRefusal(settings: string, why: string): Promise<void> {
  const open = vscode.l10n.t('Open the Settings');
  const refusal = messageText(said(/[.!?]$/.test(why) ? why : `${why}.`, vscode.l10n));
  const message = vscode.l10n.t('{0} was left as it is: {1} Mend it, then try again.', settings, refusal);
  if ((await vscode.window.showErrorMessage(message, open)) === open) {
    await vscode.window.showTextDocument(vscode.Uri.file(settings));
  }
}
