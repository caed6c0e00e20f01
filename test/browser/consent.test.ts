import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { createSampleWorkspace } from '../../scripts/sampleWorkspace.ts';
import {
  activityButton,
  answerInput,
  button,
  dialog,
  editorTab,
  notification,
  pick,
  runCommand,
  runRow,
  screenshot,
  toast,
} from '../support/browser.ts';
import { type InstalledEditor, openInstalledEditor } from '../support/installedEditor.ts';

/** Everything a workspace could try to agree with in the person's place. */
const eager = {
  'sallyport.allowUnsandboxed': true,
  'sallyport.unsandboxedConsent': true,
  'sallyport.followUp.allowWiden': true,
};

describe('consent to work without a sandbox', function () {
  this.timeout(180_000);
  let installed: InstalledEditor;
  let page: Page;

  before(async () => {
    installed = await openInstalledEditor({
      agents: ['grok'],
      settings: { 'sallyport.sandbox.mode': 'off' },
      workspace: async (folder) => {
        const workspace = join(folder, 'greeter');
        await createSampleWorkspace(workspace);
        await mkdir(join(workspace, '.vscode'));
        await writeFile(join(workspace, '.vscode', 'settings.json'), JSON.stringify(eager));
        return workspace;
      },
    });
    ({ page } = installed);
    await activityButton(page, 'Sallyport').click();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await screenshot(page, 'failed-consent');
  });

  after(() => installed.close());

  const note = () => join(installed.opened, 'note.txt');
  const question = (): Locator => dialog(page, /Let Grok.* work without a sandbox/);

  async function delegateToGrok(prompt: string): Promise<void> {
    await runCommand(page, 'sallyport.delegateToGrok');
    await answerInput(page, prompt);
  }

  async function assertRefused(): Promise<void> {
    // The list has what the editor shows no toast of, or not any more.
    await runCommand(page, 'notifications.showList');
    const refused = notification(page, 'was not allowed to work without a sandbox');
    await refused.waitFor();
    assert.deepEqual(await installed.runIds(), []);
    assert.deepEqual(installed.model.requests, []);
    assert.ok(!existsSync(note()));
    await runCommand(page, 'notifications.clearAll');
    await refused.waitFor({ state: 'detached' });
  }

  it('is asked for, says what it means, and no setting of the workspace gives it', async () => {
    await delegateToGrok('Write the note [[scenario: edit]]');
    await question().waitFor();
    await screenshot(page, 'consent-dark');
    assert.match(await question().innerText(), /run any command as you/);
  });

  it('takes Escape as no: nothing runs, and a message says why', async () => {
    await page.keyboard.press('Escape');
    await question().waitFor({ state: 'detached' });
    await screenshot(page, 'consent-declined-dark');
    await assertRefused();
  });

  it('takes Enter as no', async () => {
    await delegateToGrok('Write the note again [[scenario: edit]]');
    await question().waitFor();
    await page.keyboard.press('Enter');
    await question().waitFor({ state: 'detached' });
    await assertRefused();
  });

  it('lets the agent work once it is given', async () => {
    await delegateToGrok('Write the note now [[scenario: edit]]');
    await button(question(), 'Allow in This Workspace').click();
    await editorTab(page, 'Write the note now').waitFor({ timeout: 60_000 });
    assert.equal(await readFile(note(), 'utf8'), 'a note\n');
    await runRow(page, /Write the note now.*Grok · \d+s$/).waitFor();
    assert.equal((await installed.runIds()).length, 1);
  });

  it('is not asked for a second time', async () => {
    await delegateToGrok('And once more [[scenario: edit]]');
    await editorTab(page, 'And once more').waitFor({ timeout: 60_000 });
    assert.equal((await installed.runIds()).length, 2);
  });

  it('can be withdrawn, and is then asked for again', async () => {
    await runCommand(page, 'sallyport.withdrawConsent');
    await delegateToGrok('After all [[scenario: edit]]');
    await button(question(), 'Do Not Allow').click();
    await toast(page, 'was not allowed to work without a sandbox').waitFor();
    assert.equal((await installed.runIds()).length, 2);
  });

  it('is asked for when chat delegates, too', async () => {
    await runCommand(page, 'workbench.mcp.listServer');
    await pick(page, 'Sallyport');
    await pick(page, 'Start Server');
    const chat = await installed.connectAsChat();
    try {
      // A model named by the caller lets no other agent take over.
      const task = { prompt: 'From chat [[scenario: edit]]', level: 2, model: 'grok-4.5' };
      const declined = chat.call('delegate', task);
      await question().waitFor();
      await screenshot(page, 'consent-chat-dark');
      await page.keyboard.press('Escape');
      assert.match((await declined).text, /was not allowed to work without a sandbox/);
      const allowed = chat.call('delegate', task);
      await button(question(), 'Allow in This Workspace').click();
      assert.match((await allowed).text, /session_id: grok:/);
    } finally {
      await chat.close();
    }
  });
});
