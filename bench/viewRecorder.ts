import type { Page } from 'playwright-core';
import { WaitingCards } from '../test/support/waitingCards.ts';

/**
 * `open`: the view is told of a card that can be answered. `drawn`: its card is in the page, as of the next frame. `clicked`:
 * into the card. `gone`: the view is told that it needs no answer any more.
 */
export type Moment = 'open' | 'drawn' | 'clicked' | 'gone';

const patienceMs = 30_000;

/** Notes in the page of the Waiting view when something happens to the card of a command. */
export class ViewRecorder {
  readonly cards: WaitingCards;

  private constructor(cards: WaitingCards) {
    this.cards = cards;
  }

  /** The view must have been opened and must stay so; nothing may be waiting yet. */
  static async attach(page: Page): Promise<ViewRecorder> {
    const recorder = new ViewRecorder(new WaitingCards(page));
    await recorder.cards.empty.waitFor({ timeout: patienceMs });
    await recorder.#view.evaluate(`(${recording})()`);
    return recorder;
  }

  /** When it happened, in milliseconds since the epoch. Waits for it; rejects when it does not happen for too long. */
  async at(command: string, moment: Moment): Promise<number> {
    const wanted = JSON.stringify([command, moment]);
    const atMs: unknown = await this.#view.evaluate(`window.momentOf(...${wanted}, ${patienceMs})`);
    if (typeof atMs !== 'number')
      throw new Error(`the card of "${command}" was not ${moment} within ${patienceMs / 1000} s`);
    return atMs;
  }

  get #view() {
    return this.cards.frame.locator('waiting-view');
  }
}

/** Runs in the view's page. */
const recording = `() => {
  const moments = new Map();
  const waiting = new Map();
  const nameOf = (command, moment) => command + ' ' + moment;
  const note = (command, moment) => {
    const name = nameOf(command, moment);
    if (moments.has(name) && moment !== 'clicked') return;
    moments.set(name, performance.timeOrigin + performance.now());
    waiting.get(name)?.();
  };
  window.momentOf = (command, moment, patienceMs) => {
    const name = nameOf(command, moment);
    const happened = new Promise((resolve) => (moments.has(name) ? resolve() : waiting.set(name, resolve)));
    const patience = new Promise((resolve) => setTimeout(resolve, patienceMs));
    return Promise.race([happened, patience]).then(() => moments.get(name) ?? null);
  };

  const commandOf = ({ blocks }) => blocks[0].lines[0].text.map(({ text }) => text).join('');
  const shown = () => [...document.querySelectorAll('request-card')].map(({ card }) => commandOf(card));
  let known = [];
  addEventListener('message', ({ data }) => {
    if (data?.type !== 'state') return;
    const cards = data.sessions.flatMap(({ cards }) => cards);
    const now = cards.map(commandOf);
    for (const card of cards) if (card.stage.kind === 'open') note(commandOf(card), 'open');
    for (const command of known) if (!now.includes(command)) note(command, 'gone');
    known = now;
    requestAnimationFrame(() => { for (const command of shown()) note(command, 'drawn'); });
  });
  const isCard = ({ localName }) => localName === 'request-card';
  addEventListener('click', (event) => {
    const card = event.composedPath().find(isCard)?.card;
    if (card) note(commandOf(card), 'clicked');
  }, { capture: true });
}`;
