import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { fillWebview } from '../webviewPage.ts';
import type { Desk } from './desk.ts';

interface WaitingDeps {
  extensionUri: vscode.Uri;
  /** Loads and opens what stands behind the view; the same one each time. */
  desk: () => Promise<Desk>;
}

/** Registers the Waiting view. All that activation loads of it is its page. */
export function registerWaiting({ extensionUri, desk }: WaitingDeps): Disposable {
  const resolveWebviewView = async (view: vscode.WebviewView) => {
    const opened = desk().then((made) => {
      made.attach(view);
      return made;
    });
    view.webview.onDidReceiveMessage(async (message: unknown) => (await opened).hear(message));
    fillWebview(view.webview, { extensionUri, bundle: 'webview', title: view.title ?? '' });
    // If that fails, the editor says so in the view's place. Watching goes on by itself.
    void (await opened).start();
  };
  return vscode.window.registerWebviewViewProvider('sallyport.waiting', { resolveWebviewView });
}
