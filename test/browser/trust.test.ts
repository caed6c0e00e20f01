import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createSampleWorkspace } from '../../scripts/sampleWorkspace.ts';
import { answerInput, button, editorTab, openViews, pick, runCommand, screenshot, toast } from '../support/browser.ts';
import { type InstalledEditor, openInstalledEditor } from '../support/installedEditor.ts';

describe('Restricted Mode', function () {
  this.timeout(180_000);
  let installed: InstalledEditor;
  let page: Page;

  before(async () => {
    installed = await openInstalledEditor({
      agents: ['codex'],
      workspaceTrust: true,
      settings: { 'security.workspace.trust.startupPrompt': 'never' },
      workspace: async (folder) => {
        await createSampleWorkspace(join(folder, 'greeter'));
        return join(folder, 'greeter');
      },
    });
    ({ page } = installed);
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await screenshot(page, 'failed-trust');
  });

  after(() => installed.close());

  /** What the Runs view says. */
  const restricted = () => page.locator('.welcome-view-content').filter({ hasText: 'Earlier results can be read' });

  it('says in the view why nothing starts, with the way out', async () => {
    await openViews(page);
    await button(restricted(), 'Manage Workspace Trust').waitFor();
    await screenshot(page, 'restricted-dark');
  });

  for (const command of ['delegateToCodex', 'delegate', 'followUp', 'addToClient']) {
    it(`refuses ${command} and says what to do`, async () => {
      await runCommand(page, `sallyport.${command}`);
      const refused = toast(page, 'Sallyport starts no agent in Restricted Mode');
      await button(refused, 'Manage Workspace Trust').waitFor();
      if (command === 'delegateToCodex') await screenshot(page, 'restricted-command-dark');
      await page.keyboard.press('Escape');
      await runCommand(page, 'notifications.clearAll');
      await refused.waitFor({ state: 'detached' });
    });
  }

  it('checks the set-up as far as nothing has to be started for it', async () => {
    await runCommand(page, 'sallyport.checkSetup');
    const setup = page.locator('iframe.webview.ready').last().contentFrame().frameLocator('#active-frame');
    await setup.getByText('in which Sallyport starts nothing').waitFor();
    await setup.getByRole('button', { name: 'Manage Workspace Trust' }).waitFor();
    await setup.getByText('Not everything could be checked.').waitFor();
    // Four agents, four parts of the machine.
    assert.equal(await setup.getByText('Not checked in Restricted Mode').count(), 8);
    await screenshot(page, 'restricted-setup-dark');
    await runCommand(page, 'workbench.action.closeActiveEditor');
  });

  it('offers chat no server', async () => {
    await runCommand(page, 'workbench.mcp.listServer');
    await page.locator('.quick-input-list .monaco-list-row').first().waitFor();
    await screenshot(page, 'restricted-mcp-dark');
    assert.doesNotMatch(await page.locator('.quick-input-list').innerText(), /Sallyport/);
    await page.keyboard.press('Escape');
  });

  it('has started nothing', async () => {
    assert.deepEqual(await installed.runIds(), []);
    assert.deepEqual(installed.model.requests, []);
    for (const program of ['mcp.cjs', 'guard.cjs', 'codex']) {
      assert.deepEqual(await installed.processes(program), [], program);
    }
  });

  it('works as soon as the folder is trusted', async () => {
    await button(restricted(), 'Manage Workspace Trust').click();
    await page
      .locator('.workspace-trust-editor .monaco-button')
      .filter({ hasText: /^Trust$/ })
      .click();
    await page.keyboard.press('Escape');
    await page.locator('.welcome-view-content').filter({ hasText: 'Nothing has been delegated' }).waitFor();
    await runCommand(page, 'sallyport.delegateToCodex');
    await answerInput(page, 'Look at it [[scenario: answer]]');
    await editorTab(page, 'Look at it').waitFor({ timeout: 60_000 });
    await page.locator('.view-line').filter({ hasText: 'forty-two' }).waitFor();
    assert.equal((await installed.runIds()).length, 1);
  });

  it('then offers chat its server', async () => {
    await runCommand(page, 'workbench.mcp.listServer');
    await pick(page, 'Sallyport');
    await page.keyboard.press('Escape');
  });
});
