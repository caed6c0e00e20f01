import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';

/** How long a shell may take to show its prompt. Text sent before that is echoed twice. */
const promptMs = 3_000;

/** The command of an engine's hint: the first words in backticks. Undefined when there is none. */
export function commandIn(hint: string): string | undefined {
  return /`([^`\n\r]+)`/.exec(hint)?.[1];
}

/** Opens a terminal with a command typed but not run: running it is the person's own act. */
export async function openTerminalWith(command: string): Promise<void> {
  const terminal = vscode.window.createTerminal({ name: 'Sallyport' });
  terminal.show();
  await whenReady(terminal);
  terminal.sendText(command, false);
}

/** Resolves when the shell has reported its first prompt, or some time later when it reports none. */
async function whenReady(terminal: vscode.Terminal): Promise<void> {
  const waiting = new DisposableStore();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, promptMs);
    waiting.add({ dispose: () => clearTimeout(timer) });
    waiting.add(
      vscode.window.onDidChangeTerminalShellIntegration((changed) => {
        if (changed.terminal === terminal) resolve();
      }),
    );
  });
  waiting.dispose();
}
