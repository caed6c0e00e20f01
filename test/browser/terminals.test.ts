import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createSampleWorkspace } from '../../scripts/sampleWorkspace.ts';
import { activityButton, button, runCommand, screenshot, toast } from '../support/browser.ts';
import { type CursorLauncher, writeCursorLauncher } from '../support/cursorLauncher.ts';
import { readLog } from '../support/cursorSimulator/log.ts';
import { type InstalledEditor, openInstalledEditor } from '../support/installedEditor.ts';
import { eventually, isRunning } from '../support/processes/runs.ts';

describe('a Cursor agent in a terminal of Sallyport', function () {
  this.timeout(180_000);
  let folder: string;
  let launcher: CursorLauncher;
  let installed: InstalledEditor;
  let page: Page;

  const starts = () =>
    readLog(launcher.logFile).flatMap((entry) =>
      entry.event === 'start' && entry.argv[0] === '--resume' ? [entry] : [],
    );
  const inTerminal = (text: string) => page.locator('.xterm-rows').filter({ hasText: text });

  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'sp-terminal-')));
    launcher = await writeCursorLauncher(folder, {
      steps: [{ step: 'trust' }],
      onPrompt: [[{ step: 'say', text: 'Nothing to do.' }]],
    });
    installed = await openInstalledEditor({
      agents: [],
      settings: { 'sallyport.cursor.path': launcher.program, 'sallyport.environment': launcher.environment },
      workspace: async (place) => {
        await createSampleWorkspace(join(place, 'greeter'));
        return join(place, 'greeter');
      },
    });
    ({ page } = installed);
    await activityButton(page, 'Sallyport').click();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await screenshot(page, 'failed-terminals');
  });

  after(async () => {
    await installed.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('shows its question about trust and leaves it to the person', async () => {
    await runCommand(page, 'sallyport.startCursorAgent');
    await inTerminal('Trust this workspace').waitFor({ timeout: 60_000 });
    const notice = toast(page, 'Cursor asks whether to trust');
    await notice.waitFor({ timeout: 30_000 });
    await screenshot(page, 'trust-notice-dark');
    await button(notice, 'Open Terminal').click();
    assert.deepEqual(
      readLog(launcher.logFile).filter(({ event }) => event === 'input'),
      [],
    );
    await page.locator('.xterm-helper-textarea').focus();
    await page.keyboard.press('a');
    await inTerminal('Plan, search, build anything').waitFor({ timeout: 30_000 });
  });

  it('takes what is typed, and the size of the panel', async () => {
    await page.keyboard.type('hello', { delay: 200 });
    await inTerminal('hello').waitFor();
    await page.waitForTimeout(600);
    await page.keyboard.press('Enter');
    await inTerminal('Nothing to do.').waitFor({ timeout: 30_000 });
    await screenshot(page, 'cursor-terminal-dark');
  });

  it('outlives the panel', async () => {
    const [start] = starts();
    await runCommand(page, 'workbench.action.togglePanel');
    await inTerminal('Nothing to do.').waitFor({ state: 'hidden' });
    assert.ok(await isRunning(start?.pid ?? 0));
    await runCommand(page, 'workbench.action.togglePanel');
    await inTerminal('Nothing to do.').waitFor();
  });

  it('ends with its window, and is offered again once', async () => {
    const [start] = starts();
    const loaded = page.waitForEvent('load', { timeout: 60_000 });
    await runCommand(page, 'workbench.action.reloadWindow');
    await loaded;
    await eventually('the agent has ended', async () => !(await isRunning(start?.pid ?? 0)), 20_000);
    await activityButton(page, 'Sallyport').waitFor({ timeout: 90_000 });
    const offer = toast(page, 'The Cursor agent in greeter ended with the window.');
    await offer.waitFor({ timeout: 60_000 });
    await screenshot(page, 'resume-dark');
    await button(offer, 'Resume').click();
    await eventually('the agent runs again', () => starts().length === 2, 30_000);
    const [first, second] = starts();
    assert.deepEqual(second?.argv, first?.argv);
  });
});
