import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { createSampleWorkspace } from '../../scripts/sampleWorkspace.ts';
import {
  answerInput,
  button,
  dialog,
  editorTab,
  openViews,
  pick,
  runCommand,
  runRow,
  screenshot,
  toast,
} from '../support/browser.ts';
import { type InstalledEditor, openInstalledEditor } from '../support/installedEditor.ts';
import { writePastRuns } from '../support/journal/pastRuns.ts';
import { showTheme, themeNames } from '../support/themes.ts';

const pastRuns = 60;
const shortest = { width: 760, height: 800 };

describe('the Runs view and the review of a run', function () {
  this.timeout(180_000);
  let installed: InstalledEditor;
  let page: Page;

  before(async () => {
    installed = await openInstalledEditor({
      agents: ['codex'],
      settings: { 'files.autoSave': 'off' },
      workspace: async (folder) => {
        const greeter = join(folder, 'greeter');
        await createSampleWorkspace(greeter);
        // At most two of today at any hour, so that yesterday stands in the part of the list that is shown.
        const now = Math.min(Date.now(), new Date().setHours(2, 30, 0, 0));
        await writePastRuns(join(folder, 'state'), { cwd: greeter, count: pastRuns, now });
        return greeter;
      },
    });
    page = installed.page;
    await openViews(page);
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await screenshot(page, 'failed-runs');
  });

  after(() => installed.close());

  const at = (path: string) => join(installed.opened, path);
  const text = (path: string) => readFile(at(path), 'utf8');
  const status = () => execFileSync('git', ['status', '--porcelain'], { cwd: installed.opened, encoding: 'utf8' });
  const message = () => page.locator('.tree-explorer-viewlet-tree-view .message');
  const lens = (title: string) => page.locator('.codelens-decoration a').filter({ hasText: title });

  /** Delegates, waits for the result, and leaves it in front. */
  async function delegate(words: string): Promise<void> {
    await runCommand(page, 'sallyport.delegateToCodex');
    await answerInput(page, `${words} [[scenario: reshape]]`);
    await editorTab(page, words).waitFor({ timeout: 60_000 });
    await lens('Revert This Run').waitFor();
  }

  async function reset(): Promise<void> {
    execFileSync('git', ['checkout', '--quiet', '.'], { cwd: installed.opened });
    execFileSync('git', ['clean', '-fdq'], { cwd: installed.opened });
    assert.equal(status(), '');
    await runCommand(page, 'workbench.action.closeAllEditors');
  }

  it('groups past runs by day and opens the newest days', async () => {
    await runRow(page, /^Yesterday/).waitFor();
    const days = await page.locator('.pane-body .monaco-list-row[aria-level="1"]').allInnerTexts();
    assert.ok(days.length >= 2, days.join());
    await screenshot(page, 'runs-days-dark');
  });

  it('filters by words, status and agent, says so above the rows, and clears it, by keyboard', async () => {
    await runCommand(page, 'sallyport.filterRuns');
    await page.locator('.quick-input-widget input[type="text"]').first().fill('parser');
    await pick(page, 'Codex');
    await screenshot(page, 'runs-filter-pick-dark');
    await page.locator('.quick-input-widget input[type="text"]').first().focus();
    await page.keyboard.press('Enter');
    await message()
      .filter({ hasText: /“parser”, Codex \(\d+ of 60 runs\)/ })
      .waitFor();
    await runRow(page, 'Explain how the parser').waitFor();
    await runRow(page, 'Rename greet').waitFor({ state: 'detached' });
    await screenshot(page, 'runs-filtered-dark');
    await runCommand(page, 'sallyport.clearRunsFilter');
    await runRow(page, 'Rename greet').waitFor();
    await message().filter({ hasText: 'Filter' }).waitFor({ state: 'hidden' });
  });

  it('says when no run passes', async () => {
    await runCommand(page, 'sallyport.filterRuns');
    await page.locator('.quick-input-widget input[type="text"]').first().fill('no such run');
    await page.keyboard.press('Enter');
    await message().filter({ hasText: '0 of 60 runs' }).waitFor();
    await screenshot(page, 'runs-none-dark');
    await runCommand(page, 'sallyport.clearRunsFilter');
  });

  it('links the files that a result names', async () => {
    await delegate('Reshape it');
    const named = page.locator('.view-line .detected-link').filter({ hasText: 'src/greeting.js:3' });
    await named.waitFor();
    assert.equal(await page.locator('.detected-link').filter({ hasText: 'nothing/is-here.js' }).count(), 0);
    await screenshot(page, 'result-links-dark');
    await named.click({ modifiers: ['Control'] });
    await editorTab(page, 'greeting.js').waitFor();
    await page.locator('[id="status.editor.selection"]').filter({ hasText: 'Ln 3' }).waitFor();
    await runCommand(page, 'workbench.action.closeActiveEditor');
  });

  it('shows the steps', async () => {
    await lens('Show Transcript').click();
    await editorTab(page, 'Transcript').waitFor();
    await page.locator('.view-line').filter({ hasText: 'by the agent' }).first().waitFor();
    await screenshot(page, 'transcript-dark');
    await runCommand(page, 'workbench.action.closeActiveEditor');
  });

  it('renders the result, with links that open the file', async () => {
    await lens('Render').click();
    const preview = page.locator('iframe.webview.ready').last().contentFrame().frameLocator('#active-frame');
    const named = preview.locator('a', { hasText: 'src/greeting.js:3' });
    await named.waitFor();
    await screenshot(page, 'result-rendered-dark');
    await named.click();
    await editorTab(page, 'greeting.js').waitFor();
    await page.locator('[id="status.editor.selection"]').filter({ hasText: 'Ln 3' }).waitFor();
  });

  it('shows every kind of change in one diff', async () => {
    await runRow(page, 'Reshape it').click();
    await lens('Show Changes').click();
    await editorTab(page, 'before and now').waitFor();
    for (const name of ['greeting.js', 'added.txt', 'main.js']) {
      await page.locator('.multiDiffEntry').filter({ hasText: name }).first().waitFor();
    }
    await screenshot(page, 'changes-dark');
  });

  it('takes everything back in a clean tree after asking, and can undo that', async () => {
    await runRow(page, 'Reshape it').click();
    await lens('Revert This Run').click();
    const asked = dialog(page, 'Take back what this run changed?');
    await asked.filter({ hasText: 'added.txt: is deleted' }).filter({ hasText: 'src/main.js: comes back' }).waitFor();
    await screenshot(page, 'revert-asks-dark');
    await button(asked, 'Revert').click();
    const done = toast(page, 'What the run changed was taken back');
    await done.waitFor();
    assert.equal(status(), '');
    await screenshot(page, 'revert-done-dark');
    await button(done, 'Undo the Revert').click();
    await page.locator('.statusbar-item').filter({ hasText: 'The changes of the run are back' }).waitFor();
    assert.ok(existsSync(at('added.txt')) && !existsSync(at('src/main.js')));
    assert.deepEqual(await readFile(at('data.bin')), Buffer.from('a\0b'));
  });

  it('takes back only its own lines in a dirty tree', async () => {
    await reset();
    await writeFile(at('src/greeting.js'), (await text('src/greeting.js')).replace('Greets', 'Says hello to'));
    await writeFile(at('mine.txt'), 'mine');
    await delegate('Reshape the dirty tree');
    await writeFile(at('src/greeting.js'), `${await text('src/greeting.js')}// mine, later\n`);
    await lens('Revert This Run').click();
    await button(dialog(page, 'Take back what this run changed?'), 'Revert').click();
    await toast(page, 'What the run changed was taken back').waitFor();
    const now = await text('src/greeting.js');
    assert.match(now, /Says hello to/);
    assert.match(now, /mine, later/);
    assert.doesNotMatch(now, /by the agent/);
    assert.equal(await text('mine.txt'), 'mine');
    assert.equal(status().trim().split('\n').sort().join(), '?? mine.txt,M src/greeting.js');
  });

  it('refuses where its lines were touched, names file and reason, and offers the diff', async () => {
    await reset();
    await delegate('Reshape and conflict');
    await writeFile(at('src/greeting.js'), (await text('src/greeting.js')).replace('by the agent', 'by me'));
    await writeFile(at('added.txt'), 'mine');
    const before = status();
    await lens('Revert This Run').click();
    const refused = dialog(page, 'cannot be reverted');
    await refused
      .filter({ hasText: 'src/greeting.js: the same lines were changed again' })
      .filter({ hasText: 'added.txt: the file was changed again' })
      .waitFor();
    await screenshot(page, 'revert-refused-dark');
    await button(refused, 'Show Changes').click();
    await editorTab(page, 'before and now').waitFor();
    assert.equal(status(), before);
    assert.match(await text('src/greeting.js'), /by me/);
  });

  it('refuses what is not saved in an editor', async () => {
    await reset();
    await delegate('Reshape unsaved');
    await page.keyboard.press('Control+P');
    await page.locator('.quick-input-widget input').first().fill('added.txt');
    await pick(page, 'added.txt');
    await editorTab(page, 'added.txt').waitFor();
    await page.keyboard.type('typed');
    await runRow(page, 'Reshape unsaved').click();
    await lens('Revert This Run').click();
    await dialog(page, 'cannot be reverted')
      .filter({ hasText: 'added.txt: it has changes that are not saved' })
      .waitFor();
    await page.keyboard.press('Escape');
    await editorTab(page, 'added.txt').click();
    await runCommand(page, 'workbench.action.files.revert');
    await reset();
  });

  it('delegates again at a level, with the same prompt', async () => {
    await runRow(page, 'Reshape unsaved').click();
    await lens('Delegate Again').click();
    await pick(page, 'Level 1');
    const input = page.locator('.quick-input-widget input').first();
    await page.waitForFunction(
      `document.querySelector('.quick-input-widget input')?.value.includes('scenario: reshape')`,
    );
    await screenshot(page, 'delegate-again-dark');
    await input.fill('And again [[scenario: remember]]');
    await page.keyboard.press('Enter');
    await editorTab(page, 'And again').waitFor({ timeout: 60_000 });
  });

  it('offers everything in the row’s menu, by keyboard', async () => {
    await runRow(page, 'Reshape unsaved').click();
    await runCommand(page, 'sallyport.runs.focus');
    await page.keyboard.press('Shift+F10');
    const menu = page.locator('.context-view .monaco-menu, .monaco-menu-container .monaco-menu').first();
    await menu.waitFor();
    const titles = await menu.locator('.action-label').allInnerTexts();
    for (const title of [
      'Open Result',
      'Show Transcript',
      'Show Changes',
      'Follow Up',
      'Delegate Again at Level…',
      'Revert This Run',
      'Copy Session Handle',
    ]) {
      assert.ok(titles.includes(title), `${title} is not among ${titles.join(', ')}`);
    }
    await screenshot(page, 'runs-menu-dark');
    await page.keyboard.press('Escape');
  });

  for (const name of themeNames) {
    it(`can be read at 200 px in ${name}`, async () => {
      await page.setViewportSize(shortest);
      await showTheme(page, name);
      await narrow();
      await screenshot(page, `runs-200-${name}`);
      const { violations } = await new AxeBuilder({ page }).include('.part.sidebar .pane-body').analyze();
      assert.deepEqual(
        violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) })),
        [],
      );
    });
  }

  /** Drags the side bar's border to where it is 200 px wide. */
  async function narrow(): Promise<void> {
    const box = await page.locator('.part.sidebar').boundingBox();
    assert.ok(box);
    const edges = await page.locator('.monaco-sash.vertical').all();
    for (const edge of edges) {
      const place = await edge.boundingBox();
      if (!place || Math.abs(place.x + place.width / 2 - (box.x + box.width)) > 12) continue;
      await page.mouse.move(place.x + place.width / 2, box.y + box.height / 3);
      await page.mouse.down();
      await page.mouse.move(box.x + 205, box.y + box.height / 3, { steps: 8 });
      await page.mouse.up();
      await page.mouse.move(600, box.y + box.height / 2);
      break;
    }
    const now = await page.locator('.part.sidebar').boundingBox();
    assert.ok(now && now.width <= 215, `the side bar is ${now?.width ?? 0} px wide`);
  }
});
