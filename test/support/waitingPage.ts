import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { PanelAction } from '../../src/protocol/panelAction.ts';
import { viewHtml } from '../../src/vscode/waiting/viewHtml.ts';
import { viewState, type ViewInput } from '../../src/vscode/waiting/viewState.ts';
import { english, sampleNow } from './sampleRequests.ts';
import { type WebviewTheme, webviewThemes } from './webviewThemes.ts';

const dist = resolve(import.meta.dirname, '..', '..', 'dist');
const origin = 'http://waiting.test';
const types: Readonly<Record<string, string>> = {
  'webview.js': 'text/javascript',
  'webview.css': 'text/css',
  'codicon.ttf': 'font/ttf',
};

/** The built view in a page that stands for the editor. */
export interface WaitingPage {
  readonly page: Page;
  /** What the page's policy forbade, and errors. */
  readonly problems: string[];
  /** Tells the view what to show, and waits until it does. */
  show(input: ViewInput): Promise<void>;
  /** What the view has told the window, without its first word. */
  actions(): Promise<PanelAction[]>;
  /** Moves the page's clock. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

interface WaitingPageOptions {
  theme?: WebviewTheme;
  width?: number;
  height?: number;
  /** What the view finds of an earlier life. */
  memory?: unknown;
}

/** Opens dist/webview.js under the policy of the real page, with its clock standing still. The caller closes it. */
export async function openWaitingPage(browser: Browser, options: WaitingPageOptions = {}): Promise<WaitingPage> {
  const { theme = 'dark', width = 340, height = 900, memory } = options;
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(5000);
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await page.addInitScript({ content: 'window.realFrame = requestAnimationFrame.bind(window);' });
  await page.clock.install({ time: sampleNow - 60_000 });
  await page.clock.pauseAt(sampleNow);
  const dress = JSON.stringify({ memory: memory ?? null, ...webviewThemes[theme] });
  await page.addInitScript({ content: `(${standInForEditor})(${dress})` });
  await page.route(`${origin}/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    const contentType = types[name];
    const body = contentType === undefined ? pageText : await readFile(join(dist, name));
    await route.fulfill({ body, contentType: contentType ?? 'text/html' });
  });
  await page.goto(`${origin}/`);
  const sent = () => page.evaluate<PanelAction[]>('window.sentToWindow');
  return {
    page,
    problems,
    show: async (input) => {
      await page.evaluate(`window.postMessage(${JSON.stringify(viewState(input, english))})`);
      // The message, then the updates it brings about.
      await page.evaluate('new Promise((done) => realFrame(() => realFrame(() => realFrame(done))))');
    },
    actions: async () => (await sent()).filter(({ type }) => type !== 'ready'),
    pass: (ms) => page.clock.runFor(ms),
    close: () => context.close(),
  };
}

const pageText = viewHtml({
  script: `${origin}/webview.js`,
  style: `${origin}/webview.css`,
  source: origin,
  nonce: 'test',
  language: 'en',
  title: 'Waiting',
  gone: 'Reload the window.',
});

/** Runs in the page, before it loads, as plain text: what the editor gives a webview. */
const standInForEditor = `({ memory, classes, variables }) => {
  let state = memory ?? undefined;
  window.sentToWindow = [];
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => window.sentToWindow.push(message),
    getState: () => state,
    setState: (value) => { state = value; window.keptState = value; },
  });
  const dress = () => {
    for (const [name, value] of Object.entries(variables)) document.documentElement.style.setProperty(name, value);
    document.documentElement.style.background = variables['--vscode-sideBar-background'];
    document.body?.classList.add(...classes);
  };
  addEventListener('DOMContentLoaded', dress);
}`;
