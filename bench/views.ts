import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as z from 'zod';
import { packageExtension } from '../scripts/package.ts';
import { viewState } from '../src/vscode/waiting/viewState.ts';
import { activityButton, openWorkbench } from '../test/support/browser.ts';
import { writePastRuns } from '../test/support/journal/pastRuns.ts';
import { command, english } from '../test/support/sampleRequests.ts';
import { WaitingCards } from '../test/support/waitingCards.ts';
import { type BenchEditor, withEditor } from './editor.ts';
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
      const runs: number[] = [];
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
      return [
        { what: `the Runs view opens with ${pastRuns} past runs`, unit: 'ms', samples: runs.slice(1), atMost: limitMs },
        { what: `${cards} cards in the Waiting view`, unit: 'ms', samples: waiting.slice(1), atMost: limitMs },
      ];
    });
  },
};

/** From the click on the container's icon to the frame with the first rows. */
async function timeToRuns(page: Page): Promise<number> {
  await page.evaluate(`(${recordRuns})()`);
  await activityButton(page, 'Sallyport').click();
  return z.number().parse(await page.evaluate('window.runsShown'));
}

const recordRuns = `() => {
  let clicked;
  addEventListener('mousedown', () => (clicked ??= performance.now()), { capture: true });
  const isThere = () => document.querySelector('.pane-body .monaco-list-row[aria-level="2"][aria-label*="Completed"]');
  window.runsShown = new Promise((resolve) => {
    const look = () => {
      if (!isThere()) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - clicked)));
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
  const state = viewState({ requests, history: [], canStart: true }, english);
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
