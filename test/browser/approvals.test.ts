import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { editorTab, runCommand, screenshot } from '../support/browser.ts';
import { approved, assertOutcome, assertUntouched, useCursorEditor, y } from '../support/cursorEditor.ts';
import { ask, calls, promptedKinds, run } from '../support/promptedKinds.ts';

describe('answering Cursor in tmux', function () {
  this.timeout(60_000);
  const editor = useCursorEditor('approvals');

  for (const { name, call, shows, rejectedBy } of promptedKinds) {
    it(`approves and rejects ${name}`, async () => {
      const { cards, start } = editor();
      const simulator = await start('kinds', { steps: [calls(call), calls(call)] });
      const card = shows.reduce((found, text) => found.filter({ hasText: text }), cards.all);
      await cards.press(card, 'Approve');
      await assertOutcome(simulator, { decisions: [approved], keys: [y] });
      await simulator.painted(2);
      await cards.press(card, 'Reject');
      await assertOutcome(simulator, {
        decisions: [approved, rejectedBy === undefined ? { kind: 'rejected', reason: '' } : { kind: 'rejected' }],
        keys: [y, ...(rejectedBy === undefined ? [{ key: 'Escape' }, { key: 'Enter' }] : [{ key: rejectedBy }])],
      });
      await card.waitFor({ state: 'detached' });
    });
  }

  it('rejects with a reason, which is typed as it is', async () => {
    const { cards, start } = editor();
    const reason = 'Not now; use "$HOME" -n Größe; Enter;';
    const simulator = await start('reason', { steps: [run('make reasons')] });
    await cards.rejectBecause(cards.card('make reasons'), reason);
    await assertOutcome(simulator, {
      decisions: [{ kind: 'rejected', reason }],
      keys: [{ key: 'Escape' }, { text: reason }, { key: 'Enter' }],
    });
    await cards.historyLine('Rejected · make reasons').waitFor();
  });

  it('rejects where nobody is asked for the reason', async () => {
    const { cards, start } = editor();
    const simulator = await start('old', {
      defaults: { reasonBox: false, wording: 'old', shape: 'below' },
      steps: [run('make old')],
    });
    await cards.rejectBecause(cards.card('make old'), 'Because.');
    await assertOutcome(simulator, { decisions: [{ kind: 'rejected' }], keys: [{ key: 'Escape' }] });
    await cards.historyLine('Rejected · make old').waitFor();
  });

  it('shows a long command to its end before it can be approved', async () => {
    const { cards, start } = editor();
    const command = `${Array.from({ length: 60 }, (_, index) => `echo step ${index} &&`).join('\n')}\nrm -rf /tmp/it`;
    const simulator = await start('long', { steps: [run(command)] }, { size: { columns: 80, rows: 90 } });
    const card = cards.card('echo step 0');
    await cards.button(card, 'Approve').and(card.locator('[aria-disabled=true]')).waitFor();
    await card.getByText('61 lines').waitFor();
    await card.getByText('Scroll to the end to approve.').waitFor();
    await screenshot(editor().page, 'waiting-long-dark');
    await cards.readToEnd(card);
    await cards.press(card, 'Approve');
    await assertOutcome(simulator, { decisions: [approved], keys: [y] });
    await cards.historyLine('Approved · echo step 0').waitFor();
  });

  it('shows what is hidden in a text', async () => {
    const { cards, start } = editor();
    const contents =
      'echo \u202e gnirts \u200b \u001b[2K\u001b]52;c;AAAA\u0007 && rm \u0430ll <img src=x onerror=alert(1)>';
    const simulator = await start('hidden', {
      steps: [calls({ toolName: 'Write', args: { path: 'run.sh', contents } })],
    });
    const card = cards.card('echo \\u{202e} gnirts \\u{200b} \\x1b[2K\\x1b]52;c;AAAA\\x07 && rm \\u{430}ll <img src=x');
    await card.getByText('Hidden characters are in this text').waitFor();
    await card.getByText('Letters that look like others').waitFor();
    assert.equal(await card.locator('img').count(), 0);
    await screenshot(editor().page, 'waiting-hidden-dark');
    assertUntouched(simulator);
  });

  it('shows an edit in the editor’s own comparison', async () => {
    const { cards, start, page } = editor();
    const edit = { path: 'greeting.js', old_string: 'Hello', new_string: 'Welcome' };
    const simulator = await start('diff', { steps: [calls({ toolName: 'StrReplace', args: edit })] });
    await writeFile(join(simulator.cwd, 'greeting.js'), 'export const greeting = "Hello";\n');
    await cards.button(cards.card('greeting.js'), 'Open Diff').click();
    await editorTab(page, 'greeting.js (as it is ↔ proposed)').waitFor();
    await page.locator('.modified-in-monaco-diff-editor', { hasText: 'Welcome' }).waitFor();
    await screenshot(page, 'waiting-diff-dark');
    assertUntouched(simulator);
    await runCommand(page, 'workbench.action.closeAllEditors');
  });

  it('says for how long an approved command runs, until the chat goes on', async () => {
    const { cards, start } = editor();
    const simulator = await start('runs', { defaults: { runMs: 3500 }, steps: [run('make running')] });
    await cards.press(cards.card('make running'), 'Approve');
    const line = cards.historyLine('Approved · make running');
    await line.filter({ hasText: /running \d s/ }).waitFor();
    assert.ok(!simulator.log().some(({ event }) => event === 'finished'));
    await line.filter({ hasNotText: /running \d/ }).waitFor();
    assert.ok(simulator.log().some(({ event }) => event === 'finished'));
  });

  it('asks for the calls of a batch one after the other', async () => {
    const { cards, start } = editor();
    const [first, second, third] = ['make one', 'make two', 'make three'].map((text) => cards.card(text));
    const batch = ['make one', 'make two', 'make three'].map((command) => ({ args: { command } }));
    const simulator = await start('batch', { steps: [calls(...batch)] });
    assert.ok(first && second && third);
    await second.getByText('answer the one above first').waitFor();
    await third.getByText('3 of 3 in this batch').waitFor();
    assert.equal(await second.getByRole('button', { name: 'Approve' }).count(), 0);
    assert.deepEqual(
      (await cards.all.allInnerTexts()).map((text) => /make \w+/.exec(text)?.[0]),
      ['make one', 'make two', 'make three'],
    );
    await cards.press(first, 'Approve');
    await cards.historyLine('Approved · make one').waitFor();
    await cards.press(second, 'Reject');
    await cards.historyLine('Rejected · make two').waitFor();
    await cards.press(third, 'Approve');
    await assertOutcome(simulator, {
      decisions: [approved, { kind: 'rejected', reason: '' }, approved],
      keys: [y, { key: 'Escape' }, { key: 'Enter' }, y],
    });
    for (const text of ['Approved · make one', 'Rejected · make two', 'Approved · make three']) {
      await cards.historyLine(text).waitFor();
    }
  });

  it('answers forms: one choice, several, words of its own, and several questions', async () => {
    const { cards, start } = editor();
    const library = { prompt: 'Which library?', options: ['Temporal', 'Enter', 'Enter'] };
    const places = { prompt: 'Where?', allowMultiple: true, options: ['List', 'Detail', 'Export'] };
    const simulator = await start('forms', {
      steps: [ask(library), ask(places), ask({ prompt: 'Or else?', options: ['This'] }), ask(library, places)],
    });
    const next = async (count: number): Promise<Locator> => {
      await simulator.painted(count, 15_000);
      const card = cards.card('Asks you');
      await cards.button(card, 'Answer').waitFor();
      return card;
    };
    const single = await next(1);
    await cards.choose(single, 0, 2);
    await cards.press(single, 'Answer');
    const several = await next(2);
    await cards.choose(several, 0, 0);
    await cards.choose(several, 0, 2);
    await cards.press(several, 'Answer');
    const words = await next(3);
    await cards.typeOther(words, 0, 'Größe; $HOME -n');
    await cards.press(words, 'Answer');
    const both = await next(4);
    await cards.press(both, 'Answer');
    await both.getByText('Answer every question, or skip the form.').waitFor();
    await cards.choose(both, 0, 0);
    await cards.choose(both, 1, 1);
    await cards.press(both, 'Answer');
    const answered = (...answers: unknown[]) => ({ kind: 'answered', answers });
    await assertOutcome(simulator, {
      decisions: [
        answered({ options: [2], other: '' }),
        answered({ options: [0, 2], other: '' }),
        answered({ options: [], other: 'Größe; $HOME -n' }),
        answered({ options: [0], other: '' }, { options: [1], other: '' }),
      ],
      keys: [
        ...keys('Down Down Space Enter'),
        ...keys('Space Down Down Space Enter'),
        ...[...keys('Down'), { text: 'Größe; $HOME -n' }, ...keys('Enter')],
        ...keys('Space Enter Down Space Enter'),
      ],
    });
  });

  it('skips forms with one key, those with nothing to answer too', async () => {
    const { cards, start } = editor();
    const steps = [ask({ prompt: 'Shall I?', options: ['Yes', 'No'] }), ask()];
    const simulator = await start('skip', { steps });
    await cards.press(cards.card('Shall I?'), 'Skip');
    await cards.press(cards.card('nothing that can be answered'), 'Skip');
    const skipped = { kind: 'skipped' };
    await assertOutcome(simulator, { decisions: [skipped, skipped], keys: keys('Escape Escape') });
    await cards.historyLine('Skipped').first().waitFor();
  });
});

function keys(names: string): { key: string }[] {
  return names.split(' ').map((key) => ({ key }));
}
