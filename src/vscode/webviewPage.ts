import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { viewHtml } from './viewHtml.ts';

/** Which bundle of ours a webview runs. */
export interface WebviewPage {
  extensionUri: vscode.Uri;
  /** The name of its script and style sheet in dist/, without their endings. */
  bundle: string;
  title: string;
}

/** Fills a webview with one of our pages, under a policy that lets nothing but it run. Its messages are heard by the caller, before this. */
export function fillWebview(webview: vscode.Webview, { extensionUri, bundle, title }: WebviewPage): void {
  const folders = ['dist', 'media'].map((name) => vscode.Uri.joinPath(extensionUri, name));
  webview.options = { enableScripts: true, localResourceRoots: folders };
  const file = (ending: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', `${bundle}.${ending}`)).toString();
  webview.html = viewHtml({
    script: file('js'),
    style: file('css'),
    source: webview.cspSource,
    nonce: randomBytes(16).toString('base64url'),
    language: vscode.env.language,
    title,
    gone: vscode.l10n.t(
      'Sallyport was updated or removed since this window was opened. Reload the window (Developer: Reload Window).',
    ),
  });
}
