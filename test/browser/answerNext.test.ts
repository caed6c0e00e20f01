import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';
import { editorTab, runCommand, screenshot } from '../support/browser.ts';
import { approved, assertOutcome, assertUntouched, outcome, useCursorEditor, y } from '../support/cursorEditor.ts';
import { ask, calls, run } from '../support/promptedKinds.ts';
import { showTheme, themeNames } from '../support/themes.ts';

/** What has just appeared takes no key for half a second. */
const quietMs = 540;
const atOnce = 20;

describe('Answer Next', function () {
  this.timeout(120_000);
  const editor = useCursorEditor('answer-next');

  /** The picker that shows this text. */
  const picker = (page: Page, text: string | RegExp): Locator =>
    page.locator('.quick-input-widget:visible').filter({ hasText: text });

  /**
   * Presses keys once what they are for has been in sight for long enough. A last key that came too early all the same (the
   * window may be slow) did nothing: it is pressed again until `then` is there.
   */
  const press = async (page: Page, then: Locator, ...keys: string[]): Promise<void> => {
    await page.waitForTimeout(quietMs);
    for (const key of keys.slice(0, -1)) await page.keyboard.press(key);
    for (let tries = 0; tries < 10; tries += 1) {
      await page.keyboard.press(keys.at(-1) ?? '');
      if (await isThere(then, 2000)) return;
    }
    await then.waitFor();
  };

  /** Every answer is given: it is on its way, or has arrived. */
  const allGiven = (page: Page): Locator => picker(page, /Answers are on their way|Nothing more to answer/);

  const leave = async (page: Page): Promise<void> => {
    await picker(page, 'Nothing more to answer').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
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
    const asked = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: /make number\d+\./ });
    const isOver = page.locator('.quick-input-titlebar').filter({ hasText: /on their way|Nothing more/ });
    while ((await isOver.count()) === 0) {
      const shown = await asked
        .first()
        .getAttribute('aria-label', { timeout: 3000 })
        .catch(() => null);
      if (shown === null) continue;
      await page.waitForTimeout(quietMs);
      await page.keyboard.press('y');
      // A key that came too early does nothing, so it is pressed again: but only for what is still asked.
      for (let looks = 0; looks < 60; looks += 1) {
        const now =
          (await asked.count()) === 0
            ? null
            : await asked
                .first()
                .getAttribute('aria-label')
                .catch(() => null);
        if (now !== shown) break;
        await page.waitForTimeout(25);
      }
    }
    await picker(page, 'Nothing more to answer').waitFor();
    const seconds = (performance.now() - begun) / 1000;
    await screenshot(page, 'answer-next-done-dark');
    await leave(page);
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
    await page.mouse.move(760, 600);
    await screenshot(page, 'answer-next-command-dark');
    for (const theme of themeNames) {
      await showTheme(page, theme);
      const { violations } = await new AxeBuilder({ page })
        .include('.quick-input-widget')
        // The editor's own lists give an option a level, and a key a label, in each of its pickers.
        .disableRules(['aria-allowed-attr', 'aria-prohibited-attr'])
        .analyze();
      assert.deepEqual(
        violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html) })),
        [],
        theme,
      );
    }
    await showTheme(page, 'dark');
    for (let times = 0; times < 12; times += 1) {
      await page.keyboard.press('y');
      await page.waitForTimeout(60);
    }
    assertUntouched(simulator);
    await press(page, allGiven(page), 'Enter');
    await leave(page);
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
    await press(page, picker(page, 'make reasons'), 'ArrowDown', 'ArrowDown', 'Enter');
    await press(page, picker(page, 'wants to run: make reasons'), 'r');
    await page.keyboard.type('Not now; use "$HOME"');
    await press(page, picker(page, 'Which library?'), 'Enter');
    await screenshot(page, 'answer-next-form-dark');
    await press(page, picker(page, 'Question 1 of 3'), 'a');
    await press(page, picker(page, 'Question 2 of 3'), 'ArrowDown', 'Enter');
    await screenshot(page, 'answer-next-several-dark');
    await press(
      page,
      picker(page, 'Question 3 of 3'),
      'ArrowDown',
      'Space',
      'ArrowDown',
      'ArrowDown',
      'Space',
      'Enter',
    );
    const words = page.locator('.quick-input-message', { hasText: 'Or else?' });
    await press(page, words, 'ArrowDown', 'Enter');
    await page.keyboard.type('Größe');
    await press(page, allGiven(page), 'Enter');
    await leave(page);
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
    const objection = page.locator('.quick-input-widget input[placeholder^="Read it to its end first"]');
    await press(page, objection, 'y');
    await screenshot(page, 'answer-next-long-dark');
    assertUntouched(simulator);
    const end = page.locator('.quick-input-list').getByText('⟦\\u{200b}⟧');
    await press(page, end, ...Array.from({ length: 3 }, () => 'PageDown'));
    await page.keyboard.press('PageDown');
    await screenshot(page, 'answer-next-long-end-dark');
    await press(page, allGiven(page), 'y');
    await assertOutcome(simulator, { decisions: [approved], keys: [y] });
    await leave(page);
  });

  it('opens an edit beside without losing the focus, and closes it with the answer', async () => {
    const { start, page } = editor();
    const edit = { path: 'greeting.js', old_string: 'Hello', new_string: 'Welcome' };
    const simulator = await start('diff', { steps: [calls({ toolName: 'StrReplace', args: edit })] });
    await writeFile(join(simulator.cwd, 'greeting.js'), 'export const greeting = "Hello";\n');
    await page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();
    await runCommand(page, 'sallyport.answerNext');
    await picker(page, 'greeting.js').waitFor();
    const tab = editorTab(page, 'greeting.js (as it is ↔ proposed)');
    await press(page, tab, 'd');
    await picker(page, 'greeting.js').waitFor();
    await screenshot(page, 'answer-next-diff-dark');
    await press(page, allGiven(page), 'y');
    await assertOutcome(simulator, { decisions: [approved], keys: [y] });
    await tab.waitFor({ state: 'detached' });
    await leave(page);
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
    await press(page, allGiven(page), 'n');
    await assertOutcome(second, {
      decisions: [{ kind: 'rejected', reason: '' }],
      keys: [{ key: 'Escape' }, { key: 'Enter' }],
    });
    await assertOutcome(first, { decisions: [approved], keys: [y] });
    await leave(page);
  });
});

async function isThere(what: Locator, timeout: number): Promise<boolean> {
  return await what.waitFor({ timeout }).then(
    () => true,
    () => false,
  );
}
