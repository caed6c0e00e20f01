import * as vscode from 'vscode';

/** The address space of chats as Sallyport sees them. */
const scheme = 'sallyport-chat';

/** Read-only documents for bug reports. A text is kept while its document is open. */
export class ChatDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #subscriptions: vscode.Disposable;
  #number = 0;

  constructor() {
    this.#subscriptions = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#texts.delete(uri.toString())),
    );
  }

  provideTextDocumentContent(address: vscode.Uri): string {
    return this.#texts.get(address.toString()) ?? vscode.l10n.t('This is no longer kept. Inspect the chat again.');
  }

  /** Shows JSON text under a file name, which may hold anything. */
  async open(name: string, text: string): Promise<void> {
    this.#number += 1;
    const address = vscode.Uri.from({
      scheme,
      path: `/${name.replace(/[^\p{L}\p{N} ._-]/gu, '_')}.json`,
      query: String(this.#number),
    });
    this.#texts.set(address.toString(), text);
    const document = await vscode.workspace.openTextDocument(address);
    await vscode.window.showTextDocument(document, { preview: false });
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}
