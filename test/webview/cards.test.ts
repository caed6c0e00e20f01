import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { busyHour, command, permission, question, viewInput } from '../support/sampleRequests.ts';
import { openWaitingPage, type WaitingPage } from '../support/waitingPage.ts';

describe('the cards of the Waiting view', () => {
  let browser: Browser;
  let view: WaitingPage;
  const card = (name: string | RegExp) => view.page.locator('request-card').filter({ hasText: name });
  const button = (name: string | RegExp) => view.page.getByRole('button', { name });

  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  beforeEach(async () => {
    view = await openWaitingPage(browser);
  });
  afterEach(async () => {
    assert.deepEqual(view.problems, []);
    await view.close();
  });

  it('tells the window that it can be told what to show', async () => {
    assert.deepEqual(await view.page.evaluate('window.sentToWindow'), [{ type: 'ready' }]);
  });

  it('gives an answer with the id and hash of what was shown, once', async () => {
    await view.show(viewInput([command('a', 'npm test')]));
    await view.pass(500);
    await button('Approve').dblclick();
    assert.deepEqual(await view.actions(), [
      { type: 'answer', id: 'a', hash: 'hash-a', answer: { kind: 'approve' }, anyway: false },
    ]);
    assert.equal(await button('Approve').count(), 0);
  });

  it('rejects, and rejects with a reason', async () => {
    await view.show(viewInput([command('a', 'npm test'), command('b', 'make')]));
    await view.pass(500);
    await card('npm test').getByRole('button', { name: 'Reject' }).click();
    await card('make').getByRole('button', { name: 'With reason' }).click();
    await view.page.keyboard.type('Use ninja');
    await view.pass(500);
    await view.page.keyboard.press('Enter');
    assert.deepEqual(
      (await view.actions()).map((action) => action.type === 'answer' && [action.id, action.answer]),
      [
        ['a', { kind: 'reject', reason: '' }],
        ['b', { kind: 'reject', reason: 'Use ninja' }],
      ],
    );
  });

  it('offers an answer again until the window has spoken, and says why one was not taken', async () => {
    const requests = [command('a', 'npm test')];
    await view.show(viewInput(requests));
    await view.pass(500);
    await button('Approve').click();
    const input = viewInput(requests);
    await view.show({
      ...input,
      memory: { ...input.memory, refusal: () => 'The call has changed. Nothing was typed.' },
    });
    await card('The call has changed').waitFor();
    await button('Approve').waitFor();
  });

  it('shows where answers stand', async () => {
    await view.show(busyHour());
    assert.match(await card('npm run migrate').innerText(), /in services\/ledger\s+1 of 2 in this batch/);
    assert.match(await card('src/ledger/balance.ts').innerText(), /Answer the card above first/);
    assert.equal(await card('src/ledger/balance.ts').getByRole('button', { name: 'Approve' }).count(), 0);
    assert.match(await view.page.locator('.history').innerText(), /Approved · git push origin main\s+running 8 s/);
    assert.equal(await card('git push').count(), 0);
    await view.show(viewInput([command('a', 'npm test', { delivery: { state: 'sending' } })]));
    assert.match(await card('npm test').innerText(), /Answering…/);
  });

  it('counts the time on by itself', async () => {
    await view.show(viewInput([command('a', 'npm test')]));
    assert.equal(await view.page.locator('age-text').innerText(), '12 s');
    await view.pass(50_000);
    assert.equal(await view.page.locator('age-text').innerText(), '1 min');
  });

  it('asks a second time before it sends what was not recognised, beside what the screen shows', async () => {
    await view.show(busyHour());
    await view.pass(500);
    const failed = card('Not delivered: the pane');
    await failed.getByText('Delete (y)').waitFor();
    await failed.getByRole('button', { name: 'Send Anyway…' }).click();
    assert.deepEqual(await view.actions(), []);
    assert.equal(await view.page.evaluate('document.activeElement.innerText'), 'Cancel');
    await view.pass(500);
    await failed.getByRole('button', { name: 'Send the Keys' }).click();
    assert.deepEqual(await view.actions(), [
      { type: 'answer', id: 'curl', hash: 'hash-curl', answer: { kind: 'approve' }, anyway: true },
    ]);
  });

  it('tries again, answers differently, or shows the terminal', async () => {
    const failed = (id: string) =>
      command(id, id, {
        delivery: { state: 'notDelivered', why: 'The pane is in copy mode.', screen: [], retry: 'again' },
      });
    const input = viewInput([failed('one'), failed('two')]);
    const memory = { ...input.memory, given: () => ({ kind: 'reject', reason: 'no' }) as const };
    await view.show({ ...input, memory });
    await view.pass(500);
    await card('one').getByRole('button', { name: 'Show Terminal' }).click();
    await card('one').getByRole('button', { name: 'Try Again' }).click();
    await card('two').getByRole('button', { name: 'Answer differently' }).click();
    await view.pass(500);
    await card('two').getByRole('button', { name: 'Approve' }).click();
    assert.deepEqual(await view.actions(), [
      { type: 'showTerminal', id: 'one' },
      { type: 'answer', id: 'one', hash: 'hash-one', answer: { kind: 'reject', reason: 'no' }, anyway: false },
      { type: 'answer', id: 'two', hash: 'hash-two', answer: { kind: 'approve' }, anyway: false },
    ]);
  });

  it('is quiet about what may be waiting: no answer, but why, and what can be done', async () => {
    await view.show(busyHour());
    await view.pass(500);
    const mayBe = card('May be waiting');
    assert.equal(await mayBe.getByRole('button', { name: /Approve|Reject/ }).count(), 0);
    await mayBe.getByRole('button', { name: 'Why?' }).click();
    assert.match(await mayBe.innerText(), /can only be told from its screen/);
    await mayBe.getByRole('button', { name: 'Reopen in Sallyport' }).click();
    await mayBe.press('y');
    assert.deepEqual(await view.actions(), [{ type: 'reopen', id: 'maybe' }]);
  });

  it('opens a diff, and shows every field', async () => {
    const fields = [
      { name: 'unheardOf', value: '{"deep":[1]}' },
      { name: '<b>name', value: 'x\u001by' },
    ];
    await view.show(viewInput([permission('a', { kind: 'write', path: 'a.ts', contents: 'x' }, { fields })]));
    await button('Open Diff').click();
    assert.deepEqual(await view.actions(), [{ type: 'openDiff', id: 'a' }]);
    await view.page.getByText('All fields').click();
    const shown = await view.page.locator('dl').innerText();
    for (const text of ['unheardOf', '{"deep":[1]}', '<b>name', 'x\\x1by']) assert.ok(shown.includes(text), text);
  });

  it('says what to do where nothing waits', async () => {
    await view.show(viewInput([]));
    await view.page.getByText('Nothing is waiting').waitFor();
    await button('Start Cursor Agent').click();
    await view.show(viewInput([], { condition: { kind: 'untrusted' } }));
    await button('Manage Workspace Trust').click();
    await view.show(viewInput([], { condition: { kind: 'failed', why: 'No process table.' } }));
    await view.page.getByText('No process table.').waitFor();
    await button('Show Log').click();
    await view.show(viewInput([], { condition: { kind: 'noAgent' } }));
    await view.page.getByText('agent was not found').waitFor();
    await button('Check Setup').click();
    assert.deepEqual(await view.actions(), [
      { type: 'command', command: 'startAgent' },
      { type: 'command', command: 'manageTrust' },
      { type: 'command', command: 'showLog' },
      { type: 'command', command: 'checkSetup' },
    ]);
  });

  it('announces what is new, politely, and what is gone is no news', async () => {
    const live = view.page.locator('[aria-live=polite]');
    await view.show(viewInput([command('a', 'npm test')]));
    assert.equal(await live.innerText(), 'payments-api waits: Run a command');
    await view.show(viewInput([command('a', 'npm test'), question('b', [])]));
    assert.equal(await live.innerText(), 'payments-api waits: Asks you');
  });

  it('drops a message that is not what it should be', async () => {
    await view.show(viewInput([command('a', 'npm test')]));
    await view.page.evaluate(`window.postMessage({ type: 'state', sessions: 'none' })`);
    await view.page.evaluate(`window.postMessage(null)`);
    await card('npm test').waitFor();
  });
});
