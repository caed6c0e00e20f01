import assert from 'node:assert/strict';
import { activityButton, openWorkbench, runCommand, screenshot } from '../support/browser.ts';
import { approved, assertOutcome, assertUntouched, useCursorEditor, y } from '../support/cursorEditor.ts';
import type { Simulator } from '../support/cursorSimulator/inTmux.ts';
import { run } from '../support/promptedKinds.ts';
import { WaitingCards } from '../support/waitingCards.ts';

describe('answers that must not reach a Cursor session', function () {
  this.timeout(90_000);
  const editor = useCursorEditor('approvals-refused');
  const noDelay = { leadMs: 0 };

  it('takes an answer in the terminal as one given elsewhere', async () => {
    const { cards, start } = editor();
    const simulator = await start('elsewhere', { steps: [run('make elsewhere')] });
    await cards.button(cards.card('make elsewhere'), 'Approve').waitFor();
    await simulator.press('y');
    await cards.historyLine('Answered in the terminal · make elsewhere').waitFor({ timeout: 2000 });
    assert.equal(await cards.all.count(), 0);
    await assertOutcome(simulator, { decisions: [approved], keys: [y] });
  });

  it('offers no answer while the pane is in copy mode, and does so again afterwards', async () => {
    const { cards, start, server } = editor();
    const simulator = await start('copy', { steps: [run('make copy')] });
    const card = cards.card('make copy');
    await cards.button(card, 'Approve').waitFor();
    await server.tmux('copy-mode', '-t', simulator.pane);
    await card.getByText('The pane is in copy mode').waitFor();
    assert.equal(await cards.button(card, 'Approve').count(), 0);
    await screenshot(editor().page, 'waiting-copy-mode-dark');
    assertUntouched(simulator);
    await server.tmux('send-keys', '-t', simulator.pane, '-X', 'cancel');
    await cards.press(card, 'Approve');
    await assertOutcome(simulator, { decisions: [approved], keys: [y] });
  });

  it('types nothing into a pane that went into copy mode a moment before the click', async () => {
    const { cards, start, server, whileFrozen } = editor();
    const simulator = await start('copied', { steps: [run('make copied')] });
    const card = cards.card('make copied');
    await cards.button(card, 'Approve').waitFor();
    await whileFrozen(async () => {
      await server.tmux('copy-mode', '-t', simulator.pane);
      await cards.press(card, 'Approve');
    });
    await card.getByText('The pane is in copy mode').first().waitFor({ timeout: 20_000 });
    assertUntouched(simulator);
  });

  it('types nothing into the prompt that took the place of the one that was answered', async () => {
    const { cards, start, whileFrozen } = editor();
    const batch = ['make shown', 'make next'].map((command) => ({ args: { command }, ...noDelay }));
    const simulator = await start('batch', { steps: [{ step: 'calls', calls: batch }] });
    const card = cards.card('make shown');
    await cards.button(card, 'Approve').waitFor();
    await whileFrozen(async () => {
      await simulator.press('n', 'Enter');
      await simulator.painted(2);
      await cards.press(card, 'Approve');
    });
    await cards.button(cards.card('make next'), 'Approve').waitFor();
    await cards.historyLine('Answered in the terminal · make shown').waitFor();
    await cards.whenArmed();
    await assertOutcome(simulator, {
      decisions: [{ kind: 'rejected', reason: '' }],
      keys: [{ key: 'n' }, { key: 'Enter' }],
    });
  });

  it('types nothing when another call has taken the place of the one that was answered', async () => {
    const { cards, start, whileFrozen } = editor();
    const other = [{ args: { command: 'make other' }, ...noDelay }];
    const simulator = await start('replaced', {
      steps: [{ ...run('make replaced'), interrupt: { by: 'replace', afterMs: 4000, calls: other } }],
    });
    const card = cards.card('make replaced');
    await cards.button(card, 'Approve').waitFor();
    await whileFrozen(async () => {
      await simulator.painted(2);
      await cards.press(card, 'Approve');
    });
    await cards.button(cards.card('make other'), 'Approve').waitFor();
    await card.waitFor({ state: 'detached' });
    await cards.whenArmed();
    assertUntouched(simulator);
  });

  it('types nothing into the shell behind a session that has ended', async () => {
    const { cards, start, whileFrozen } = editor();
    const simulator = await start('shell', { steps: [run('make shell')] }, { inShell: true });
    const card = cards.card('make shell');
    await cards.button(card, 'Approve').waitFor();
    await whileFrozen(async () => {
      kill(simulator);
      await cards.press(card, 'Approve');
    });
    await cards.historyLine(/(Session ended|Not delivered) · make shell/).waitFor({ timeout: 20_000 });
    await cards.whenArmed();
    assertUntouched(simulator);
    assert.doesNotMatch((await simulator.screen()).slice(1).join('\n'), /[$#] *y/);
  });

  it('drops the card of a session that has died', async () => {
    const { cards, start } = editor();
    const simulator = await start('dead', { steps: [run('make dead')] });
    await cards.button(cards.card('make dead'), 'Approve').waitFor();
    kill(simulator);
    await cards.historyLine('Session ended · make dead').waitFor();
    assert.equal(await cards.all.count(), 0);
    assertUntouched(simulator);
  });

  it('answers once, however often it is clicked', async () => {
    const { cards, start } = editor();
    const calls = ['make once', 'make twice'].map((command) => ({ args: { command }, ...noDelay }));
    const simulator = await start('double', { steps: [{ step: 'calls', calls }] });
    const approve = cards.button(cards.card('make once'), 'Approve');
    await approve.waitFor();
    await cards.whenArmed();
    await approve.click({ clickCount: 4 });
    await simulator.painted(2);
    await cards.button(cards.card('make twice'), 'Approve').waitFor();
    await cards.whenArmed();
    await assertOutcome(simulator, { decisions: [approved], keys: [y] });
  });

  it('answers once, though two windows do so at the same time', async () => {
    const { cards, start, page, installed } = editor();
    const browser = page.context().browser();
    assert.ok(browser);
    // In a profile of its own: of two pages in one, the browser draws only the one in front.
    const other = await openWorkbench(browser, installed.editor.url, {
      ready: (opened) => activityButton(opened, 'Sallyport'),
    });
    try {
      await runCommand(other, 'sallyport.showWaiting');
      const otherCards = new WaitingCards(other);
      const batch = ['make shared', 'make after'].map((command) => ({ args: { command }, ...noDelay }));
      const simulator = await start('windows', { steps: [{ step: 'calls', calls: batch }] });
      const both = [cards, otherCards];
      await Promise.all(both.map((each) => each.settled(each.card('make shared'), 'Approve')));
      const clicks = await Promise.allSettled(both.map((each) => each.click(each.card('make shared'), 'Approve')));
      // The slower one may find that its card is gone.
      const missed = clicks.flatMap((click) => (click.status === 'rejected' ? [String(click.reason)] : []));
      assert.ok(missed.length < both.length, missed.join('\n'));
      await simulator.painted(2);
      for (const each of both) await each.button(each.card('make after'), 'Approve').waitFor();
      await cards.whenArmed();
      await assertOutcome(simulator, { decisions: [approved], keys: [y] });
    } finally {
      await other.context().close();
    }
  });

  it('sends keys to a prompt of an unknown version only when the person has looked at it and says so', async () => {
    const { cards, start, page } = editor();
    const simulator = await start('unknown', { defaults: { shape: 'unknown' }, steps: [run('make unknown')] });
    const card = cards.card('make unknown');
    await card.waitFor({ timeout: 20_000 });
    await cards.press(card, 'Approve');
    await cards.button(card, 'Send Anyway…').waitFor({ timeout: 20_000 });
    await card.getByText('Nothing was typed.').waitFor();
    await card.locator('.box.screen', { hasText: '[y]es / [n]o / [esc]' }).waitFor();
    assertUntouched(simulator);
    await cards.press(card, 'Send Anyway…');
    await card.getByText('Its prompt was not recognised.').last().waitFor();
    await screenshot(page, 'waiting-anyway-dark');
    assertUntouched(simulator);
    await cards.press(card, 'Send the Keys');
    await assertOutcome(simulator, { decisions: [approved], keys: [y] });
    await cards.historyLine('Approved · make unknown').waitFor();
  });
});

function kill(simulator: Simulator): void {
  for (const pid of simulator.pids()) process.kill(pid, 'SIGKILL');
}
