import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { EmptyView, Session, ViewMessage, ViewState } from '../src/protocol/panel.ts';
import type { PanelAction } from '../src/protocol/panelAction.ts';
import { BoxWatch } from './boxWatch.ts';
import { type CardTurns, cardTurns } from './cardTurns.ts';
import { Drafts } from './drafts.ts';
import { historyList } from './historyList.ts';
import type { Host } from './host.ts';
import './requestCard.ts';
import type { CardContext, RequestCard } from './requestCard.ts';
import { codicon, fill, plainText, shownText } from './shown.ts';

/** How long after the view is given the focus it is known whether a click did it, in milliseconds. */
const welcomeMs = 30;

/** Everything that waits, under its sessions, then what was answered. */
export class WaitingView extends LitElement {
  static override properties = {
    state: { state: true },
    showsAll: { state: true },
    announcement: { state: true },
  };
  declare private state: ViewState | undefined;
  declare private showsAll: boolean;
  declare private announcement: string;
  readonly #host: Host<PanelAction, ViewMessage>;
  readonly #drafts: Drafts;
  readonly #boxes = new BoxWatch();
  #offset = 0;
  /** When a pointer was last pressed, by `performance.now`. */
  #pressedAt = -Infinity;
  #known: ReadonlySet<string> = new Set();
  /** What the person was at before the last update. */
  #before: {
    tops: ReadonlyMap<RequestCard, number>;
    focus: { card: RequestCard; index: number; at: Element } | undefined;
  } = { tops: new Map(), focus: undefined };

  constructor(host: Host<PanelAction, ViewMessage>) {
    super();
    this.#host = host;
    this.#drafts = new Drafts(host.memory);
    this.showsAll = false;
    this.announcement = '';
    this.addEventListener('keydown', (event) => this.#keepFromRepeating(event), { capture: true });
    this.addEventListener('keydown', (event) => this.#walk(event));
  }

  override createRenderRoot(): this {
    return this;
  }

  start(): void {
    this.#host.listen((message) => this.#hear(message));
    this.role = 'main';
    window.addEventListener('pointerdown', () => (this.#pressedAt = performance.now()), { capture: true });
    window.addEventListener('focus', () => window.setTimeout(() => this.#welcomeFocus(), welcomeMs));
    document.addEventListener('visibilitychange', () => {
      for (const card of this.#cards) card.arming.startOver();
    });
    this.#host.tell({ type: 'ready' });
  }

  override willUpdate(): void {
    const cards = this.#cards;
    const at = document.activeElement;
    const index = cards.findIndex((card) => card.contains(at));
    const card = cards[index];
    this.#before = {
      tops: new Map(cards.map((each) => [each, each.getBoundingClientRect().top])),
      focus: card && at ? { card, index, at } : undefined,
    };
  }

  override updated(): void {
    void this.#settle();
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.state) return nothing;
    const { texts, sessions, history, notice, empty } = this.state;
    const context: CardContext = {
      texts,
      offset: this.#offset,
      tell: (action) => this.#host.tell(action),
      boxes: this.#boxes,
      draft: (key) => this.#drafts.read(key),
      keepDraft: (key, draft) => this.#drafts.write(key, draft),
    };
    const turnOf = cardTurns(this.#before.tops.size === 0);
    return html`
      <h1 class="hidden">${texts.viewName}</h1>
      <div class="hidden" aria-live="polite">${this.announcement}</div>
      ${notice === undefined ? nothing : html`<p class="note notice" role="status">${codicon('info')}<span>${notice}</span></p>`}
      ${empty ? this.#empty(empty) : nothing}
      ${repeat(
        sessions,
        ({ id }) => id,
        (session) => this.#session(session, context, turnOf),
      )}
      ${historyList(history, {
        texts,
        offset: this.#offset,
        showsAll: this.showsAll,
        toggle: () => {
          this.showsAll = !this.showsAll;
        },
      })}
    `;
  }

  #session({ icon, folder, title, where, cards }: Session, context: CardContext, turnOf: CardTurns): TemplateResult {
    return html`<section>
      <h2 class="session">
        ${codicon(icon)}<b>${shownText(folder)}</b><span class="title">${shownText(title)}</span
        ><span class="where">${shownText(where)}</span>
      </h2>
      ${repeat(
        cards,
        ({ id, hash }) => `${id} ${hash}`,
        (card) => html`<request-card .card=${card} .context=${context} .turn=${turnOf()}></request-card>`,
      )}
    </section>`;
  }

  #empty({ icon, title, lines, commands }: EmptyView): TemplateResult {
    const texts = this.state?.texts;
    return html`<div class="empty">
      ${codicon(icon)}
      <h2>${title}</h2>
      ${lines.map((line) => html`<p>${line}</p>`)}
      ${commands.map(
        (command, index) =>
          html`<vscode-button ?secondary=${index > 0} @click=${() => this.#host.tell({ type: 'command', command })}
            >${texts?.[command] ?? ''}</vscode-button
          >`,
      )}
    </div>`;
  }

  get #cards(): RequestCard[] {
    return [...this.querySelectorAll<RequestCard>('request-card')];
  }

  #hear(message: ViewMessage): void {
    if (message.type === 'reveal') {
      void this.#reveal(message.id);
      return;
    }
    this.#offset = message.nowMs - Date.now();
    this.state = message;
    this.#announce(message);
  }

  /** When all are drawn: the place of one depends on those above. */
  async #reveal(id: string): Promise<void> {
    await this.updateComplete;
    await Promise.all(this.#cards.map((card) => card.updateComplete));
    const card = this.#cards.find((each) => each.card.id === id);
    card?.scrollIntoView({ block: 'nearest' });
    card?.focusSafely();
  }

  /** Tells a screen reader of what is new; what it says first is no news. */
  #announce({ sessions, texts }: ViewState): void {
    const fresh = sessions.flatMap(({ folder, cards }) =>
      cards
        .filter(({ id, certainty }) => certainty === 'waiting' && !this.#known.has(id))
        .map(({ title }) => fill(texts.newRequest, plainText(folder), title)),
    );
    this.#known = new Set(sessions.flatMap(({ cards }) => cards.map(({ id }) => id)));
    if (fresh.length > 0) this.announcement = fresh.join('. ');
  }

  /** After an update: what moved takes no answer for a moment, and the focus is where it was, or on what took its place. */
  async #settle(): Promise<void> {
    const { tops, focus } = this.#before;
    const cards = this.#cards;
    await Promise.all(cards.map((card) => card.updateComplete));
    for (const card of cards) {
      const top = tops.get(card);
      if (top !== undefined && Math.abs(card.getBoundingClientRect().top - top) > 1) card.arming.startOver();
    }
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (!focus || !lost) return;
    if (focus.at.isConnected && focus.at instanceof HTMLElement) focus.at.focus();
    else if (focus.card.isConnected) focus.card.focus();
    else cards[Math.min(focus.index, cards.length - 1)]?.focusSafely();
  }

  /** The editor gave the view the focus, by no click into it, and nothing in it has it: the first card does. */
  #welcomeFocus(): void {
    const byPointer = performance.now() - this.#pressedAt < 10 * welcomeMs;
    if (!byPointer && document.activeElement === document.body) this.#cards[0]?.focusSafely();
  }

  /** A key that is held down presses a button once. */
  #keepFromRepeating(event: KeyboardEvent): void {
    const isText = event.composedPath()[0] instanceof HTMLInputElement;
    if (isText || (event.key !== 'Enter' && event.key !== ' ')) return;
    if (event.key === ' ' && event.target instanceof Element && event.target.matches('vscode-button'))
      event.preventDefault();
    if (!event.repeat) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** Up and down, or j and k, from card to card. */
  #walk(event: KeyboardEvent): void {
    const [target] = event.composedPath();
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    const isArrow = event.key.startsWith('Arrow');
    if (step === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target instanceof HTMLInputElement && (isArrow || target.type === 'text')) return;
    if (
      isArrow &&
      target instanceof HTMLElement &&
      target.scrollHeight > target.clientHeight + 2 &&
      target.matches('.box')
    )
      return;
    const cards = this.#cards;
    const at = cards.findIndex((card) => card.contains(document.activeElement));
    const next = cards[at < 0 ? 0 : at + step];
    if (!next) return;
    event.preventDefault();
    next.scrollIntoView({ block: 'nearest' });
    next.focusSafely();
  }
}
customElements.define('waiting-view', WaitingView);
