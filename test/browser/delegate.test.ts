import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { createSampleWorkspace } from '../../scripts/sampleWorkspace.ts';
import { ensureTool } from '../../scripts/setup.ts';
import { type AgentHome, createAgentHome } from '../support/agentHomes.ts';
import {
  activityButton,
  answerInput,
  editorTab,
  launchBrowser,
  openViews,
  openWorkbench,
  pick,
  runCommand,
  runRow,
  screenshot,
  toast,
} from '../support/browser.ts';
import { themeClasses, themes } from '../support/themes.ts';
import { type Editor, installExtension, startEditor, writeUserSettings } from '../support/editorHost.ts';
import { type ModelServer, startModelServer } from '../support/modelServer/server.ts';

describe('delegating by mouse and keyboard', function () {
  this.timeout(120_000);
  let folder: string;
  let model: ModelServer;
  let home: AgentHome;
  let editor: Editor;
  let browser: Browser;
  let page: Page;
  let settings: Record<string, unknown>;

  const shared = () => ({
    extensionsDir: join(folder, 'extensions'),
    folder: join(folder, 'greeter'),
    env: { SALLYPORT_STATE_DIR: join(folder, 'state') },
  });

  before(async () => {
    const vsix = process.env.SALLYPORT_VSIX ?? '';
    folder = await mkdtemp(join(tmpdir(), 'sallyport-browser-'));
    const place = { userDataDir: join(folder, 'profile'), extensionsDir: join(folder, 'extensions') };
    model = await startModelServer();
    home = await createAgentHome('codex', model.url);
    settings = {
      // So that the terminal's text is in the page and not painted.
      'terminal.integrated.gpuAcceleration': 'off',
      'sallyport.codex.path': await ensureTool('codex'),
      'sallyport.environment': home.env,
    };
    await createSampleWorkspace(join(folder, 'greeter'));
    await writeUserSettings(place.userDataDir, { ...settings, ...themes.dark });
    await installExtension(vsix, place.userDataDir, place.extensionsDir);
    editor = await startEditor({ ...place, ...shared() });
    browser = await launchBrowser();
    page = await openWorkbench(browser, editor.url, { ready: (opened) => activityButton(opened, 'Sallyport') });
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await screenshot(page, 'failed-step');
  });

  after(async () => {
    await browser.close();
    await editor.stop();
    await model.close();
    await home.dispose();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('says what to do when nothing has been delegated yet', async () => {
    await openViews(page);
    await page.locator('.welcome-view-content').filter({ hasText: 'Nothing has been delegated' }).waitFor();
    await screenshot(page, 'welcome-dark');
  });

  it('asks for the prompt and takes the selection along', async () => {
    await page.keyboard.press('Control+P');
    await page.locator('.quick-input-widget input').first().fill('src/greeting.js');
    await pick(page, 'greeting.js');
    await editorTab(page, 'greeting.js').waitFor();
    await page.locator('.monaco-editor .view-line').first().click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await runCommand(page, 'sallyport.delegateToCodex');
    await page.locator('.quick-input-message').filter({ hasText: 'src/greeting.js:1-2' }).waitFor();
    await screenshot(page, 'prompt-dark');
  });

  it('shows the step and the time while the agent works', async () => {
    await answerInput(page, 'Repair the greeting [[scenario: demo-150ms]]');
    await toast(page, /Codex: Repair the greeting.*\d+s · /).waitFor();
    await runRow(page, /Codex · \d+s · /).waitFor();
    await screenshot(page, 'progress-dark');
  });

  it('opens the result when it is done', async () => {
    await editorTab(page, 'Repair the greeting').waitFor({ timeout: 60_000 });
    await page.locator('.monaco-editor .codelens-decoration').filter({ hasText: 'Show Changes' }).waitFor();
    await runRow(page, /Repair the greeting.*Codex · \d+s$/).waitFor();
    await screenshot(page, 'result-dark');
    assert.match(await readFile(join(folder, 'greeter', 'src', 'greeting.js'), 'utf8'), /stranger/);
    assert.match(model.requests.find(({ prompt }) => prompt.includes('Repair'))?.prompt ?? '', /src\/greeting\.js:1-2/);
  });

  it('shows what changed as a diff', async () => {
    await page.locator('.codelens-decoration a').filter({ hasText: 'Show Changes' }).click();
    await editorTab(page, 'before and now').waitFor();
    await page.locator('.multiDiffEntry').first().waitFor();
    await page.locator('.multiDiffEntry .line-insert, .multiDiffEntry .char-insert').first().waitFor();
    await screenshot(page, 'diff-dark');
  });

  it('follows up in the same session', async () => {
    await runRow(page, /Repair the greeting/).hover();
    await runRow(page, /Repair the greeting/)
      .locator('a[aria-label^="Follow Up"]')
      .click();
    await answerInput(page, 'And now? [[scenario: remember]]');
    await editorTab(page, 'And now').waitFor({ timeout: 60_000 });
    await page.locator('.view-line').filter({ hasText: 'I have seen' }).waitFor();
  });

  it('cancels for real', async () => {
    await runCommand(page, 'sallyport.delegateToCodex');
    await answerInput(page, 'Go round in circles [[scenario: loop-100ms]]');
    const progress = toast(page, /Codex: Go round in circles/);
    await progress.waitFor();
    await page.waitForTimeout(2_000);
    await progress.hover();
    await progress.locator('.monaco-button').filter({ hasText: 'Cancel' }).click();
    await runRow(page, /Go round in circles.*cancelled/).waitFor();
    const asked = model.requests.length;
    await page.waitForTimeout(1_500);
    assert.equal(model.requests.length, asked);
    await screenshot(page, 'cancelled-dark');
  });

  it('says how to sign in, and types it into a terminal without running it', async () => {
    await runCommand(page, 'sallyport.delegateToCodex');
    await answerInput(page, 'Try with a bad key [[scenario: http401]]');
    const failed = toast(page, /codex login/);
    await failed.waitFor({ timeout: 60_000 });
    await screenshot(page, 'failure-dark');
    await failed.locator('.monaco-button').filter({ hasText: 'Sign In' }).click();
    await page
      .locator('.xterm-rows')
      .filter({ hasText: /[#$]\s*codex\s+login/ })
      .waitFor();
    await screenshot(page, 'terminal-dark');
  });

  for (const name of ['dark', 'light', 'highContrastDark', 'highContrastLight'] as const) {
    it(`knows its runs in another window, and looks right in ${name}`, async () => {
      // The editor keeps the settings it has once read, so each theme gets one of its own.
      const other = await startEditor({ ...shared(), settings: { ...settings, ...themes[name] } });
      try {
        const opened = await openWorkbench(browser, other.url, { ready: (it) => activityButton(it, 'Sallyport') });
        await opened.locator(`.monaco-workbench.${themeClasses[name]}`).waitFor();
        await activityButton(opened, 'Sallyport').click();
        await runRow(opened, /Repair the greeting/).click();
        await opened.locator('.codelens-decoration').filter({ hasText: 'Show Changes' }).waitFor();
        await runRow(opened, /Go round in circles/).hover();
        await opened.locator('.monaco-hover:visible').filter({ hasText: 'Status' }).waitFor();
        await screenshot(opened, `runs-${name}`);
        // The headers above the views are the editor's own.
        const { violations, passes } = await new AxeBuilder({ page: opened })
          .include('.part.sidebar .pane-body')
          .analyze();
        assert.deepEqual(
          violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) })),
          [],
        );
        assert.ok(passes.length > 0);
        await opened.context().close();
      } finally {
        await other.stop();
      }
    });
  }
});
