import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { Card, ViewTexts } from '../src/protocol/panel.ts';
import type { PanelAction } from '../src/protocol/panelAction.ts';
import type { Answer, TerminalAction } from '../src/protocol/request.ts';
import { Arming } from './arming.ts';
import type { BoxWatch } from './boxWatch.ts';
import { allFields, blockBox, notes, topLine } from './cardParts.ts';
import { type Draft, questionForm, readForm } from './questionForm.ts';
import { plainText, shownText } from './shown.ts';
import { type CardActs, type Panel, stageParts } from './stageParts.ts';

/** What a card needs of the view around it. */
export interface CardContext {
  texts: ViewTexts;
  /** How far the window's clock is ahead of this one, in milliseconds. */
  offset: number;
  tell: (action: PanelAction) => void;
  boxes: BoxWatch;
  /** What was typed into a card before the view was hidden. */
  draft: (key: string) => Draft | undefined;
  keepDraft: (key: string, draft: Draft) => void;
}

/** One request: what exactly is asked, and what can be done about it. */
export class RequestCard extends LitElement {
  static override properties = {
    card: { attribute: false },
    context: { attribute: false },
    panel: { state: true },
    sent: { state: true },
    unread: { state: true },
    complaint: { state: true },
  };
  declare card: Card;
  declare context: CardContext;
  /** It is drawn for the first time when this has come to pass; at once without. */
  declare turn: Promise<void> | undefined;
  declare private panel: Panel;
  /** An answer has been given and the window has not spoken since. */
  declare private sent: boolean;
  declare private unread: boolean;
  declare private complaint: string;
  readonly arming = new Arming();
  readonly #watched = new Set<Element>();
  #draft: Draft = {};

