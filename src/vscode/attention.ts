import * as vscode from 'vscode';

/**
 * Tells whether the person went on with something else since it was made: what opens by itself then would take the keys
 * they are typing. A file that changes under the editor (an agent edits it) is none of their doing.
 */
export class Attention implements vscode.Disposable {
  #elsewhere = false;
  readonly #subscriptions = [
    vscode.window.onDidChangeActiveTextEditor(() => this.#leave()),
    vscode.window.onDidChangeActiveTerminal(() => this.#leave()),
    vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
      if (kind !== undefined && kind !== vscode.TextEditorSelectionChangeKind.Command) this.#leave();
    }),
  ];

  get elsewhere(): boolean {
    return this.#elsewhere || !vscode.window.state.focused;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #leave(): void {
    this.#elsewhere = true;
  }
}
