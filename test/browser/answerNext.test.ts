import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { editorTab, runCommand, screenshot } from '../support/browser.ts';
import { approved, assertOutcome, assertUntouched, outcome, useCursorEditor, y } from '../support/cursorEditor.ts';
import { ask, calls, run } from '../support/promptedKinds.ts';

/** What has just appeared takes no key for half a second. */
const quietMs = 540;
const atOnce = 20;

describe('Answer Next', function () {
  this.timeout(120_000);
  const editor = useCursorEditor('answer-next');

  /** The picker that shows this text. */
  const picker = (page: Page, text: string | RegExp): Locator =>
    page.locator('.quick-input-widget:visible').filter({ hasText: text });

  /** Presses keys, each when what it is for has been in sight for long enough. */
  const press = async (page: Page, ...keys: string[]): Promise<void> => {
    await page.waitForTimeout(quietMs);
    for (const key of keys) await page.keyboard.press(key);
  };

  it(`answers ${atOnce} approvals from ${atOnce} sessions by keyboard, all accepted within 30 seconds`, async () => {
    const { cards, start, page } = editor();
    const simulators = [];
    for (let number = 1; number <= atOnce; number += 1) {
      simulators.push(await start(`queue${number}`, { steps: [run(`make number${number}.`)] }));
    }
    await page.locator('.statusbar-item', { hasText: `${atOnce} waiting` }).waitFor({ timeout: 60_000 });
    // Each prompt is on its screen.
    for (const simulator of simulators) await simulator.painted(1, 20_000);
    await runCommand(page, 'sallyport.answerNext');
    const begun = performance.now();
    const answered = new Set<string>();
    while (answered.size < atOnce) {
      const row = page
        .locator('.quick-input-list .monaco-list-row')
        .filter({ hasText: /make number\d+\./ })
        .first();
      const text = /make number\d+\./.exec((await row.getAttribute('aria-label')) ?? '')?.[0] ?? '';
      if (text === '' || answered.has(text)) {
        await page.waitForTimeout(20);
        continue;
      }
      await press(page, 'y');
      answered.add(text);
    }
    await picker(page, 'Nothing more to answer').waitFor();
    const seconds = (performance.now() - begun) / 1000;
    await screenshot(page, 'answer-next-done');
    await press(page, 'Enter');
    for (const simulator of simulators) await assertOutcome(simulator, { decisions: [approved], keys: [y] });
    console.log(`      ${atOnce} answers accepted in ${seconds.toFixed(1)} s`);
    assert.ok(seconds < 30, `${seconds} s`);
    assert.equal(await cards.all.count(), 0);
  });

  it('begins on what sends nothing, and takes no key that comes too early', async () => {
    const { start, page } = editor();
    const simulator = await start('early', { steps: [run('make early')] });
    await page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
    await runCommand(page, 'sallyport.answerNext');
    await picker(page, 'make early').waitFor();
    const focused = page.locator('.quick-input-list .monaco-list-row.focused');
    await focused.filter({ hasText: 'Decide Later' }).waitFor();
    await screenshot(page, 'answer-next-command');
    for (let times = 0; times < 12; times += 1) {
      await page.keyboard.press('y');
      await page.waitForTimeout(60);
    }
    assertUntouched(simulator);
    await press(page, 'Enter');
    await picker(page, 'Nothing more to answer').waitFor();
    await press(page, 'Escape');
    assertUntouched(simulator);
  });

  it('rejects, with a reason too, and walks through forms', async () => {
    const { start, page } = editor();
    const library = { prompt: 'Which library?', options: ['Temporal', 'date-fns', 'Luxon'] };
    const places = { prompt: 'Where?', allowMultiple: true, options: ['List', 'Detail', 'Export'] };
    const simulator = await start('forms', {
      steps: [run('make no'), run('make reasons'), ask(library, places, { prompt: 'Or else?', options: ['This'] })],
    });
    await page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
    await runCommand(page, 'sallyport.answerNext');
    await picker(page, 'make no').waitFor();
    await press(page, 'ArrowDown', 'ArrowDown', 'Enter');
    await picker(page, 'make reasons').waitFor({ timeout: 20_000 });
    await press(page, 'r');
    await picker(page, 'wants to run: make reasons').waitFor();
    await page.keyboard.type('Not now; use "$HOME"');
    await press(page, 'Enter');
    await picker(page, 'Which library?').waitFor({ timeout: 20_000 });
    await screenshot(page, 'answer-next-form');
    await press(page, 'a');
    await picker(page, 'Question 1 of 3').waitFor();
    await press(page, 'ArrowDown', 'Enter');
    await picker(page, 'Question 2 of 3').waitFor();
    await page.waitForTimeout(quietMs);
    await screenshot(page, 'answer-next-several');
    await press(page, 'ArrowDown', 'Space', 'ArrowDown', 'ArrowDown', 'Space', 'Enter');
    await picker(page, 'Question 3 of 3').waitFor();
    await press(page, 'ArrowDown', 'Enter');
    await page.locator('.quick-input-message', { hasText: 'Or else?' }).waitFor();
    await page.waitForTimeout(quietMs);
    await page.keyboard.type('Größe');
    await press(page, 'Enter');
    await picker(page, 'Nothing more to answer').waitFor({ timeout: 20_000 });
    await press(page, 'Escape');
    assert.deepEqual(outcome(simulator.log()).decisions, [
      { kind: 'rejected', reason: '' },
      { kind: 'rejected', reason: 'Not now; use "$HOME"' },
      {
        kind: 'answered',
        answers: [
          { options: [1], other: '' },
          { options: [0, 2], other: '' },
          { options: [], other: 'Größe' },
        ],
      },
    ]);
  });

  it('shows a long command to its end before it can be approved, and what is hidden in it', async () => {
    const { start, page } = editor();
    const command = `${Array.from({ length: 40 }, (_, index) => `echo step ${index} $(date) &&`).join('\n')}\nrm -rf \u200b/tmp/it`;
    const simulator = await start('long', { steps: [run(command)] }, { size: { columns: 80, rows: 90 } });
    await page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
    await runCommand(page, 'sallyport.answerNext');
    await picker(page, 'echo step 0').waitFor();
    await press(page, 'y');
    await page.locator('.quick-input-widget input[placeholder^="Read it to its end first"]').waitFor();
    await screenshot(page, 'answer-next-long');
    assertUntouched(simulator);
    await press(page, ...Array.from({ length: 6 }, () => 'PageDown'));
    await page.locator('.quick-input-list').getByText('⟦\\u{200b}⟧').waitFor();
    await screenshot(page, 'answer-next-long-end');
    await press(page, 'y');
    await assertOutcome(simulator, { decisions: [approved], keys: [y] });
    await press(page, 'Escape');
  });

  it('opens an edit beside without losing the focus, and closes it with the answer', async () => {
    const { start, page } = editor();
    const edit = { path: 'greeting.js', old_string: 'Hello', new_string: 'Welcome' };
    const simulator = await start('diff', { steps: [calls({ toolName: 'StrReplace', args: edit })] });
    await writeFile(join(simulator.cwd, 'greeting.js'), 'export const greeting = "Hello";\n');
    await page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
    await runCommand(page, 'sallyport.answerNext');
    await picker(page, 'greeting.js').waitFor();
    await press(page, 'd');
    const tab = editorTab(page, 'greeting.js (as it is ↔ proposed)');
    await tab.waitFor();
    await screenshot(page, 'answer-next-diff');
    await picker(page, 'greeting.js').waitFor();
    await press(page, 'y');
    await assertOutcome(simulator, { decisions: [approved], keys: [y] });
    await tab.waitFor({ state: 'detached' });
    await press(page, 'Escape');
  });

  it('goes on when a request is answered in its terminal, and sends nothing for it', async () => {
    const { start, page } = editor();
    const first = await start('one', { steps: [run('make one')] });
    await page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
    const second = await start('two', { steps: [run('make two')] });
    await page.locator('.statusbar-item', { hasText: '2 waiting' }).waitFor();
    await runCommand(page, 'sallyport.answerNext');
    await picker(page, 'make one').waitFor();
    await first.press('y');
    await picker(page, 'make two').waitFor();
    await press(page, 'n');
    await assertOutcome(second, {
      decisions: [{ kind: 'rejected', reason: '' }],
      keys: [{ key: 'Escape' }, { key: 'Enter' }],
    });
    await assertOutcome(first, { decisions: [approved], keys: [y] });
    await press(page, 'Escape');
  });
});
