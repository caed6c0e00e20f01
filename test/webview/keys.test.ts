import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { command, inSession, question, viewInput } from '../support/sampleRequests.ts';
import { openWaitingPage, type WaitingPage } from '../support/waitingPage.ts';

/** Long enough for a frame and what comes after it. */
const frameMs = 50;

describe('keys and focus in the Waiting view', () => {
  let browser: Browser;
  let view: WaitingPage;
  const card = (name: string) => view.page.locator('request-card').filter({ hasText: name });
  const press = (key: string) => view.page.keyboard.press(key);
  const focused = () => view.page.evaluate<string>('document.activeElement.innerText.trim()');
  const answers = async () =>
    (await view.actions()).map((action) => action.type === 'answer' && `${action.answer.kind} ${action.id}`);
  /** As the editor does when the person goes to the view. */
  const enter = async () => {
    await view.page.evaluate(`window.dispatchEvent(new Event('focus'))`);
    await view.pass(30);
  };
  const other = inSession('chat-2', 'web', 'Other work', 'tmux %5');

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

  it('starts on the safe action', async () => {
    await view.show(viewInput([command('a', 'npm test'), command('b', 'make')]));
    await enter();
    assert.match(await focused(), /^Reject/);
  });

  for (const [key, kind] of [
    ['y', 'approve'],
    ['n', 'reject'],
    ['Y', 'approve'],
  ] as const) {
    it(`answers by ${key} the card that has the focus, and no other`, async () => {
      await view.show(viewInput([command('a', 'npm test'), command('b', 'make', other)]));
      await view.pass(500);
      await press(key);
      assert.deepEqual(await answers(), []);
      await enter();
      await press('j');
      await view.pass(500);
      await press(key);
      await press(key);
      assert.deepEqual(await answers(), [`${kind} b`]);
    });
  }

  it('opens the reason by r, and leaves it by Escape with nothing said', async () => {
    await view.show(viewInput([command('a', 'npm test')]));
    await enter();
    await view.pass(500);
    await press('r');
    await view.page.keyboard.type('yny');
    await press('Escape');
    assert.match(await focused(), /^Reject/);
    assert.deepEqual(await answers(), []);
  });

  it('takes no key of a combination, and none that is held down', async () => {
    await view.show(viewInput([command('a', 'npm test')]));
    await enter();
    await view.pass(500);
    for (const key of ['Control+y', 'Alt+y', 'Meta+y']) await press(key);
    for (const held of ['y', 'n', 'Enter', ' ']) {
      await view.page.evaluate(
        `document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: ${JSON.stringify(held)}, repeat: true, bubbles: true, composed: true, cancelable: true }))`,
      );
    }
    assert.deepEqual(await answers(), []);
  });

  describe('for 500 ms', () => {
    it('takes neither key nor click on a card that has just appeared', async () => {
      await view.show(viewInput([command('a', 'npm test')]));
      await card('npm test').getByRole('button', { name: 'Approve' }).click();
      await view.pass(400);
      await card('npm test').getByRole('button', { name: 'Approve' }).click();
      assert.deepEqual(await answers(), []);
      await view.pass(100);
      await card('npm test').getByRole('button', { name: 'Approve' }).click();
      assert.deepEqual(await answers(), ['approve a']);
    });

    it('takes neither on a card that has moved under the pointer', async () => {
      const [first, second] = [command('a', 'npm test'), command('b', 'npm test', other)];
      await view.show(viewInput([first, second]));
      await view.pass(500);
      await view.show(viewInput([second]));
      await view.page.getByRole('button', { name: 'Approve' }).click();
      await enter();
      await press('y');
      assert.deepEqual(await answers(), []);
    });

    it('takes no key on a card that has gained the focus, but the click that brought it', async () => {
      await view.show(viewInput([command('a', 'npm test'), command('b', 'make', other)]));
      await view.pass(1000);
      await enter();
      await press('y');
      await press('Enter');
      await view.pass(499);
      await press('n');
      assert.deepEqual(await answers(), []);
      await card('make').getByRole('button', { name: 'Approve' }).click();
      assert.deepEqual(await answers(), ['approve b']);
    });

    it('takes no stray Enter on the card that takes the place of an answered one', async () => {
      await view.show(viewInput([command('a', 'npm test'), command('b', 'make', other)]));
      await enter();
      await view.pass(500);
      await press('n');
      await view.show(viewInput([command('b', 'make', other)]));
      assert.match(await focused(), /^Reject/);
      await press('Enter');
      assert.deepEqual(await answers(), ['reject a']);
      await view.pass(500);
      await press('Enter');
      assert.deepEqual(await answers(), ['reject a', 'reject b']);
    });

    it('takes nothing on a card whose call has changed', async () => {
      await view.show(viewInput([command('a', 'npm test')]));
      await view.pass(500);
      await view.show(viewInput([command('a', 'rm -rf /', { hash: 'another' })]));
      await view.page.getByRole('button', { name: 'Approve' }).click();
      assert.deepEqual(await answers(), []);
    });
  });

  it('answers fifty in a row by keys alone', async () => {
    const many = Array.from({ length: 50 }, (_, n) =>
      command(`c${n}`, `make ${n}`, inSession(`s${n}`, `f${n}`, '', 'tmux')),
    );
    for (let n = 0; n < many.length; n += 1) {
      await view.show(viewInput(many.slice(n)));
      if (n === 0) await enter();
      await view.pass(500);
      await press('y');
    }
    assert.deepEqual(
      await answers(),
      many.map(({ id }) => `approve ${id}`),
    );
  });

  it('goes from card to card by j, k and arrows, in a form by none of them', async () => {
    const form = question('q', [{ prompt: 'Which?', options: ['One', 'Two'], allowsMultiple: false }], other);
    await view.show(viewInput([command('a', 'npm test'), form]));
    await enter();
    const at = () => view.page.evaluate<string>(`document.activeElement.closest('request-card').card.id`);
    for (const [key, expected] of [
      ['j', 'q'],
      ['k', 'a'],
      ['ArrowDown', 'q'],
      ['ArrowDown', 'q'],
    ] as const) {
      await press(key);
      assert.equal(await at(), expected, key);
    }
    assert.equal(await view.page.evaluate('document.activeElement.dataset.option'), '1');
  });

  it('keeps the focus and what is being typed whatever comes and goes', async () => {
    const typed = command('b', 'make', other);
    await view.show(viewInput([command('a', 'npm test'), typed]));
    await view.pass(500);
    await card('make').getByRole('button', { name: 'With reason' }).click();
    await view.page.keyboard.type('Use ');
    await view.show(viewInput([command('n', 'new one'), command('a', 'npm test'), typed]));
    await view.page.keyboard.type('nin');
    await view.show(viewInput([typed, command('n', 'new one')]));
    await view.page.keyboard.type('ja');
    await view.pass(500);
    await press('Enter');
    assert.deepEqual(
      (await view.actions()).map((action) => action.type === 'answer' && action.answer),
      [{ kind: 'reject', reason: 'Use ninja' }],
    );
  });

  it('finds what was typed again after it was hidden', async () => {
    await view.show(viewInput([command('a', 'npm test')]));
    await view.pass(500);
    await view.page.getByRole('button', { name: 'With reason' }).click();
    await view.page.keyboard.type('Use ninja');
    const memory = await view.page.evaluate('window.keptState');
    await view.close();
    view = await openWaitingPage(browser, { memory });
    await view.show(viewInput([command('a', 'npm test')]));
    assert.equal(await view.page.getByRole('textbox').inputValue(), 'Use ninja');
  });

  it('draws the cards below the screen after those on it, and takes no answer for them half a second from then', async () => {
    const many = Array.from({ length: 20 }, (_, n) => command(`c${n}`, `make ${n}`));
    await view.show(viewInput(many));
    assert.equal(await view.page.locator('request-card .foot').count(), 9);
    await view.pass(505);
    assert.equal(await view.page.locator('request-card .foot').count(), 20);
    const reject = view.page.locator('request-card').last().getByRole('button', { name: 'Reject' });
    await reject.click();
    assert.deepEqual(await view.actions(), []);
    await view.pass(500);
    await reject.click();
    assert.deepEqual(
      (await view.actions()).map((action) => action.type === 'answer' && action.id),
      ['c19'],
    );
  });

  it('draws a new card at once beside those that are there, wherever it is', async () => {
    const many = Array.from({ length: 20 }, (_, n) => command(`c${n}`, `make ${n}`));
    await view.show(viewInput(many));
    await view.pass(frameMs);
    await view.show(viewInput([...many, command('new', 'npm test')]));
    assert.equal(await view.page.locator('request-card .foot').count(), 21);
  });

  it('brings a card forward that the person asked to see', async () => {
    const many = Array.from({ length: 20 }, (_, n) => command(`c${n}`, `make ${n}`));
    await view.show(viewInput(many));
    await view.page.evaluate(`window.postMessage({ type: 'reveal', id: 'c19' })`);
    // It is on the screen when those above it are drawn.
    await view.pass(frameMs);
    assert.equal(await view.page.evaluate(`document.activeElement.closest('request-card')?.card.id`), 'c19');
    assert.ok(await view.page.locator('request-card').last().locator('.foot').isVisible());
    assert.ok(await view.page.evaluate('scrollY > 0'));
  });
});
