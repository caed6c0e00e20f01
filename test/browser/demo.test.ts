import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import {
  activityButton,
  answerInput,
  editorTab,
  launchBrowser,
  openWorkbench,
  runCommand,
  screenshot,
} from '../support/browser.ts';
import { WaitingCards } from '../support/waitingCards.ts';

const program = resolve(import.meta.dirname, '..', '..', 'scripts', 'demo.ts');

describe('the demo', function () {
  this.timeout(180_000);
  let demo: ChildProcess;
  let browser: Browser;
  let page: Page;

  before(async () => {
    demo = spawn(process.execPath, [program], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, CI: 'true' },
    });
    const url = await addressOf(demo);
    browser = await launchBrowser();
    page = await openWorkbench(browser, url, { ready: (it) => activityButton(it, 'Sallyport') });
    await activityButton(page, 'Sallyport').click();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await screenshot(page, 'failed-demo');
  });

  after(async () => {
    await browser.close();
    if (demo.exitCode === null) demo.kill('SIGKILL');
  });

  it('shows what three simulated sessions wait for, and delivers an answer', async () => {
    const cards = new WaitingCards(page);
    for (const text of ['npm test', 'Which date library', 'rotate.sh']) await cards.card(text).first().waitFor();
    await cards.press(cards.card('rotate.sh'), 'Approve');
    await cards.historyLine(/Approved.*rotate\.sh/).waitFor();
  });

  it('lets the real Codex fix the sample project', async () => {
    await runCommand(page, 'sallyport.delegateToCodex');
    await answerInput(page, 'Find out why the greeting is wrong and fix it.');
    await editorTab(page, 'Find out why').waitFor({ timeout: 90_000 });
  });

  it('ends when it is asked to', async () => {
    demo.kill('SIGINT');
    const [code] = (await once(demo, 'exit')) as [number | null];
    assert.equal(code, 0);
  });
});

/** Waits until it has said where it is. */
async function addressOf(demo: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((found, reject) => {
    demo.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [url] = /http:\/\/\S+/.exec(said) ?? [];
      if (url !== undefined) found(url);
    });
    demo.once('exit', () => reject(new Error(`The demo ended before it was ready, and said: ${said}`)));
  });
}
