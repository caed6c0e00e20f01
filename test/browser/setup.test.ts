import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { createSampleWorkspace } from '../../scripts/sampleWorkspace.ts';
import { activityButton, button, runCommand, screenshot } from '../support/browser.ts';
import { type InstalledEditor, openInstalledEditor } from '../support/installedEditor.ts';
import { eventually } from '../support/processes/runs.ts';
import { writeStandInAgents } from '../support/standInAgents.ts';

describe('Check Setup', function () {
  this.timeout(180_000);
  let installed: InstalledEditor;
  let page: Page;
  let setup: FrameLocator;
  let bin: string;

  const row = (title: string | RegExp): Locator =>
    setup.locator('.row').filter({ has: setup.getByRole('heading', { name: title, exact: true }) });
  const verdict = (title: string | RegExp, text: string | RegExp): Promise<void> =>
    row(title).locator('.verdict').filter({ hasText: text }).waitFor();
  const summary = (text: string | RegExp): Promise<void> =>
    setup.locator('.summary').filter({ hasText: text }).waitFor();
  const checkAgain = (): Promise<void> => setup.getByRole('button', { name: 'Check Again' }).click();
  const typed = (text: string): Locator => page.locator('.xterm-rows').filter({ hasText: text }).last();

  before(async () => {
    installed = await openInstalledEditor({
      agents: [],
      workspace: async (folder) => {
        await createSampleWorkspace(join(folder, 'greeter'));
        return join(folder, 'greeter');
      },
      // A person of whom nothing is known: only what this test puts there is found.
      home: async (folder) => {
        bin = join(folder, '.local', 'bin');
        await mkdir(bin, { recursive: true });
        return { HOME: folder, PATH: `${bin}:/usr/bin:/bin` };
      },
    });
    ({ page } = installed);
    setup = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await screenshot(page, 'failed-setup');
  });

  after(() => installed.close());

  it('is offered where the views are empty because there is no agent', async () => {
    await activityButton(page, 'Sallyport').click();
    await setup.getByRole('heading', { name: 'Cursor’s agent was not found' }).waitFor({ timeout: 60_000 });
    await setup.getByRole('button', { name: 'Check Setup' }).waitFor();
    const welcome = page.locator('.welcome-view-content').filter({ hasText: 'No agent was found on this machine' });
    await button(welcome, 'Check Setup').waitFor();
    await screenshot(page, 'setup-empty-views-dark');
    await activityButton(page, 'Explorer').click();
  });

  it('names, with no agent at all, the command for each', async () => {
    await runCommand(page, 'sallyport.checkSetup');
    await summary('No agent is ready');
    for (const [title, command] of [
      ['Codex', 'npm install -g @openai/codex'],
      ['Grok', 'npm install -g @xai-official/grok'],
      ['Claude Code', 'npm install -g @anthropic-ai/claude-code'],
      ['Cursor', 'curl https://cursor.com/install -fsS | bash'],
    ] as const) {
      await verdict(title, 'Not installed');
      assert.equal(await row(title).locator('.command').innerText(), command);
    }
    for (const title of ['Git', 'Journal of runs', /^Terminals/]) await verdict(title, 'Works');
    await verdict('Tools for chat (MCP)', 'Offered to chat');
    await verdict('Cursor’s chats', 'No chats yet');
    await screenshot(page, 'setup-none-dark');
  });

  it('types a command into a terminal, by keyboard alone, and leaves running it to the person', async () => {
    await setup.getByRole('button', { name: 'Check Again' }).focus();
    for (let presses = 0; presses < 20; presses += 1) {
      if (
        (await setup
          .locator(':focus')
          .innerText()
          .catch(() => '')) === 'Type in Terminal'
      )
        break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await typed('npm install -g @openai/codex').waitFor();
    await runCommand(page, 'workbench.action.terminal.killAll');
  });

  it('shows what comes while one agent hangs, and says of that one so', async () => {
    await writeStandInAgents(bin, { codex: 'hung', grok: 'signedOut', claude: 'signedIn' });
    await checkAgain();
    await verdict('Claude Code', 'Signed in');
    await verdict('Codex', 'Checking');
    await screenshot(page, 'setup-hung-dark');
    await verdict('Codex', 'Did not answer within 5 s');
    await verdict('Grok', 'Not signed in');
    await verdict('Cursor', 'Not installed');
    assert.match((await row('Cursor').getAttribute('class')) ?? '', /optional/);
    await summary('Ready: Claude Code. To look at: Codex, Grok');
    await screenshot(page, 'setup-mixed-dark');
  });

  it('checks a line again when the command of its button has ended', async () => {
    await row('Grok').getByRole('button', { name: 'Type in Terminal' }).click();
    await typed('grok login').waitFor();
    await page.locator('.xterm-helper-textarea').last().focus();
    await page.keyboard.press('Enter');
    await verdict('Grok', 'Signed in');
    await runCommand(page, 'workbench.action.terminal.killAll');
  });

  it('is content with all of them, and shows whose they are', async () => {
    await writeStandInAgents(bin, { codex: 'signedIn', grok: 'signedIn', claude: 'signedIn', cursor: 'signedIn' });
    await checkAgain();
    await summary('Ready: Codex, Grok, Claude Code, Cursor');
    await row('Claude Code').getByText('Account: ada@example.com').waitFor();
    await screenshot(page, 'setup-all-dark');
  });

  it('copies it for a report, without accounts and the name of the home folder', async () => {
    await setup.getByRole('button', { name: 'Copy as Text' }).click();
    await setup.getByText('Copied.').waitFor();
    const text = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.match(text, /- Codex: Signed in \[ok\]\n {2}- Version 0\.171\.0: ~\/\.local\/bin\/codex/);
    assert.doesNotMatch(text, /ada@example|sallyport-browser-\w+\/home/);
  });

  it('checks one line alone', async () => {
    await writeStandInAgents(bin, { codex: 'signedIn', grok: 'signedIn', claude: 'signedOut', cursor: 'signedIn' });
    await row('Claude Code').getByRole('button', { name: 'Check Claude Code again' }).click();
    await verdict('Claude Code', 'Not signed in');
  });

  it('is one page, however often it is asked for, and leaves nothing running', async () => {
    await runCommand(page, 'sallyport.checkSetup');
    assert.equal(await page.locator('.tabs-container .tab').filter({ hasText: 'Sallyport Setup' }).count(), 1);
    await summary('To look at: Claude Code');
    await eventually(
      'the hung program has ended',
      async () => (await installed.processes('sleep 60')).length === 0,
      30_000,
    );
  });

  it('has its settings in groups', async () => {
    // Those of a machine stand there alone when the window is a remote one.
    await runCommand(page, 'workbench.action.openRemoteSettings');
    await page.keyboard.type('@ext:sallyport.sallyport');
    const groups = page.locator('.settings-toc-container .monaco-list-row');
    for (const title of ['Delegation', 'Limits', 'Agents', 'Sandbox']) {
      await groups.filter({ hasText: title }).first().waitFor();
    }
    await screenshot(page, 'settings-dark');
  });
});
