import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createSampleWorkspace } from '../../scripts/sampleWorkspace.ts';
import { activityButton, answerInput, button, runCommand, screenshot, toast } from '../support/browser.ts';
import { useCursorEditor } from '../support/cursorEditor.ts';
import { type InstalledEditor, openInstalledEditor } from '../support/installedEditor.ts';
import { run } from '../support/promptedKinds.ts';

describe('an editor in German', function () {
  this.timeout(180_000);
  let installed: InstalledEditor;
  let page: Page;

  before(async () => {
    installed = await openInstalledEditor({
      agents: [],
      language: 'de',
      workspace: async (folder) => {
        await createSampleWorkspace(join(folder, 'greeter'));
        return join(folder, 'greeter');
      },
      // A person of whom nothing is known.
      home: async (folder) => {
        const bin = join(folder, '.local', 'bin');
        await mkdir(bin, { recursive: true });
        return { HOME: folder, PATH: `${bin}:/usr/bin:/bin` };
      },
    });
    ({ page } = installed);
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await screenshot(page, 'failed-language');
  });

  after(() => installed.close());

  it('has its views in German', async () => {
    await activityButton(page, 'Sallyport').click();
    const welcome = page.locator('.welcome-view-content').filter({ hasText: 'wurde kein Agent gefunden' });
    await button(welcome, 'Einrichtung prüfen').waitFor();
    await page.locator('.pane-header').filter({ hasText: 'Läufe' }).waitFor();
    const cards = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await cards
      .getByRole('heading', { name: 'Der Agent von Cursor wurde nicht gefunden' })
      .waitFor({ timeout: 60_000 });
    await screenshot(page, 'german-views');
    await activityButton(page, 'Explorer').click();
  });

  it('checks the set-up in German, with what a room below found out', async () => {
    await runCommand(page, 'sallyport.checkSetup');
    const setup = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await setup.locator('.summary').filter({ hasText: 'Kein Agent ist bereit' }).waitFor();
    const codex = setup.locator('.row').filter({ has: setup.getByRole('heading', { name: 'Codex', exact: true }) });
    await codex.filter({ hasText: 'Kein Programm namens codex' }).waitFor();
    await screenshot(page, 'german-setup');
  });

  it('says in a German notification why a run failed', async () => {
    await runCommand(page, 'sallyport.delegateToCodex');
    await answerInput(page, 'Say hello.');
    await toast(page, /Kein Programm namens codex .*Installieren Sie es mit/).waitFor();
    await screenshot(page, 'german-failure');
  });
});

describe('a card in German', function () {
  this.timeout(180_000);
  const editor = useCursorEditor('card-language', () => Promise.resolve({ language: 'de' }));

  it('asks in German, and stays readable in a narrow sidebar', async () => {
    const { start, page, cards } = editor();
    await start('payments', { title: 'Migrate ledger', steps: [run('make migrate')] });
    const card = cards.all.first();
    await card.getByRole('button', { name: 'Genehmigen' }).waitFor();
    await card.getByRole('button', { name: 'Ablehnen', exact: true }).waitFor();
    await page.locator('.pane .monaco-list-row').filter({ hasText: 'wartet auf Sie' }).waitFor();
    await screenshot(page, 'german-card');
  });
});
