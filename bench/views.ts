import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import * as z from 'zod';
import { mustRun } from '../scripts/command.ts';
import { packageExtension } from '../scripts/package.ts';
import { viewState } from '../src/vscode/waiting/viewState.ts';
import { activityButton, openWorkbench } from '../test/support/browser.ts';
import { writePastRuns } from '../test/support/journal/pastRuns.ts';
import { command, english, viewInput } from '../test/support/sampleRequests.ts';
import { WaitingCards } from '../test/support/waitingCards.ts';
import { type BenchEditor, withEditor } from './editor.ts';
import type { Group } from './row.ts';

const pastRuns = 1_000;
const cards = 50;
const limitMs = 100;
/** A new page has a lot to do with itself. */
const calmMs = 6_000;
/** So that 1,000 runs are of four days, and the open one holds hundreds. */
const spacingMs = 240_000;

/** Whose container is opened, and which of its rows says that the view is there. */
const ours = { container: 'Sallyport', view: 'Runs', row: 'Completed' };
const bare = { container: 'Three Views', view: 'Rows', row: 'row' };
type Opened = typeof ours;

export const views: Group = {
  name: 'views',
  about:
    'the installed extension in a real editor, in the browser, every time in a new page. The Runs view: from when the ' +
    'editor had made its place in the page (or from the click on the icon of the container) to the frame with the first ' +
    'rows of runs. Beside it the editor alone: another extension with the same three views in its container, an empty ' +
    'page, a list with one group of one row, and one without any. The Waiting view: from the message with the cards to ' +
    'the frame that shows those on the screen, and to the one after which all are drawn',
  async run(effort) {
    const folder = await mkdtemp(join(tmpdir(), 'sallyport-bench-views-'));
    try {
      const vsixes = [await packageExtension(), await packageThreeViews(folder)];
      return await withEditor({ vsixes }, async (opened) => {
        const cwd = join(opened.state, '..', 'greeter');
        // Today has none, so that as many are open at any hour.
        await writePastRuns(opened.state, { cwd, count: pastRuns, now: new Date().setHours(0, 0, 0, 0), spacingMs });
        const all: Round[] = [];
        // The first one reads everything from the disk.
        for (let round = 0; round <= effort.rounds(10); round++) all.push(await measure(opened, round % 2 === 0));
        return rows(all.slice(1));
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

interface Round {
  readonly ours: Shown;
  readonly bare: Shown;
  readonly cards: Drawn;
}

function rows(rounds: readonly Round[]) {
  const times = (of: (round: Round) => number) => ({ unit: 'ms' as const, samples: rounds.map(of) });
  const runs = `the Runs view with ${pastRuns} past runs`;
  const waiting = `${cards} cards in the Waiting view`;
  return [
    { what: runs, ...times((round) => round.ours.fromView), atMost: limitMs },
    { what: 'a list with one row, by the editor alone', ...times((round) => round.bare.fromView) },
    { what: `${runs} adds`, ...times((round) => round.ours.fromView - round.bare.fromView), atMost: limitMs },
    { what: `${runs}, from the click`, ...times((round) => round.ours.fromClick) },
    { what: 'a list with one row, from the click', ...times((round) => round.bare.fromClick) },
    { what: `${waiting}, those on the screen`, ...times((round) => round.cards.onScreen), atMost: limitMs },
    { what: `${waiting}, all of them`, ...times((round) => round.cards.all) },
  ];
}

async function measure(editor: BenchEditor, isBareFirst: boolean): Promise<Round> {
  const before = isBareFirst ? await inPage(editor, (page) => timeToRows(page, bare)) : undefined;
  const own = await inPage(editor, async (page) => ({
    ours: await timeToRows(page, ours),
    cards: await timeToCards(page),
  }));
  return { ...own, bare: before ?? (await inPage(editor, (page) => timeToRows(page, bare))) };
}

async function inPage<T>({ browser, editor }: BenchEditor, use: (page: Page) => Promise<T>): Promise<T> {
  const page = await openWorkbench(browser, editor.url, { ready: (it) => activityButton(it, ours.container) });
  try {
    await pause(calmMs);
    return await use(page);
  } finally {
    await page.context().close();
  }
}

/** Packages the extension that has the views and nothing in them; returns the path. */
async function packageThreeViews(folder: string): Promise<string> {
  const vsix = join(folder, 'threeViews.vsix');
  const vsce = resolve(import.meta.dirname, '..', 'node_modules', '@vscode', 'vsce', 'vsce');
  const leave = ['--no-dependencies', '--skip-license', '--allow-missing-repository'];
  await mustRun(process.execPath, [vsce, 'package', ...leave, '-o', vsix], {
    cwd: join(import.meta.dirname, 'threeViews'),
  });
  return vsix;
}

/** To the frame with the first rows: from the click on the container's icon, and from when the editor had made the view. */
const shownSchema = z.object({ fromClick: z.number(), fromView: z.number() });
type Shown = z.infer<typeof shownSchema>;

async function timeToRows(page: Page, opened: Opened): Promise<Shown> {
  await page.evaluate(`(${recordRows})(${JSON.stringify(opened)})`);
  await activityButton(page, opened.container).click();
  return shownSchema.parse(await page.evaluate('window.rowsShown'));
}

const recordRows = `({ view, row }) => {
  let clicked;
  let made;
  addEventListener('mousedown', () => (clicked ??= performance.now()), { capture: true });
  const shown = '.pane-body .monaco-list-row[aria-level="2"][aria-label*="' + row + '"]';
  window.rowsShown = new Promise((resolve) => {
    const look = () => {
      if (document.querySelector('.pane-header[aria-label^="' + view + '"]')) made ??= performance.now();
      if (made === undefined || !document.querySelector(shown)) return;
      observer.disconnect();
      const tell = () => resolve({ fromClick: performance.now() - clicked, fromView: performance.now() - made });
      requestAnimationFrame(() => setTimeout(tell));
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true, attributes: true });
  });
}`;

/** From the message with the cards to the frame that shows those on the screen, and to the frame that has them all. */
const drawnSchema = z.object({ onScreen: z.number(), all: z.number() });
type Drawn = z.infer<typeof drawnSchema>;

async function timeToCards(page: Page): Promise<Drawn> {
  const view = new WaitingCards(page).frame.locator('waiting-view');
  await view.waitFor();
  const requests = Array.from({ length: cards }, (_, index) => command(`c${index}`, `make step-${index} && npm test`));
  const state = viewState(viewInput(requests), english);
  return drawnSchema.parse(await view.evaluate(`(${showCards})(${JSON.stringify(state)}, ${cards})`));
}

/** A card is drawn when its last part is there. */
const showCards = `async (state, count) => {
  await new Promise((resolve) => setTimeout(resolve, 500));
  const start = performance.now();
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const until = async (isThere) => {
    while (!isThere([...document.querySelectorAll('request-card')])) await frame();
    return performance.now() - start;
  };
  const isDrawn = (card) => card.querySelector('.foot') !== null;
  dispatchEvent(new MessageEvent('message', { data: state }));
  await frame();
  const onScreen = await until(
    (cards) => cards.length === count && cards.every((card) => isDrawn(card) || card.getBoundingClientRect().top > innerHeight),
  );
  return { onScreen, all: await until((cards) => cards.every(isDrawn)) };
}`;
