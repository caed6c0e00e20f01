import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as z from 'zod';
import { createSampleWorkspace } from '../../scripts/sampleWorkspace.ts';
import { activityButton, answerInput, editorTab, runCommand, runRow, screenshot, toast } from '../support/browser.ts';
import { installExtension } from '../support/editorHost.ts';
import { type InstalledEditor, openInstalledEditor } from '../support/installedEditor.ts';
import { eventually, survivors } from '../support/processes/runs.ts';
import { WaitingCards } from '../support/waitingCards.ts';
import { newerPackage } from '../support/newerPackage.ts';

const manifestSchema = z.object({ version: z.string() });

describe('an update under a running window', function () {
  this.timeout(180_000);
  let installed: InstalledEditor;
  let page: Page;
  let oldFolder: string;

  before(async () => {
    installed = await openInstalledEditor({
      agents: ['codex'],
      workspace: async (folder) => {
        await createSampleWorkspace(join(folder, 'greeter'));
        return join(folder, 'greeter');
      },
    });
    ({ page } = installed);
    await activityButton(page, 'Sallyport').click();
    const [name = ''] = (await readdir(extensions())).filter((each) => each.startsWith('sallyport'));
    oldFolder = join(extensions(), name);
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await screenshot(page, 'failed-update');
  });

  after(() => installed.close());

  const extensions = () => installed.editor.extensionsDir;

  it('lets a live run end, though the files it was started from are gone', async () => {
    const go = join(installed.opened, 'go');
    await runCommand(page, 'sallyport.delegateToCodex');
    await answerInput(page, 'Outlive it [[scenario: whenTold]]');
    await eventually('the agent waits', () => existsSync(join(installed.opened, 'waiting')), 60_000);
    const newer = await newerPackage(installed.folder);
    await installExtension(newer, installed.editor.userDataDir, extensions());
    assert.equal((await readdir(extensions())).filter((each) => each.startsWith('sallyport')).length, 2);
    // The next editor that starts does this.
    await rm(oldFolder, { recursive: true });
    await writeFile(go, '');
    await editorTab(page, 'Outlive it').waitFor({ timeout: 60_000 });
    await page.locator('.view-line').filter({ hasText: 'I was told to go on.' }).waitFor();
    const [runId = ''] = await installed.runIds();
    await eventually('nothing of it is left', async () => (await survivors(runId)).length === 0);
  });

  it('refuses a new run with what to do', async () => {
    await runCommand(page, 'sallyport.delegateToCodex');
    await answerInput(page, 'Too late [[scenario: answer]]');
    await toast(page, /updated or removed.*Reload the window.*Nothing was started/).waitFor();
    await screenshot(page, 'updated-dark');
    assert.equal((await installed.runIds()).length, 1);
  });

  it('says so in the place of a view that it cannot load', async () => {
    await activityButton(page, 'Explorer').click();
    await activityButton(page, 'Sallyport').click();
    await new WaitingCards(page).frame.getByText('Reload the window').waitFor();
    await screenshot(page, 'updated-view-dark');
  });

  it('is complete after a reload', async () => {
    const loaded = page.waitForEvent('load', { timeout: 60_000 });
    await runCommand(page, 'workbench.action.reloadWindow');
    await loaded;
    await activityButton(page, 'Sallyport').waitFor({ timeout: 90_000 });
    await runRow(page, /Outlive it.*Codex/).waitFor({ timeout: 60_000 });
    await new WaitingCards(page).empty.waitFor();
    await runCommand(page, 'sallyport.delegateToCodex');
    await answerInput(page, 'In time [[scenario: answer]]');
    await editorTab(page, 'In time').waitFor({ timeout: 60_000 });
    const [folder = ''] = (await readdir(extensions())).filter((each) => each.startsWith('sallyport'));
    const manifest = manifestSchema.parse(
      JSON.parse(await readFile(join(extensions(), folder, 'package.json'), 'utf8')),
    );
    assert.match(manifest.version, /^99\./);
  });
});
