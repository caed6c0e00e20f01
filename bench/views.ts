import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as z from 'zod';
import { packageExtension } from '../scripts/package.ts';
import { viewState } from '../src/vscode/waiting/viewState.ts';
import { activityButton, openWorkbench } from '../test/support/browser.ts';
import { writePastRuns } from '../test/support/journal/pastRuns.ts';
import { command, english, viewInput } from '../test/support/sampleRequests.ts';
import { WaitingCards } from '../test/support/waitingCards.ts';
import { withEditor } from './editor.ts';
import type { Group } from './row.ts';

const pastRuns = 1_000;
const cards = 50;
const limitMs = 100;
/** A new page has a lot to do with itself. */
const calmMs = 6_000;
/** So that 1,000 runs are of several days, and the open ones hold hundreds. */
const spacingMs = 240_000;

export const views: Group = {
  name: 'views',
  about:
    'the installed extension in a real editor, in the browser: from the click or message to the frame that shows it',
  async run(effort) {
    return withEditor({ vsix: await packageExtension() }, async (opened) => {
      const cwd = join(opened.state, '..', 'greeter');
      await writePastRuns(opened.state, { cwd, count: pastRuns, now: Date.now(), spacingMs });
      const runs: Shown[] = [];
      const waiting: number[] = [];
      const rounds = effort.rounds(10);
      for (let round = 0; round <= rounds; round++) {
        const page = await openWorkbench(opened.browser, opened.editor.url, {
          ready: (it) => activityButton(it, 'Sallyport'),
        });
        await pause(calmMs);
        runs.push(await timeToRuns(page));
        waiting.push(await timeToCards(page));
        await page.context().close();
      }
      // The first one reads everything from the disk.
      const [times, drawn] = [runs.slice(1), waiting.slice(1)];
      const what = `the Runs view with ${pastRuns} past runs`;
      return [
        {
          what: `${what}, from the click on the container`,
          unit: 'ms',
          samples: times.map(({ fromClick }) => fromClick),
        },
        { what, unit: 'ms', samples: times.map(({ fromView }) => fromView), atMost: limitMs },
        { what: `${cards} cards in the Waiting view`, unit: 'ms', samples: drawn, atMost: limitMs },
      ];
    });
  },
};

/** To the frame with the first rows: from the click on the container's icon, and from when the editor had made the view. */
const shownSchema = z.object({ fromClick: z.number(), fromView: z.number() });
type Shown = z.infer<typeof shownSchema>;

async function timeToRuns(page: Page): Promise<Shown> {
  await page.evaluate(`(${recordRuns})()`);
  await activityButton(page, 'Sallyport').click();
  return shownSchema.parse(await page.evaluate('window.runsShown'));
}

const recordRuns = `() => {
  let clicked;
  let made;
  addEventListener('mousedown', () => (clicked ??= performance.now()), { capture: true });
  const row = '.pane-body .monaco-list-row[aria-level="2"][aria-label*="Completed"]';
  window.runsShown = new Promise((resolve) => {
    const look = () => {
      if (document.querySelector('.pane-header[aria-label^="Runs"]')) made ??= performance.now();
      if (!document.querySelector(row)) return;
      observer.disconnect();
      const tell = () => resolve({ fromClick: performance.now() - clicked, fromView: performance.now() - made });
      requestAnimationFrame(() => setTimeout(tell));
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true, attributes: true });
  });
}`;

/** From the message with the cards to the frame that shows them. */
async function timeToCards(page: Page): Promise<number> {
  const view = new WaitingCards(page).frame.locator('waiting-view');
  await view.waitFor();
  const requests = Array.from({ length: cards }, (_, index) => command(`c${index}`, `make step-${index} && npm test`));
  const state = viewState(viewInput(requests), english);
  return z.number().parse(await view.evaluate(`(${showCards})(${JSON.stringify(state)})`));
}

const showCards = `async (state) => {
  await new Promise((resolve) => setTimeout(resolve, 500));
  const start = performance.now();
  dispatchEvent(new MessageEvent('message', { data: state }));
  const count = () => document.querySelectorAll('request-card').length;
  while (count() < state.sessions.flatMap(({ cards }) => cards).length) await new Promise(requestAnimationFrame);
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() - start;
}`;
