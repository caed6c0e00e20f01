import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';
import { activityButton, editorTab, runCommand, screenshot, toast } from '../support/browser.ts';
import { approved, assertOutcome, useCursorEditor, y } from '../support/cursorEditor.ts';
import { run } from '../support/promptedKinds.ts';
import { showTheme, themeNames } from '../support/themes.ts';

describe('the Agents view and quiet', function () {
  this.timeout(120_000);
  const editor = useCursorEditor('agents');

  const view = (page: Page): Locator =>
    page.locator('.pane').filter({ has: page.getByRole('tree', { name: 'Agents' }) });
  const row = (page: Page, text: string | RegExp): Locator =>
    view(page).locator('.monaco-list-row').filter({ hasText: text }).first();
  const status = (page: Page): Locator => page.locator('.statusbar-item[id^="sallyport"]');

  it('teaches while there is none, and shows what each session does and where', async () => {
    const { cards, start, page } = editor();
    await page.getByText('No Cursor agent runs on this machine now.').waitFor();
    await screenshot(page, 'agents-empty-dark');
    const waits = await start('payments', {
      title: 'Migrate ledger',
      steps: [run('make wait'), { step: 'say', text: 'Done.' }],
    });
    const idle = await start('web', { title: 'Pick a library', steps: [{ step: 'say', text: 'Done.' }] });
    const works = await start('infra', {
      title: 'Rotate keys',
      steps: [{ step: 'calls', calls: [{ args: { command: 'make slow' }, autoRun: true, runMs: 60_000 }] }],
    });
    await row(page, 'payments')
      .filter({ hasText: `waits for you · tmux ${waits.pane} · Migrate ledger` })
      .waitFor();
    await row(page, 'web')
      .filter({ hasText: `idle · tmux ${idle.pane} · Pick a library` })
      .waitFor();
    await row(page, 'infra')
      .filter({ hasText: `working · tmux ${works.pane} · Rotate keys` })
      .waitFor();
    await page.setViewportSize({ width: 1280, height: 1700 });
    for (const name of themeNames) {
      await showTheme(page, name);
      await page.waitForTimeout(300);
      await screenshot(page, `agents-${name}`);
      const { violations } = await new AxeBuilder({ page }).include('.pane .customview-tree').analyze();
      assert.deepEqual(
        violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]),
        [],
        name,
      );
    }
    await showTheme(page, 'dark');
    await page.setViewportSize({ width: 1280, height: 800 });
    await cards.press(cards.card('make wait'), 'Approve');
    await assertOutcome(waits, { decisions: [approved], keys: [y] });
    await row(page, 'payments').filter({ hasText: 'idle' }).waitFor();
  });

  it('brings card and terminal before the person by keyboard, and inspects the chat', async () => {
    const { cards, start, page } = editor();
    const simulator = await start('reach', { title: 'In reach', steps: [run('make reach')] });
    await row(page, 'reach').filter({ hasText: 'waits for you' }).waitFor();
    await runCommand(page, 'sallyport.agents.focus');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await cards.button(cards.card('make reach'), 'Approve').waitFor();
    await row(page, 'reach').hover();
    await row(page, 'reach').locator('.action-label[aria-label="Show Terminal"]').click();
    await editorTab(page, `tmux ${simulator.pane}`).waitFor();
    await runCommand(page, 'sallyport.agents.focus');
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+F10');
    await page.locator('.monaco-menu .action-label', { hasText: 'Inspect Chat Store' }).waitFor();
    await screenshot(page, 'agents-menu-dark');
    await page.locator('.monaco-menu .action-label', { hasText: 'Inspect Chat Store' }).click();
    await editorTab(page, '.json').waitFor({ timeout: 20_000 });
    await runCommand(page, 'workbench.action.closeAllEditors');
    await simulator.press('y');
  });

  it('remembers who ended', async () => {
    const { start, page } = editor();
    const simulator = await start('brief', { title: 'A brief one', steps: [run('make brief')] });
    await row(page, 'brief').filter({ hasText: 'waits for you' }).waitFor();
    for (const pid of simulator.pids()) process.kill(pid, 'SIGKILL');
    await row(page, 'brief').filter({ hasText: 'ended' }).waitFor();
    await row(page, 'brief').hover();
    await row(page, 'brief').locator('.action-label[aria-label="Resume in Sallyport"]').waitFor();
  });

  it('keeps quiet for ten minutes, over a reload too, and says until when', async () => {
    const { start, page } = editor();
    await activityButton(page, 'Explorer').click();
    await runCommand(page, 'sallyport.snooze');
    await status(page)
      .filter({ hasText: /snoozed until \d/ })
      .waitFor();
    await start('quiet', { steps: [run('make quiet')] });
    await status(page)
      .filter({ hasText: /1 waiting, snoozed until \d/ })
      .waitFor();
    await page.waitForTimeout(1500);
    assert.equal(await toast(page, 'make quiet').count(), 0);
    await status(page).hover();
    const tip = page.locator('.monaco-hover', { hasText: 'quiet wants to run: make quiet' });
    await tip.getByText('since').waitFor();
    await screenshot(page, 'status-snoozed-dark');
    const loaded = page.waitForEvent('load', { timeout: 60_000 });
    await runCommand(page, 'workbench.action.reloadWindow');
    await loaded;
    await status(page)
      .filter({ hasText: /1 waiting, snoozed until \d/ })
      .waitFor({ timeout: 60_000 });
    await runCommand(page, 'sallyport.endSnooze');
    await status(page).filter({ hasNotText: 'snoozed' }).waitFor();
    await start('loud', { steps: [run('make loud')] });
    await toast(page, 'make loud').waitFor();
    await status(page).hover();
    await page.locator('.monaco-hover', { hasText: 'Answer Next' }).waitFor();
    await screenshot(page, 'status-waiting-dark');
    await runCommand(page, 'sallyport.waiting.focus');
  });

  it('is readable 200 px wide', async () => {
    const { start, page } = editor();
    await start('a-folder-with-a-long-name', { title: 'A title that is long as well', steps: [run('make narrow')] });
    await row(page, 'a-folder-with-a-long').filter({ hasText: 'waits for you' }).waitFor();
    const sash = page.locator('.monaco-sash.vertical').first();
    const box = await sash.boundingBox();
    const side = await page.locator('.part.sidebar').boundingBox();
    assert.ok(box && side);
    await page.mouse.move(side.x + side.width, 400);
    await page.mouse.down();
    await page.mouse.move(side.x + 200, 400, { steps: 5 });
    await page.mouse.up();
    await page.mouse.move(700, 420);
    await screenshot(page, 'agents-narrow-dark');
    const width = (await page.locator('.part.sidebar').boundingBox())?.width ?? 0;
    assert.ok(width < 240, String(width));
  });
});
