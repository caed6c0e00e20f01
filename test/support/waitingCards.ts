import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import * as z from 'zod';

/** A card takes no answer for half a second after it appeared, moved or changed. */
const armMs = 900;
/** What is still there is found, and clicked, in less. */
const goneMs = 5_000;

/** The editor shows a view's page in a frame within a frame. */
const framesOfView = ['iframe.webview.ready', '#active-frame'] as const;

type ButtonName =
  | 'Approve'
  | 'Reject'
  | 'With reason'
  | 'Reject with Reason'
  | 'Answer'
  | 'Skip'
  | 'Cancel'
  | 'Try Again'
  | 'Send Anyway…'
  | 'Send the Keys'
  | 'Show Terminal'
  | 'Open Diff'
  | 'Reopen in Sallyport';

/** What the Waiting view shows in the editor, and the mouse on it. */
export class WaitingCards {
  readonly #page: Page;
  /** The view's own page. */
  readonly frame: FrameLocator;

  constructor(page: Page) {
    this.#page = page;
    const [outer, inner] = framesOfView;
    this.frame = page.frameLocator(outer).frameLocator(inner);
  }

  /** Every card, from the top. */
  get all(): Locator {
    return this.frame.locator('request-card');
  }

  /** What stands there while nothing waits: with or without a cursor-agent on this machine. */
  get empty(): Locator {
    return this.frame.getByText(/^Nothing is waiting|agent was not found$/);
  }

  /** The card that shows this text. */
  card(text: string | RegExp): Locator {
    return this.all.filter({ hasText: text });
  }

  /** The part of a session whose heading or cards show this text. */
  session(text: string | RegExp): Locator {
    return this.frame.locator('section:not(.history)').filter({ hasText: text });
  }

  /** The line of the history with this text. */
  historyLine(text: string | RegExp): Locator {
    return this.frame.locator('.history li').filter({ hasText: text });
  }

  /** Turns the wheel over the first box of a card until its end is seen. */
  async readToEnd(card: Locator): Promise<void> {
    await card.locator('.box').first().hover();
    await this.#page.mouse.wheel(0, 100_000);
  }

  button(card: Locator, name: ButtonName): Locator {
    return card.getByRole('button', { name, exact: true });
  }

  /** Clicks a button as soon as the card takes it. */
  async press(card: Locator, name: ButtonName): Promise<void> {
    await this.settled(card, name);
    await this.button(card, name).click();
  }

  /** Waits until a card has the button and takes clicks: one that moves takes none for a moment, once more each time. */
  async settled(card: Locator, name: ButtonName): Promise<void> {
    // What a card asks must have been on the screen before it takes an approval.
    await this.button(card, name).scrollIntoViewIfNeeded();
    const top = async () => (await card.boundingBox())?.y;
    for (let before = await top(), now: typeof before; ; before = now) {
      await this.#page.waitForTimeout(armMs);
      now = await top();
      if (now === before) return;
    }
  }

  /** Clicks a button of a settled card. Rejects soon when the card is gone. */
  async click(card: Locator, name: ButtonName): Promise<void> {
    await this.button(card, name).click({ timeout: goneMs });
  }

  async rejectBecause(card: Locator, reason: string): Promise<void> {
    await this.press(card, 'With reason');
    await card.locator('vscode-textfield input').fill(reason);
    await this.press(card, 'Reject with Reason');
  }

  /** Chooses an option of a form's question, both counted from 0. */
  async choose(card: Locator, question: number, option: number): Promise<void> {
    await card.locator('fieldset').nth(question).locator(`input[data-option="${option}"]`).check();
  }

  async typeOther(card: Locator, question: number, text: string): Promise<void> {
    await card.locator('fieldset').nth(question).locator('vscode-textfield input').fill(text);
  }

  /** Presses a key in the card with this text in the same moment in which it gets the focus. */
  async pressAtOnce(text: string, key: string): Promise<void> {
    await this.#evaluate(`
      const card = [...document.querySelectorAll('request-card')].find((each) => each.innerText.includes(${JSON.stringify(text)}));
      document.activeElement.blur();
      card.focus();
      card.dispatchEvent(new KeyboardEvent('keydown', { key: ${JSON.stringify(key)}, bubbles: true, cancelable: true }));`);
  }

  /** Waits as long as a card ignores keys. */
  async whenArmed(): Promise<void> {
    await this.#page.waitForTimeout(armMs);
  }

  /** Notes the text of every card from now on. Call the result to read them. */
  async record(): Promise<() => Promise<string[]>> {
    await this.#evaluate(`
      const view = document.querySelector('waiting-view');
      const texts = new Set();
      const note = () => { for (const card of view.querySelectorAll('request-card')) texts.add(card.innerText); };
      new MutationObserver(note).observe(view, { childList: true, subtree: true, characterData: true });
      note();
      window.textsOfCards = texts;`);
    return async () => z.array(z.string()).parse(await this.#evaluate('return [...window.textsOfCards];'));
  }

  /** What keeps people from reading or using the view, in the colours that the editor gives it. */
  async faults(): Promise<unknown[]> {
    // The page itself is transparent, and axe does not see what is behind it.
    await this.#evaluate(`document.body.style.background = 'var(--vscode-sideBar-background)';`);
    const view = new AxeBuilder({ page: this.#page }).include([...framesOfView, 'waiting-view']);
    const { violations, passes } = await view.analyze();
    assert.ok(passes.length > 0);
    return violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html, any }) => [html, any[0]?.message]) }));
  }

  /** Runs statements in the view's page. */
  async #evaluate(statements: string): Promise<unknown> {
    return await this.frame.locator('waiting-view').evaluate(`(() => { ${statements} })()`);
  }
}
