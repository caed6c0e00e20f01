import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Desk } from './desk.ts';
import { viewHtml } from './viewHtml.ts';

interface WaitingDeps {
  extensionUri: vscode.Uri;
  /** Loads and opens what stands behind the view; the same one each time. */
  desk: () => Promise<Desk>;
}

/** Registers the Waiting view. All that activation loads of it is its page. */
export function registerWaiting({ extensionUri, desk }: WaitingDeps): Disposable {
  const resolveWebviewView = async (view: vscode.WebviewView) => {
    const folders = ['dist', 'media'].map((name) => vscode.Uri.joinPath(extensionUri, name));
    view.webview.options = { enableScripts: true, localResourceRoots: folders };
    const opened = desk().then((made) => {
      made.attach(view);
      return made;
    });
    view.webview.onDidReceiveMessage(async (message: unknown) => (await opened).hear(message));
    const file = (name: string) =>
      view.webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', name)).toString();
    view.webview.html = viewHtml({
      script: file('webview.js'),
      style: file('webview.css'),
      source: view.webview.cspSource,
      nonce: randomBytes(16).toString('base64url'),
      language: vscode.env.language,
      title: view.title ?? '',
      gone: vscode.l10n.t(
        'Sallyport was updated or removed since this window was opened. Reload the window (Developer: Reload Window).',
      ),
    });
    // If that fails, the editor says so in the view's place. Watching goes on by itself.
    void (await opened).start();
  };
  return vscode.window.registerWebviewViewProvider('sallyport.waiting', { resolveWebviewView });
}
