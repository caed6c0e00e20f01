import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { viewHtml } from '../../src/vscode/viewHtml.ts';
import { sampleNow } from './sampleRequests.ts';
import { type WebviewTheme, webviewThemes } from './webviewThemes.ts';

const dist = resolve(import.meta.dirname, '..', '..', 'dist');
const origin = 'http://webview.test';
const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', ttf: 'font/ttf' };

/** A built page of ours in a page that stands for the editor. */
export interface WebviewPage<Action> {
  readonly page: Page;
  /** What the page's policy forbade, and errors. */
  readonly problems: string[];
  /** Tells it what to show, and waits until it does. */
  tell: (message: unknown) => Promise<void>;
  /** What it has told the window, without its first word. */
  actions: () => Promise<Action[]>;
  /** Moves the page's clock. */
  pass: (ms: number) => Promise<void>;
  close: () => Promise<void>;
}

export interface WebviewPageOptions {
  theme?: WebviewTheme;
  width?: number;
  height?: number;
  /** What the page finds of an earlier life. */
  memory?: unknown;
}

/** Opens dist/<bundle>.js under the policy of the real page, with its clock standing still. The caller closes it. */
export async function openWebviewPage<Action extends { type: string }>(
  browser: Browser,
  bundle: string,
  { theme = 'dark', width = 340, height = 900, memory }: WebviewPageOptions = {},
): Promise<WebviewPage<Action>> {
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
    const contentType = types[name.split('.').at(-1) ?? ''];
    const body = contentType === undefined ? pageText(bundle) : await readFile(join(dist, name));
    await route.fulfill({ body, contentType: contentType ?? 'text/html' });
  });
  await page.goto(`${origin}/`);
  const sent = () => page.evaluate<Action[]>('window.sentToWindow');
  return {
    page,
    problems,
    tell: async (message) => {
      await page.evaluate(`window.postMessage(${JSON.stringify(message)})`);
      // The message, then the updates it brings about.
      await page.evaluate('new Promise((done) => realFrame(() => realFrame(() => realFrame(done))))');
    },
    actions: async () => (await sent()).filter(({ type }) => type !== 'ready'),
    pass: (ms) => page.clock.runFor(ms),
    close: () => context.close(),
  };
}

const pageText = (bundle: string): string =>
  viewHtml({
    script: `${origin}/${bundle}.js`,
    style: `${origin}/${bundle}.css`,
    source: origin,
    nonce: 'test',
    language: 'en',
    title: 'Sallyport',
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
