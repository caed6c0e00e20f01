import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { violationsOf } from '../support/accessibility.ts';
import { launchBrowser } from '../support/browser.ts';
import { busyHour, command, inSession, question, sampleNow, viewInput } from '../support/sampleRequests.ts';
import { openWaitingPage, type WaitingPage } from '../support/waitingPage.ts';
import { type WebviewTheme, webviewThemes } from '../support/webviewThemes.ts';

const pictures = resolve(import.meta.dirname, '..', '..', '.cache', 'screenshots');
const themes = Object.keys(webviewThemes) as WebviewTheme[];

/** States that a busy hour does not have. */
const others = () => {
  const input = viewInput(
    [
      command('long', `echo\n${'x'.repeat(700)}\n`.repeat(3), {
        session: {
          ...command('x', '').session,
          version: { text: '2027.01.01', isChecked: false },
          subagent: 'explore',
        },
      }),
      command('sending', 'make', { delivery: { state: 'sending' } }),
      command('no', 'npm publish', {
        ...inSession('s2', 'a-folder-with-a-very-long-name-indeed', 'A title that is too long for this', 'tmux %12'),
        answerable: { state: 'no', why: 'Two terminals hold this chat. Answer in one of them.' },
      }),
      question('form', [
        { prompt: 'Which of these should it do?', options: ['Lint', 'Test', 'Publish'], allowsMultiple: true },
        { prompt: 'What shall it be called?', options: [], allowsMultiple: false },
      ]),
      question('none', []),
    ],
    { notice: 'That request is over. Nothing was typed.' },
  );
  const memory = {
    ...input.memory,
    refusal: (id: string) => (id === 'form' ? 'The form has changed. Look again.' : undefined),
  };
  return { ...input, memory };
};

const fifty = () =>
  Array.from({ length: 50 }, (_, n) =>
    command(`c${n}`, `npm run step-${n} -- --verbose`, {
      ...inSession(`s${n % 7}`, `f${n % 7}`, 'Work', 'tmux %1'),
      sinceMs: sampleNow,
    }),
  );

const scenes = {
  busy: busyHour,
  others,
  empty: () => viewInput([], { history: busyHour().history }),
  noAgent: () => viewInput([], { condition: { kind: 'noAgent' } }),
  restricted: () => viewInput([], { condition: { kind: 'untrusted' } }),
};

describe('the looks of the Waiting view', function () {
  this.timeout(30_000);
  let browser: Browser;

  before(async () => {
    browser = await launchBrowser();
    await mkdir(pictures, { recursive: true });
  });
  after(() => browser.close());

  const picture = ({ page }: WaitingPage, name: string) =>
    page.screenshot({ path: resolve(pictures, `waiting-${name}.png`), fullPage: true });

  for (const theme of themes) {
    for (const [scene, input] of Object.entries(scenes)) {
      it(`is accessible: ${scene}, ${theme}`, async () => {
        const view = await openWaitingPage(browser, { theme });
        await view.show(input());
        await view.page.evaluate(`window.dispatchEvent(new Event('focus'))`);
        await view.pass(30);
        if (scene === 'others') {
          await view.page.locator('summary').first().click();
          await view.page.getByRole('button', { name: 'With reason' }).first().click();
        }
        await picture(view, `${scene}-${theme}`);
        await view.page.clock.resume();
        assert.deepEqual(await violationsOf(view.page), []);
        assert.deepEqual(view.problems, []);
        await view.close();
      });
    }
  }

  for (const width of [200, 260]) {
    it(`fits into ${width} px`, async () => {
      for (const [scene, input] of Object.entries(scenes)) {
        const view = await openWaitingPage(browser, { width, theme: 'light' });
        await view.show(input());
        await picture(view, `${scene}-${width}`);
        const tooWide = await view.page.evaluate<string[]>(
          `[...document.querySelectorAll('body *')].filter((at) => at.getBoundingClientRect().right > innerWidth + 1 && !at.closest('.hidden')).map((at) => at.outerHTML.slice(0, 80))`,
        );
        assert.deepEqual(tooWide, [], scene);
        await view.close();
      }
    });
  }

  it('moves nothing for who wants no movement', async () => {
    const view = await openWaitingPage(browser);
    await view.show(others());
    const animation = `getComputedStyle(document.querySelector('.spin')).animationName`;
    assert.equal(await view.page.evaluate(animation), 'none');
    await view.page.emulateMedia({ reducedMotion: 'no-preference' });
    assert.equal(await view.page.evaluate(animation), 'turn');
    await view.close();
  });

  it('is quick with fifty cards', async () => {
    const view = await openWaitingPage(browser);
    for (const time of ['first', 'again', 'again']) {
      const before = performance.now();
      await view.show(viewInput(fifty()));
      console.log(`      50 cards, ${time}: ${(performance.now() - before).toFixed(0)} ms with three frames`);
    }
    assert.equal(await view.page.locator('request-card').count(), 50);
    await view.close();
  });

  for (const theme of themes) {
    it(`stays readable with fifty cards: ${theme}`, async () => {
      const view = await openWaitingPage(browser, { theme });
      await view.show(viewInput(fifty()));
      // Those below the screen are drawn a moment later.
      await view.pass(30);
      await view.page.locator('request-card').nth(49).waitFor();
      await view.page.screenshot({ path: resolve(pictures, `waiting-fifty-${theme}.png`) });
      await view.close();
    });
  }
});
