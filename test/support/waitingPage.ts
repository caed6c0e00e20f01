import type { Browser } from 'playwright-core';
import type { PanelAction } from '../../src/protocol/panelAction.ts';
import { viewState, type ViewInput } from '../../src/vscode/waiting/viewState.ts';
import { english } from './sampleRequests.ts';
import { openWebviewPage, type WebviewPage, type WebviewPageOptions } from './webviewPage.ts';

/** The built Waiting view in a page that stands for the editor. */
export interface WaitingPage extends Omit<WebviewPage<PanelAction>, 'tell'> {
  /** Tells the view what to show, and waits until it does. */
  show(input: ViewInput): Promise<void>;
}

/** Opens the Waiting view under the policy of the real page, with its clock standing still. The caller closes it. */
export async function openWaitingPage(browser: Browser, options: WebviewPageOptions = {}): Promise<WaitingPage> {
  const { tell, ...view } = await openWebviewPage<PanelAction>(browser, 'webview', options);
  return { ...view, show: (input) => tell(viewState(input, english)) };
}
