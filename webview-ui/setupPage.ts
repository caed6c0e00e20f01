import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { SetupPageState, SetupRow } from '../src/protocol/setupPage.ts';
import type { SetupPageAction } from '../src/protocol/setupPageAction.ts';
import type { Host } from './host.ts';
import { codicon, fill } from './shown.ts';

/** The sign of each state; its words stand beside it. */
const signs: Record<SetupRow['state'], string> = {
  checking: 'loading',
  ok: 'pass-filled',
  warning: 'warning',
  missing: 'error',
  optional: 'circle-slash',
  unknown: 'question',
};
const summarySigns: Record<SetupPageState['summary']['tone'], string> = {
  busy: 'loading',
  good: 'pass-filled',
  bad: 'info',
};

/** "Check Setup": what was found, and for what is amiss the words to run and a button. */
export class SetupPage extends LitElement {
  static override properties = { state: { state: true } };
  declare private state: SetupPageState | undefined;
  readonly #host: Host<SetupPageAction, SetupPageState>;

  constructor(host: Host<SetupPageAction, SetupPageState>) {
    super();
    this.#host = host;
  }

  override createRenderRoot(): this {
    return this;
  }

  start(): void {
    this.role = 'main';
    this.#host.listen((state) => (this.state = state));
    this.#host.tell({ type: 'ready' });
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.state) return nothing;
    const { texts, about, summary, notice, groups, done } = this.state;
    return html`
      <h1>${texts.title}</h1>
      <p class="dim">${about}</p>
      <p class="summary ${summary.tone}" role="status">
        ${this.#sign(summarySigns[summary.tone])}<span>${summary.text}</span>
      </p>
      ${notice === undefined ? nothing : this.#notice(notice)}
      <div class="acts">
        <vscode-button @click=${() => this.#host.tell({ type: 'again' })}>${texts.checkAgain}</vscode-button>
        <vscode-button secondary @click=${() => this.#host.tell({ type: 'copy' })}>${texts.copy}</vscode-button>
        <span role="status">${done ?? ''}</span>
      </div>
      ${groups.map(
        ({ title, rows }) =>
          html`<section aria-label=${title}>
            <h2>${title}</h2>
            <ul>
              ${repeat(
                rows,
                ({ id }) => id,
                (row) => this.#row(row, texts),
              )}
            </ul>
          </section>`,
      )}
    `;
  }

  #notice({ text, button }: { text: string; button: string }): TemplateResult {
    return html`<div class="notice">
      ${codicon('shield')}
      <div>
        <p>${text}</p>
        <vscode-button @click=${() => this.#host.tell({ type: 'notice' })}>${button}</vscode-button>
      </div>
    </div>`;
  }

  #row(row: SetupRow, texts: SetupPageState['texts']): TemplateResult {
    const { id, title, state, verdict, found, advice, command, buttons } = row;
    const again = fill(texts.checkThisAgain, title);
    return html`<li class="row ${state}" aria-busy=${state === 'checking' ? 'true' : 'false'}>
      ${this.#sign(signs[state])}
      <div class="body">
        <div class="head">
          <div class="title">
            <h3>${title}</h3>
            <span class="verdict">${verdict}</span>
          </div>
          <button
            class="again"
            title=${again}
            aria-label=${again}
            @click=${() => this.#host.tell({ type: 'checkRow', id })}
          >
            ${codicon('refresh')}
          </button>
        </div>
        ${found.map((line) => html`<p class="dim">${line}</p>`)}
        ${advice === undefined ? nothing : html`<p class="advice">${advice}</p>`}
        ${command === undefined ? nothing : html`<pre class="command" role="group" aria-label=${texts.commandName} tabindex="0">${command}</pre>`}
        ${buttons.length === 0 ? nothing : this.#buttons(row)}
      </div>
    </li>`;
  }

  #buttons({ id, title, buttons }: SetupRow): TemplateResult {
    const press = (button: number) => () => this.#host.tell({ type: 'press', id, button });
    return html`<div class="acts" role="group" aria-label=${title}>
      ${buttons.map((label, index) => html`<vscode-button ?secondary=${index > 0} @click=${press(index)}>${label}</vscode-button>`)}
    </div>`;
  }

  #sign(name: string): TemplateResult {
    return html`<span class="sign ${name === 'loading' ? 'spin' : ''}">${codicon(name)}</span>`;
  }
}
customElements.define('setup-page', SetupPage);
