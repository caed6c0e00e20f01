import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { RequestSubject } from '../../src/protocol/request.ts';
import { launchBrowser } from '../support/browser.ts';
import { command, permission, question, viewInput } from '../support/sampleRequests.ts';
import { openWaitingPage, type WaitingPage } from '../support/waitingPage.ts';

const nasty =
  '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script></script><a href="javascript:window.hacked=1">x</a>[y](command:sallyport.showLog)';

describe('hostile text in the Waiting view', () => {
  let browser: Browser;
  let view: WaitingPage;
  const approve = () => view.page.getByRole('button', { name: 'Approve' });

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

  const subjects: readonly RequestSubject[] = [
    { kind: 'command', command: nasty, folder: nasty },
    { kind: 'write', path: nasty, contents: nasty },
    { kind: 'replace', path: nasty, before: nasty, after: `${nasty}!` },
    { kind: 'patch', paths: [nasty], patch: `+${nasty}` },
    { kind: 'delete', path: nasty },
    { kind: 'fetch', url: nasty },
    { kind: 'search', query: nasty },
    { kind: 'mcpTool', server: nasty, tool: nasty, input: nasty },
    { kind: 'modeSwitch', mode: nasty, explanation: nasty },
    { kind: 'other', tool: nasty, input: nasty },
  ];

  it('is text and nothing else, in every field of every kind', async () => {
    const fields = [{ name: nasty, value: nasty }];
    const session = {
      id: nasty,
      cwd: `/${nasty}`,
      title: nasty,
      subagent: nasty,
      terminal: nasty,
      version: { text: nasty, isChecked: false },
    };
    const asked = [{ prompt: nasty, options: [nasty, nasty], allowsMultiple: true }];
    const failed = { state: 'notDelivered', why: nasty, screen: [nasty], retry: 'no' } as const;
    await view.show(
      viewInput(
        [
          ...subjects.map((subject, index) => permission(`${index}`, subject, { session, fields })),
          question('q', asked, { session, title: nasty }),
          command('f', nasty, { session, delivery: failed }),
          command('l', nasty, { session, answerable: { state: 'later', why: nasty } }),
        ],
        {
          history: [{ id: 'h', atMs: 0, what: nasty, session: nasty, end: 'confirmed' }],
          notice: nasty,
        },
      ),
    );
    // Those below the screen come with the next frame.
    await view.pass(50);
    assert.equal(await view.page.locator('request-card').count(), subjects.length + 3);
    assert.equal(await view.page.locator('img, a, body script:not([nonce])').count(), 0);
    assert.equal(await view.page.evaluate('window.hacked'), undefined);
    for (const index of subjects.keys()) {
      const text = await view.page.locator('request-card').nth(index).innerText();
      assert.ok(text.includes('<img src=x onerror='), subjects[index]?.kind);
    }
  });

  it('is shown with what acts, hides or reorders as marked escapes, and a warning', async () => {
    await view.show(viewInput([command('a', 'ls\u001b[2K\r\u202e\u200b\u{e0041}\u2028 && \u0441url')]));
    assert.deepEqual(await view.page.locator('mark').allInnerTexts(), [
      '\\x1b',
      '\\x0d',
      '\\u{202e}',
      '\\u{200b}',
      '\\u{e0041}',
      '\\u{2028}',
      '\\u{441}',
    ]);
    const notes = await view.page.locator('.note.warning').allInnerTexts();
    assert.equal(notes.length, 2);
    assert.match(notes[0] ?? '', /Hidden characters/);
    assert.match(notes[1] ?? '', /look like others/);
  });

  for (const [title, text, size] of [
    ['5,000 characters', `${'x'.repeat(4990)} ; rm -rf`, '4,999 characters in one line'],
    ['500 newlines', `echo${'\n'.repeat(500)}rm -rf /`, '512 characters, 501 lines'],
  ] as const) {
    it(`cannot be approved before its end has been shown: ${title}`, async () => {
      await view.show(viewInput([command('a', text)]));
      await view.page.getByText(size).waitFor();
      await view.pass(500);
      assert.equal(await approve().getAttribute('aria-disabled'), 'true');
      await approve().click({ force: true });
      await view.page.evaluate(`document.querySelector('request-card').focusSafely()`);
      await view.pass(500);
      await view.page.keyboard.press('y');
      assert.deepEqual(await view.actions(), []);
      // The key led to the text: its end is a key away.
      await view.page.keyboard.press('End');
      await view.page.locator('request-card .end.seen').waitFor();
      await view.page.keyboard.press('y');
      assert.deepEqual(
        (await view.actions()).map(({ type }) => type),
        ['answer'],
      );
    });
  }

  it('can be rejected unread', async () => {
    await view.show(viewInput([command('a', 'x\n'.repeat(500))]));
    await view.pass(500);
    await view.page.getByRole('button', { name: 'Reject' }).click();
    assert.equal((await view.actions()).length, 1);
  });

  it('can not be approved where its middle had to be left out and no diff shows it', async () => {
    await view.show(viewInput([command('a', `${'a\n'.repeat(60_000)}end`)]));
    await view.pass(500);
    await view.page.evaluate(`document.querySelector('.box').scrollTo(0, 1e7)`);
    await view.page.locator('request-card .end.seen').waitFor();
    assert.equal(await approve().getAttribute('aria-disabled'), 'true');
    assert.match(await view.page.locator('request-card').innerText(), /characters are left out here/);
    assert.match(await view.page.locator('request-card').innerText(), /too long to be shown whole/);
  });
});
