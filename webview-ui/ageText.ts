import { LitElement } from 'lit';
import type { ViewTexts } from '../src/protocol/panel.ts';
import { fill } from './shown.ts';

const steps = [
  { name: 'seconds', ms: 1000, below: 60_000 },
  { name: 'minutes', ms: 60_000, below: 3_600_000 },
  { name: 'hours', ms: 3_600_000, below: 86_400_000 },
  { name: 'days', ms: 86_400_000, below: Infinity },
] as const;

/** A duration in the largest unit that fits, as `12 s` or `3 min`. */
function durationText(ms: number, texts: ViewTexts): string {
  const past = Math.max(0, ms);
  const step = steps.find(({ below }) => past < below) ?? steps[3];
  return fill(texts[step.name], Math.floor(past / step.ms));
}

/** How long something has lasted, counted on by the view itself. */
class AgeText extends LitElement {
  static override properties = {
    since: { attribute: false },
    offset: { attribute: false },
    texts: { attribute: false },
    template: { attribute: false },
  };
  /** Milliseconds since the epoch by the window's clock, which is `offset` ahead of this one. */
  declare since: number;
  declare offset: number;
  declare texts: ViewTexts;
  /** A text with `{0}`. */
  declare template: string;
  #ticker: number | undefined;

  constructor() {
    super();
    this.template = '{0}';
  }

  override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#ticker = window.setInterval(() => this.requestUpdate(), 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.#ticker);
  }

  override render(): string {
    return fill(this.template, durationText(Date.now() + this.offset - this.since, this.texts));
  }
}
customElements.define('age-text', AgeText);
