import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createSampleWorkspace } from '../../scripts/sampleWorkspace.ts';
import {
  activityButton,
  answerInput,
  button,
  editorTab,
  pick,
  runCommand,
  runRow,
  screenshot,
  toast,
} from '../support/browser.ts';
import { type InstalledEditor, type InstalledEditorOptions, openInstalledEditor } from '../support/installedEditor.ts';

/** Where an agent is found whatever PATH and home say. */
const sharedFolders = [
  '/usr/bin',
  '/bin',
  '/usr/local/bin',
  '/snap/bin',
  '/opt/homebrew/bin',
  '/home/linuxbrew/.linuxbrew/bin',
];
const agentPrograms = ['codex', 'claude', 'grok', 'cursor-agent'];

/** Opens an editor before the tests of the block and closes it after them. */
function editorFor(options: InstalledEditorOptions): () => InstalledEditor {
  let installed: InstalledEditor;
  before(async () => {
    installed = await openInstalledEditor(options);
    await activityButton(installed.page, 'Sallyport').click();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await screenshot(installed.page, 'failed-folders');
  });
  after(() => installed.close());
  return () => installed;
}

describe('a folder without git', function () {
  this.timeout(180_000);
  const installed = editorFor({
    agents: ['codex'],
    workspace: async (folder) => {
      const plain = join(folder, 'plain');
      await cp(resolve(import.meta.dirname, '..', 'fixtures', 'sampleWorkspace'), plain, { recursive: true });
      return plain;
    },
  });

  it('says in the result that only what the agent reported is listed', async () => {
    const { page, opened } = installed();
    await runCommand(page, 'sallyport.delegateToCodex');
    await answerInput(page, 'Write it [[scenario: fileChange]]');
    await editorTab(page, 'Write it').waitFor({ timeout: 60_000 });
    await page.locator('.view-line').filter({ hasText: 'not under git' }).waitFor();
    await page.locator('.view-line').filter({ hasText: 'Files changed: patched.txt' }).waitFor();
    assert.ok(existsSync(join(opened, 'patched.txt')));
    await screenshot(page, 'no-git-result-dark');
  });

  it('lists the files where it cannot show a diff, and opens them', async () => {
    const { page } = installed();
    await runCommand(page, 'sallyport.showChanges');
    await page.locator('.quick-input-titlebar').filter({ hasText: 'no git' }).waitFor();
    await screenshot(page, 'no-git-changes-dark');
    await pick(page, 'patched.txt');
    await editorTab(page, 'patched.txt').waitFor();
  });

  it('still says so when the result is opened again', async () => {
    const { page } = installed();
    await runCommand(page, 'workbench.action.closeAllEditors');
    await runRow(page, 'Write it').click();
    await page.locator('.view-line').filter({ hasText: 'not under git' }).waitFor();
  });
});

describe('a machine without agents', function () {
  this.timeout(180_000);
  const found = sharedFolders.flatMap((folder) => agentPrograms.map((name) => join(folder, name))).filter(existsSync);
  if (found.length > 0) {
    it(`is not this one, which has ${found.join(', ')}`);
    return;
  }
  const home = join(resolve(import.meta.dirname, '..', '..', '.cache'), 'empty-home');
  const installed = editorFor({
    agents: [],
    env: { PATH: '/usr/bin:/bin', HOME: home, SHELL: '/bin/sh' },
    workspace: async (folder) => {
      await mkdir(home, { recursive: true });
      await createSampleWorkspace(join(folder, 'greeter'));
      return join(folder, 'greeter');
    },
  });

  it('is told so, and where to see what to install', async () => {
    const { page } = installed();
    const welcome = page.locator('.welcome-view-content').filter({ hasText: 'No agent was found on this machine' });
    await button(welcome, 'Check Setup').waitFor();
    await screenshot(page, 'no-agents-dark');
  });

  it('says so of the agent that was asked, and types the command that installs it', async () => {
    const { page } = installed();
    await runCommand(page, 'sallyport.delegateToCodex');
    await answerInput(page, 'Try it');
    const failed = toast(page, 'npm install -g @openai/codex');
    await failed.waitFor();
    await screenshot(page, 'not-installed-dark');
    await button(failed, 'Install in Terminal').click();
    await page
      .locator('.xterm-rows')
      .filter({ hasText: /npm\s+install\s+-g\s+@openai\/codex/ })
      .waitFor();
  });

  it('asks for no consent on behalf of an agent that is not there', async () => {
    const { page } = installed();
    await runCommand(page, 'sallyport.delegateToGrok');
    await answerInput(page, 'Try that');
    await toast(page, '@xai-official/grok').waitFor();
    assert.equal(await page.locator('.monaco-dialog-box').count(), 0);
  });
});

describe('two folders in a workspace', function () {
  this.timeout(180_000);
  const installed = editorFor({
    agents: ['codex'],
    workspace: async (folder) => {
      for (const name of ['first', 'second']) await createSampleWorkspace(join(folder, name));
      const file = join(folder, 'both.code-workspace');
      await writeFile(file, JSON.stringify({ folders: [{ path: 'first' }, { path: 'second' }] }));
      return file;
    },
  });

  it('asks which one the agent should work in, and works there', async () => {
    const { page, folder } = installed();
    await runCommand(page, 'sallyport.delegateToCodex');
    await page
      .locator('.quick-input-widget')
      .filter({ has: page.locator('input[placeholder*="Which folder"]') })
      .waitFor();
    await screenshot(page, 'pick-folder-dark');
    await pick(page, 'second');
    await answerInput(page, 'Write the note [[scenario: edit]]');
    await editorTab(page, 'Write the note').waitFor({ timeout: 60_000 });
    assert.equal(await readFile(join(folder, 'second', 'note.txt'), 'utf8'), 'a note\n');
    assert.ok(!existsSync(join(folder, 'first', 'note.txt')));
    await runRow(page, 'Write the note').waitFor();
  });
});
