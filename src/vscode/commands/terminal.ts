import * as vscode from 'vscode';

/** The command of an engine's hint: the first words in backticks. Undefined when there is none, or it has several lines. */
export function commandIn(hint: string): string | undefined {
  return /`([^`\n\r]+)`/.exec(hint)?.[1];
}

/** Opens a terminal with a command typed but not run: running it is the person's own act. */
export function openTerminalWith(command: string): void {
  const terminal = vscode.window.createTerminal({ name: 'Sallyport' });
  terminal.show();
  terminal.sendText(command, false);
}
