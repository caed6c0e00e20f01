import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { AskedQuestion, QuestionAnswer } from '../../src/protocol/request.ts';
import { launchBrowser } from '../support/browser.ts';
import { question, viewInput } from '../support/sampleRequests.ts';
import { openWaitingPage, type WaitingPage } from '../support/waitingPage.ts';

describe('questions in the Waiting view', () => {
  let browser: Browser;
  let view: WaitingPage;
  const ask = async (...questions: AskedQuestion[]) => {
    await view.show(viewInput([question('q', questions)]));
    await view.pass(500);
  };
  const choose = (label: string, nth = 0) => view.page.getByLabel(label, { exact: true }).nth(nth).click();
  const send = async () => {
    // The text fields are filled without a pointer, which is a change of focus.
    await view.pass(500);
    await view.page.getByRole('button', { name: 'Answer' }).click();
  };
  const sent = async () => (await view.actions()).map((action) => action.type === 'answer' && action.answer);
  const answers = (...given: QuestionAnswer[]) => [{ kind: 'answers', answers: given }];

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

  it('answers by the place of an option, for labels may repeat', async () => {
    await ask({ prompt: 'Which?', options: ['Same', 'Same', 'Same'], allowsMultiple: false });
    await choose('Same', 1);
    await send();
    assert.deepEqual(await sent(), answers({ options: [1], other: '' }));
  });

  it('takes labels that look like keys or flags, or have two lines, as labels', async () => {
    const options = ['Enter', 'C-c', '-n', 'a;', 'two\nlines', ''];
    await ask({ prompt: 'Which?', options, allowsMultiple: true });
    const boxes = view.page.locator('input[data-option]');
    for (const index of options.keys()) await boxes.nth(index).click();
    await send();
    assert.deepEqual(await sent(), answers({ options: [0, 1, 2, 3, 4, 5], other: '' }));
  });

  it('shows two hundred options, and answers the last', async () => {
    const options = Array.from({ length: 200 }, (_, n) => `Option ${n}`);
    await ask({ prompt: 'Which?', options, allowsMultiple: false });
    await choose('Option 199');
    await send();
    assert.deepEqual(await sent(), answers({ options: [199], other: '' }));
  });

  it('skips a form with nothing to answer, which has no other way', async () => {
    await ask();
    assert.equal(await view.page.getByRole('button', { name: 'Answer' }).count(), 0);
    await view.page.getByText('nothing that can be answered').waitFor();
    await view.page.getByRole('button', { name: 'Skip' }).click();
    assert.deepEqual(await sent(), [{ kind: 'skip' }]);
  });

  it('takes free text, chosen by typing it, and Enter answers', async () => {
    await ask({ prompt: 'Which?', options: ['One'], allowsMultiple: false });
    await choose('One');
    await view.page.getByRole('textbox').click();
    await view.page.keyboard.type(' $(rm) -n; `y` ');
    assert.equal(await view.page.getByLabel('Other', { exact: true }).isChecked(), true);
    await view.pass(500);
    await view.page.keyboard.press('Enter');
    assert.deepEqual(await sent(), answers({ options: [], other: '$(rm) -n; `y`' }));
  });

  it('leaves out free text whose choice was taken back', async () => {
    await ask({ prompt: 'Which?', options: ['One'], allowsMultiple: false });
    await view.page.getByRole('textbox').fill('mine');
    await choose('One');
    await send();
    assert.deepEqual(await sent(), answers({ options: [0], other: '' }));
  });

  it('takes a question without options by text alone', async () => {
    await ask({ prompt: 'What name?', options: [], allowsMultiple: false });
    await view.page.getByRole('textbox').fill('Ada');
    await send();
    assert.deepEqual(await sent(), answers({ options: [], other: 'Ada' }));
  });

  it('asks for what is missing of several questions, then answers them in their order', async () => {
    await ask(
      { prompt: 'First?', options: ['A', 'B'], allowsMultiple: false },
      { prompt: 'Second?', options: ['A', 'B'], allowsMultiple: true },
    );
    await choose('B', 0);
    await send();
    await view.page.getByText('Answer every question, or skip the form.').waitFor();
    await choose('A', 1);
    await choose('B', 1);
    await send();
    assert.deepEqual(await sent(), answers({ options: [1], other: '' }, { options: [0, 1], other: '' }));
  });

  it('answers by Enter on an option', async () => {
    await ask({ prompt: 'Which?', options: ['A', 'B'], allowsMultiple: false });
    await view.page.evaluate(`document.querySelector('request-card').focusSafely()`);
    await view.pass(500);
    await view.page.keyboard.press('Enter');
    assert.deepEqual(await sent(), []);
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.press('Enter');
    assert.deepEqual(await sent(), answers({ options: [1], other: '' }));
  });

  it('keeps what was chosen while other things change', async () => {
    const asked = question('q', [{ prompt: 'Which?', options: ['A', 'B'], allowsMultiple: false }]);
    await view.show(viewInput([asked]));
    await choose('B');
    await view.show(viewInput([question('new', []), asked]));
    assert.equal(await view.page.getByLabel('B', { exact: true }).isChecked(), true);
  });
});
