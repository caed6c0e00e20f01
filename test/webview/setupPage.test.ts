import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import type { SetupPageAction } from '../../src/protocol/setupPageAction.ts';
import { type Finding, fine, restricted } from '../../src/vscode/doctor/finding.ts';
import { type PageInput, pageState } from '../../src/vscode/doctor/pageState.ts';
import { violationsOf } from '../support/accessibility.ts';
import { launchBrowser } from '../support/browser.ts';
import { english } from '../support/sampleRequests.ts';
import { setupInput } from '../support/setupInput.ts';
import { openWebviewPage, type WebviewPageOptions } from '../support/webviewPage.ts';
import { type WebviewTheme, webviewThemes } from '../support/webviewThemes.ts';

const pictures = resolve(import.meta.dirname, '..', '..', '.cache', 'screenshots');
const themes = Object.keys(webviewThemes) as WebviewTheme[];

const signedOut: Finding = {
  state: 'missing',
  verdict: 'Not signed in',
  found: ['Version 0.171.0: /home/ada/.local/share/a-very-long-folder-name-without-any-place-to-break/bin/codex'],
  advice: 'Sign in to Codex in a terminal.',
  remedies: [
    { kind: 'terminal', command: 'codex login', label: 'Type in Terminal' },
    { kind: 'settings', whose: 'own', query: 'codex.path', label: 'Open Settings' },
  ],
};
const scenes: Readonly<Record<string, PageInput>> = {
  all: setupInput({
    codex: fine('Signed in', '/bin/codex'),
    grok: fine('Signed in'),
    sandbox: fine('Works'),
    mcp: fine('Offered to chat'),
  }),
  mixed: setupInput({
    codex: signedOut,
    grok: { ...fine('Not installed'), state: 'missing', absent: true },
    sandbox: { ...fine('Refused by this system', 'no user namespaces'), state: 'warning' },
    mcp: { ...fine('Did not answer within 5 s'), state: 'unknown' },
  }),
  checking: { ...setupInput({ codex: signedOut }), pending: new Set(['codex', 'grok', 'sandbox', 'mcp']) },
  restricted: {
    ...setupInput({
      codex: restricted(english),
      grok: restricted(english),
      sandbox: restricted(english),
      mcp: fine('Works'),
    }),
    isTrusted: false,
    done: 'Copied.',
  },
};

describe('the page of Check Setup', function () {
  this.timeout(30_000);
  let browser: Browser;

  before(async () => {
    browser = await launchBrowser();
    await mkdir(pictures, { recursive: true });
  });
  after(() => browser.close());

  const open = async (scene: string, options: WebviewPageOptions) => {
    const opened = await openWebviewPage<SetupPageAction>(browser, 'setupPage', options);
    const input = scenes[scene];
    assert.ok(input);
    await opened.tell(pageState(input, english));
    await opened.page.screenshot({
      path: resolve(pictures, `setup-${scene}-${options.theme ?? 'dark'}-${options.width ?? 0}.png`),
      fullPage: true,
    });
    return opened;
  };

  for (const theme of themes) {
    for (const scene of Object.keys(scenes)) {
      it(`is accessible: ${scene}, ${theme}`, async () => {
        const { page, problems, close } = await open(scene, { theme, width: 900 });
        await page.clock.resume();
        assert.deepEqual(await violationsOf(page), []);
        assert.deepEqual(problems, []);
        await close();
      });
    }
  }

  for (const width of [200, 420]) {
    it(`fits into ${width} px`, async () => {
      for (const scene of Object.keys(scenes)) {
        const { page, close } = await open(scene, { width, theme: 'light' });
        const tooWide = await page.evaluate<string[]>(
          `[...document.querySelectorAll('body *')].filter((at) => at.getBoundingClientRect().right > innerWidth + 1).map((at) => at.outerHTML.slice(0, 80))`,
        );
        assert.deepEqual(tooWide, [], scene);
        await close();
      }
    });
  }

  it('tells the window which button was pressed, by keyboard alone', async () => {
    const { page, actions, close } = await open('mixed', { width: 900 });
    // Check Again, Copy as Text, then of the first line: check it again, its command, its two buttons.
    for (const stop of ['Enter', 'Enter', 'Enter', '', 'Enter', ' ']) {
      await page.keyboard.press('Tab');
      if (stop !== '') await page.keyboard.press(stop);
    }
    assert.deepEqual(await actions(), [
      { type: 'again' },
      { type: 'copy' },
      { type: 'checkRow', id: 'codex' },
      { type: 'press', id: 'codex', button: 0 },
      { type: 'press', id: 'codex', button: 1 },
    ]);
    await close();
  });

  it('keeps the focus where it is while a line is checked again', async () => {
    const { page, tell, close } = await open('mixed', { width: 900 });
    const again = page.getByRole('button', { name: 'Check Codex again' });
    await again.focus();
    const { mixed } = scenes;
    assert.ok(mixed);
    await tell(pageState({ ...mixed, pending: new Set(['codex']) }, english));
    await tell(pageState(mixed, english));
    assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Check Codex again');
    await close();
  });

  it('shows what programs print as text', async () => {
    const { page, tell, close } = await open('all', {});
    const hostile = { ...signedOut, found: ['<img src=x onerror="window.broken = 1">'] };
    await tell(pageState(setupInput({ codex: hostile }), english));
    await page.getByText('<img src=x').waitFor();
    assert.equal(await page.evaluate('window.broken'), undefined);
    await close();
  });

  it('drops what is no message of the window', async () => {
    const { page, tell, problems, close } = await open('all', {});
    await tell({ type: 'state', groups: 'none' });
    assert.equal(await page.locator('.row').count(), 4);
    assert.deepEqual(problems, []);
    await close();
  });
});
