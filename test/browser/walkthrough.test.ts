import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { createSampleWorkspace } from '../../scripts/sampleWorkspace.ts';
import { answerInput, editorTab, pick, runCommand, screenshot } from '../support/browser.ts';
import { writeCursorLauncher } from '../support/cursorLauncher.ts';
import { type InstalledEditor, openInstalledEditor } from '../support/installedEditor.ts';
import { eventually } from '../support/processes/runs.ts';

const walkthrough = 'sallyport.sallyport#start';

describe('the walkthrough, from a clean profile', function () {
  this.timeout(240_000);
  let installed: InstalledEditor;
  let page: Page;
  let folder: string;

  const step = (id: string): Locator => page.locator(`.getting-started-step[data-step-id="${walkthrough}#${id}"]`);
  const isTicked = async (id: string): Promise<boolean> =>
    (await step(id).locator('.codicon-getting-started-step-checked').count()) > 0;
  const ticks = async (): Promise<boolean[]> =>
    Promise.all(['checkSetup', 'finishRun', 'seeSession', 'useFromChat'].map(isTicked));
  const whenTicked = (id: string): Promise<void> => step(id).locator('.codicon-getting-started-step-checked').waitFor();

  /** Opens it as a person does, from the list of all. */
  async function open(): Promise<void> {
    // A view that takes the focus meanwhile, as after a reload, closes the list.
    await eventually(
      'the walkthrough is open',
      async () => {
        await runCommand(page, 'welcome.showAllWalkthroughs');
        const row = page
          .locator('.quick-input-list .monaco-list-row')
          .filter({ hasText: 'Get Started with Sallyport' });
        await row.click({ timeout: 5_000 }).catch(() => page.keyboard.press('Escape'));
        return await step('checkSetup').isVisible();
      },
      60_000,
    );
  }

  /** Unfolds a step and presses its button. */
  async function press(id: string, label: string): Promise<void> {
    await open();
    if ((await step(id).getAttribute('aria-expanded')) !== 'true') await step(id).locator('.step-title').click();
    await page.waitForTimeout(500);
    await screenshot(page, `walkthrough-${id}-dark`);
    await step(id).locator('.monaco-button').filter({ hasText: label }).first().click();
  }

  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'sp-walkthrough-')));
    const launcher = await writeCursorLauncher(folder, { onPrompt: [[{ step: 'say', text: 'Done.' }]] });
    installed = await openInstalledEditor({
      agents: ['codex'],
      // The window looks for chats where its own environment says.
      env: launcher.environment,
      settings: { 'sallyport.cursor.path': launcher.program },
      workspace: async (place) => {
        await createSampleWorkspace(join(place, 'greeter'));
        return join(place, 'greeter');
      },
    });
    ({ page } = installed);
    // Room for the pictures beside the steps.
    await page.setViewportSize({ width: 1500, height: 800 });
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await screenshot(page, 'failed-walkthrough');
  });

  after(async () => {
    await installed.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('has four steps, none of them ticked', async () => {
    await open();
    assert.equal(await page.locator('.getting-started-step').count(), 4);
    assert.deepEqual(await ticks(), [false, false, false, false]);
  });

  it('ticks the set-up when an agent is found ready', async () => {
    await press('checkSetup', 'Check Setup');
    await editorTab(page, 'Sallyport Setup').waitFor();
    const setup = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await setup.locator('.summary').filter({ hasText: 'Ready: Codex' }).waitFor({ timeout: 60_000 });
    await open();
    await whenTicked('checkSetup');
    assert.deepEqual(await ticks(), [true, false, false, false]);
  });

  it('ticks delegating when a run has been completed, and not before', async () => {
    await press('finishRun', 'Delegate…');
    await pick(page, 'Codex');
    await answerInput(page, 'Look at it [[scenario: answer]]');
    await editorTab(page, 'Look at it').waitFor({ timeout: 60_000 });
    await open();
    await whenTicked('finishRun');
    assert.deepEqual(await ticks(), [true, true, false, false]);
  });

  it('ticks chat when it has called a tool', async () => {
    await press('useFromChat', 'Ask in Chat');
    // The editor's chat starts the server when it is asked for; here nobody is signed in to a model.
    await runCommand(page, 'workbench.mcp.listServer');
    await pick(page, 'Sallyport');
    await pick(page, 'Start Server');
    const chat = await installed.connectAsChat();
    await chat.call('bridge_stats', {});
    await chat.close();
    await open();
    await whenTicked('useFromChat');
    assert.deepEqual(await ticks(), [true, true, false, true]);
  });

  it('ticks the Cursor agent when a session of one is seen', async () => {
    await press('seeSession', 'Start Cursor Agent');
    await open();
    await whenTicked('seeSession');
  });

  it('remembers it all in the next window', async () => {
    const loaded = page.waitForEvent('load', { timeout: 60_000 });
    await runCommand(page, 'workbench.action.reloadWindow');
    await loaded;
    await page.locator('.activitybar a.action-label[aria-label^="Sallyport"]').first().waitFor({ timeout: 90_000 });
    await open();
    for (const id of ['checkSetup', 'finishRun', 'seeSession', 'useFromChat']) await whenTicked(id);
  });
});
