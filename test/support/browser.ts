import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { ensureTool } from '../../scripts/setup.ts';
import { showTheme, themeNames } from './themes.ts';

/** Where pictures for people to look at go. */
const pictures = resolve(import.meta.dirname, '..', '..', '.cache', 'screenshots');

const launchArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Two cores under load take long for the first paint of the workbench. */
const workbenchTimeoutMs = 90_000;
const stepTimeoutMs = 30_000;
const paletteTimeoutMs = 8_000;

/** Starts the system's Chromium without a window. The caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  return await chromium.launch({ executablePath: await ensureTool('chromium'), headless: true, args: launchArguments });
}

interface WorkbenchOptions {
  /** Something the extension under test contributes. A palette opened before extensions are scanned never finds it. */
  readonly ready: (page: Page) => Locator;
  readonly width?: number;
  readonly height?: number;
}

/** Opens the editor's page in a fresh browser profile; resolves when what `ready` names is visible. */
export async function openWorkbench(browser: Browser, url: string, options: WorkbenchOptions): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    // The editor then moves nothing, so that no picture is taken halfway.
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(stepTimeoutMs);
  await page.goto(url);
  await page.locator('.monaco-workbench').waitFor({ timeout: workbenchTimeoutMs });
  await options.ready(page).waitFor({ timeout: workbenchTimeoutMs });
  return page;
}

/** The activity bar's button of a view container, by its title: what `WorkbenchOptions.ready` mostly wants. */
export function activityButton(page: Page, title: string): Locator {
  return page.locator(`.activitybar .action-item a.action-label[aria-label^="${title}"]`).first();
}

/** Opens Sallyport's views where nothing waits, and waits for the slowest of them. The mouse rests on nothing. */
export async function openViews(page: Page): Promise<void> {
  await activityButton(page, 'Sallyport').click();
  await page.mouse.move(760, 420);
  const waiting = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  await waiting.locator('.empty h2').waitFor({ timeout: 60_000 });
}

/** Runs a command from the palette by its id, which must be visible there. */
export async function runCommand(page: Page, id: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await page.keyboard.press('F1');
      await page.locator('.quick-input-widget input').first().fill(`>${id}`, { timeout: paletteTimeoutMs });
      // The first row may be another command: only this one's row is clicked.
      await page.locator(`.quick-input-list-entry[data-quick-input-id="${id}"]`).click({ timeout: paletteTimeoutMs });
      return;
    } catch (error) {
      // A picker that was just closing, or a view that takes the focus, closes the palette too.
      if (tries === 4) throw error;
      await page.keyboard.press('Escape');
    }
  }
}

/** Answers the quick pick that is open, with the row that has this text. */
export async function pick(page: Page, text: string | RegExp): Promise<void> {
  await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text }).first().click();
}

/** Types into the input box that is open and confirms. */
export async function answerInput(page: Page, text: string): Promise<void> {
  await page.locator('.quick-input-widget input').first().fill(text);
  await page.keyboard.press('Enter');
}

/** A row of the Runs view. */
export function runRow(page: Page, text: string | RegExp): Locator {
  return page.locator('.pane-body .monaco-list-row').filter({ hasText: text }).first();
}

/** The tab of an open document. */
export function editorTab(page: Page, text: string): Locator {
  return page.locator('.tabs-container .tab').filter({ hasText: text });
}

/** The modal dialog with this text. */
export function dialog(page: Page, text: string | RegExp): Locator {
  return page.locator('.monaco-dialog-box').filter({ hasText: text });
}

/** A button, by what it says, inside a toast, dialog or view. */
export function button(within: Locator, text: string): Locator {
  return within.locator('.monaco-button').filter({ hasText: text });
}

/** The toast with this text. */
export function toast(page: Page, text: string | RegExp): Locator {
  return page.locator('.notifications-toasts .notification-list-item').filter({ hasText: text }).first();
}

/** The notification with this text in the list of all, which must be open. */
export function notification(page: Page, text: string | RegExp): Locator {
  return page.locator('.notifications-center .notification-list-item').filter({ hasText: text }).first();
}

/**
 * Saves a picture of the whole page among the others, as `<name>.png`. Where all pictures are wanted (`npm run screenshots`), one
 * of the dark theme is followed by one in each of the others.
 */
export async function screenshot(page: Page, name: string): Promise<void> {
  const save = (as: string) => page.screenshot({ path: join(pictures, `${as}.png`) });
  await mkdir(pictures, { recursive: true });
  await save(name);
  const state = /^(.*)-dark$/.exec(name)?.[1];
  if (state === undefined || process.env.SALLYPORT_SCREENSHOTS !== 'all') return;
  for (const theme of themeNames.filter((each) => each !== 'dark')) {
    await showTheme(page, theme);
    await save(`${state}-${theme}`);
  }
  await showTheme(page, 'dark');
}
