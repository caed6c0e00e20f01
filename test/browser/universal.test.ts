import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { packageOne } from '../../scripts/package.ts';
import { createSampleWorkspace } from '../../scripts/sampleWorkspace.ts';
import { activityButton, button, runCommand, screenshot, toast } from '../support/browser.ts';
import { type CursorLauncher, writeCursorLauncher } from '../support/cursorLauncher.ts';
import { readLog } from '../support/cursorSimulator/log.ts';
import { type InstalledEditor, openInstalledEditor } from '../support/installedEditor.ts';
import { eventually, isRunning } from '../support/processes/runs.ts';
import { WaitingCards } from '../support/waitingCards.ts';

describe('the package for all platforms, which has no terminals of its own', function () {
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
    folder = await realpath(await mkdtemp(join(tmpdir(), 'sp-universal-')));
    launcher = await writeCursorLauncher(folder, {
      onPrompt: [[{ step: 'calls', calls: [{ args: { command: 'make deploy' }, leadMs: 0 }] }]],
    });
    installed = await openInstalledEditor({
      vsix: await packageOne('universal'),
      agents: [],
      env: { CURSOR_CONFIG_DIR: join(folder, 'cursor') },
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
    if (this.currentTest?.state === 'failed') await screenshot(page, 'failed-universal');
  });

  after(async () => {
    await installed.close();
    for (const { pid } of starts())
      await eventually('the agent has ended', async () => !(await isRunning(pid)), 20_000);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('starts the agent in an ordinary terminal, and says what to do to answer on the cards', async () => {
    await runCommand(page, 'sallyport.startCursorAgent');
    await inTerminal('Plan, search, build anything').waitFor({ timeout: 60_000 });
    const notice = toast(page, 'The Cursor agent runs in an ordinary terminal');
    await notice.waitFor({ timeout: 30_000 });
    await notice.getByText(`install the package of Sallyport for ${process.platform}-${process.arch}`).waitFor();
    await screenshot(page, 'universal-terminal-dark');
    await button(notice, 'Show Extension').click();
    await page.locator('.extensions-viewlet .extension-list-item').filter({ hasText: 'Sallyport' }).waitFor();
    await activityButton(page, 'Sallyport').click();
  });

  it('is a terminal to type in, whose request is shown and answered there', async () => {
    await page.locator('.xterm-helper-textarea').focus();
    await page.keyboard.type('deploy', { delay: 200 });
    await inTerminal('deploy').waitFor();
    await page.waitForTimeout(600);
    await page.keyboard.press('Enter');
    await inTerminal('make deploy').waitFor({ timeout: 30_000 });
    const card = new WaitingCards(page).card('make deploy');
    await card.getByText('Answer there.', { exact: false }).waitFor({ timeout: 30_000 });
    assert.equal(await card.getByRole('button', { name: 'Approve' }).count(), 0);
    await screenshot(page, 'universal-request-dark');
  });
});