  readonly #acts: CardActs = {
    approve: () => this.#approve(),
    reject: () => this.#give({ kind: 'reject', reason: '' }),
    rejectWithReason: () => this.#give({ kind: 'reject', reason: this.#reasonField?.value.trim() ?? '' }),
    answerForm: () => this.#answerForm(),
    give: (answer, anyway) => this.#give(answer, anyway),
    open: (panel) => void this.#open(panel),
    close: () => this.#close(),
    go: (type) => this.context.tell({ type, id: this.card.id }),
  };

  readonly #keys: Readonly<Record<string, () => void>> = {
    y: this.#acts.approve,
    n: this.#acts.reject,
    r: () => this.#acts.open('reason'),
  };

  constructor() {
    super();
    this.panel = 'none';
    this.sent = false;
    this.unread = false;
    this.complaint = '';
    this.addEventListener('click', (event) => this.#guardClick(event), { capture: true });
    this.addEventListener('pointerdown', () => this.arming.pressed(), { capture: true });
    for (const end of ['pointerup', 'pointercancel'] as const) {
      this.addEventListener(end, () => this.arming.released(), { capture: true });
    }
    this.addEventListener('focusin', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && this.contains(relatedTarget))) this.arming.focused();
    });
    this.addEventListener('keydown', (event) => this.#onKey(event));
    this.addEventListener('input', () => this.#keepDraft());
    this.addEventListener('change', () => this.#keepDraft());
  }

  override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.tabIndex = -1;
    this.arming.startOver();
    for (const each of this.#watched) this.context.boxes.watch(each, this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const each of this.#watched) this.context.boxes.unwatch(each);
  }

  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated && this.turn) {
      await this.turn;
      this.arming.startOver();
    }
    await super.scheduleUpdate();
  }

  override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has('card')) return;
    const before = changed.get('card') as Card | undefined;
    this.sent = false;
    if (before === undefined) {
      this.#draft = this.context.draft(this.#key) ?? {};
      if (this.#draft.reason !== undefined) this.panel = 'reason';
    } else if (before.stage.kind !== this.card.stage.kind) {
      this.arming.startOver();
      this.panel = 'none';
    }
  }

  override updated(): void {
    this.role = 'group';
    this.ariaLabel = this.#name;
    this.className = `card ${this.card.certainty} ${this.#stage}`;
    for (const each of this.querySelectorAll('.box, .end')) {
      if (this.#watched.has(each)) continue;
      this.#watched.add(each);
      if (this.isConnected) this.context.boxes.watch(each, this);
    }
  }

  /** Something of its boxes has become known: how high they are, or that an end was on the screen. */
  look(): void {
    this.unread = this.#boxes.some((box) => isLong(box) && !isRead(box));
  }

  /** Puts the focus where a stray key does the least harm. */
  focusSafely(): void {
    (this.querySelector<HTMLElement>('[data-safe]') ?? this).focus();
  }

  override render(): TemplateResult {
    const { card, context, panel, unread } = this;
    const { texts } = context;
    const stage = this.#stage;
    return html`
      ${topLine(card, context)} ${card.blocks.map((block) => blockBox(block))}
      ${stage === 'open' ? questionForm(card.questions ?? [], this.#key, texts, this.#draft) : nothing}
      <div class="meta">
        ${card.remarks.map((remark) => html`<span>${shownText(remark)}</span>`)}${
          card.canOpenDiff ? this.#link('openDiff') : nothing
        }
      </div>
      ${notes(card, this.complaint)}
      ${stageParts({ card, stage, texts, panel, unread, draft: this.#draft, acts: this.#acts })}
      <div class="foot">
        ${allFields(card, texts)}
        ${stage === 'open' ? html`<span>${card.actions.map((action) => this.#link(action))}</span>` : nothing}
      </div>
    `;
  }

  get #key(): string {
    return `${this.card.id} ${this.card.hash}`;
  }

  get #stage(): Card['stage']['kind'] {
    if (this.sent) return 'sending';
    return this.panel === 'again' || (this.panel === 'reason' && this.card.stage.kind === 'failed')
      ? 'open'
      : this.card.stage.kind;
  }

  get #name(): string {
    const what = this.card.blocks.find(({ kind }) => kind === 'code') ?? this.card.blocks[0];
    return [this.card.title, plainText(what?.lines[0]?.text ?? []).slice(0, 100)].filter(Boolean).join(': ');
  }

  get #boxes(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>('.box:not(.screen)')];
  }

  get #reasonField(): (HTMLElement & { value: string }) | null {
    return this.querySelector('[name=reason]');
  }

  #link(type: 'openDiff' | TerminalAction): TemplateResult {
    const { card, context } = this;
    return html`<button class="link" @click=${() => context.tell({ type, id: card.id })}>
      ${context.texts[type]}
    </button>`;
  }

  #guardClick(event: MouseEvent): void {
    const guarded = event.composedPath().some((at) => at instanceof Element && at.hasAttribute('data-guarded'));
    const byKey = event.detail === 0;
    if (!guarded || (byKey ? this.arming.takesKey() : this.arming.takesClick())) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  #onKey(event: KeyboardEvent): void {
    const [target] = event.composedPath();
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && this.panel !== 'none') {
      event.preventDefault();
      this.#close();
      return;
    }
    const inField = target instanceof HTMLInputElement;
    const isSingleKey = this.#stage === 'open' && this.panel !== 'reason' && !this.card.questions;
    const enter = this.panel === 'reason' ? this.#acts.rejectWithReason : this.#acts.answerForm;
    const act = inField ? { Enter: enter }[event.key] : isSingleKey ? this.#keys[event.key.toLowerCase()] : undefined;
    if (!act) return;
    event.preventDefault();
    if (!event.repeat && this.arming.takesKey()) act();
  }

  #approve(): void {
    if (!this.card.canApprove) return;
    // The key for it leads to what has not been read.
    const unread = this.#boxes.find((box) => !isRead(box));
    if (unread) unread.focus();
    else this.#give({ kind: 'approve' });
  }

  #answerForm(): void {
    const answers = readForm(this, this.card.questions ?? []);
    this.complaint = answers ? '' : this.context.texts.answerAll;
    if (answers) this.#give({ kind: 'answers', answers });
  }

  #give(answer: Answer, anyway = false): void {
    if (this.sent) return;
    const { id, hash } = this.card;
    this.panel = 'none';
    this.sent = true;
    this.#forgetDraft();
    this.context.tell({ type: 'answer', id, hash, answer, anyway });
    // The button that had the focus goes away: the card keeps it.
    if (this.contains(document.activeElement)) this.focus();
  }

  async #open(panel: Panel): Promise<void> {
    this.panel = panel;
    if (panel === 'why' || panel === 'none') return;
    this.arming.startOver();
    await this.updateComplete;
    if (panel === 'reason') this.#reasonField?.focus();
    else this.focusSafely();
  }

  #close(): void {
    this.panel = 'none';
    this.#forgetDraft();
    void this.updateComplete.then(() => this.focusSafely());
  }

  #keepDraft(): void {
    const reason = this.#reasonField?.value;
    this.#draft =
      reason === undefined ? { answers: readForm(this, this.card.questions ?? [], true) ?? [] } : { reason };
    this.context.keepDraft(this.#key, this.#draft);
  }

  #forgetDraft(): void {
    this.#draft = {};
    this.context.keepDraft(this.#key, {});
  }
}
customElements.define('request-card', RequestCard);

function isLong(box: HTMLElement): boolean {
  return box.tabIndex === 0;
}

/** Its end has been on the screen. */
function isRead(box: Element): boolean {
  return box.querySelector('.end.seen') !== null;
}
