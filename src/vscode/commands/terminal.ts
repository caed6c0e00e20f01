import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';

/** How long a shell may take to report itself, and then to show its prompt. Text sent before that is echoed twice. */
const startMs = 3_000;
const promptMs = 500;

/** Opens a terminal with a command typed but not run: running it is the person's own act. Returns it. */
export async function openTerminalWith(command: string): Promise<vscode.Terminal> {
  const terminal = vscode.window.createTerminal({ name: 'Sallyport' });
  terminal.show();
  await whenReady(terminal);
  terminal.sendText(command, false);
  return terminal;
}

/** Resolves when the shell shows its prompt, or after a while when it does not report itself. */
async function whenReady(terminal: vscode.Terminal): Promise<void> {
  const waiting = new DisposableStore();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, startMs);
    waiting.add({ dispose: () => clearTimeout(timer) });
    waiting.add(
      vscode.window.onDidChangeTerminalShellIntegration((changed) => {
        if (changed.terminal === terminal) setTimeout(resolve, promptMs);
      }),
    );
  });
  waiting.dispose();
}
