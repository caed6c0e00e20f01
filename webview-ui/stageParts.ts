import { html, nothing, type TemplateResult } from 'lit';
import type { Card, Stage, ViewTexts } from '../src/protocol/panel.ts';
import type { Answer, TerminalAction } from '../src/protocol/request.ts';
import type { Draft } from './questionForm.ts';
import { codicon, shownText } from './shown.ts';

/** What is open in a card beside what it always shows. `again`: the buttons of an open card, in one whose answer failed. */
export type Panel = 'none' | 'reason' | 'confirm' | 'again' | 'why';

/** What can be done in a card. */
export interface CardActs {
  approve: () => void;
  reject: () => void;
  rejectWithReason: () => void;
  answerForm: () => void;
  /** Gives an answer as it is, `anyway` though its prompt was not recognised. */
  give: (answer: Answer, anyway?: boolean) => void;
  open: (panel: Panel) => void;
  close: () => void;
  go: (action: TerminalAction) => void;
}

/** What the lower part of a card is drawn from. */
export interface StageView {
  card: Card;
  stage: Stage['kind'];
  texts: ViewTexts;
  panel: Panel;
  /** The end of some box has not been on the screen yet. */
  unread: boolean;
  draft: Draft;
  acts: CardActs;
}

/** Where the request stands, and the buttons for what can be done about it. */
export function stageParts(view: StageView): TemplateResult {
  const { card, stage } = view;
  switch (stage) {
    case 'open':
      return card.questions ? formActions(view) : permissionActions(view);
    case 'sending':
      return html`<div class="acts" role="status">
        <i class="codicon codicon-loading spin" aria-hidden="true"></i>
        <span>${card.stage.kind === 'sending' ? card.stage.what : ''}</span>
      </div>`;
    case 'later':
      return html`<p class="meta">${whyText(card)}</p>`;
    case 'closed':
      return closedParts(view);
    case 'failed':
      return failedParts(view);
  }
}

function permissionActions({ card, texts, panel, unread, draft, acts }: StageView): TemplateResult {
  if (panel === 'reason') return reasonForm(texts, draft, acts);
  const note = !card.canApprove ? texts.notWhole : unread ? texts.readToEnd : undefined;
  const off = note !== undefined;
  return html`${off ? html`<p class="meta">${note}</p>` : nothing}
    <div class="acts">
      <vscode-button secondary data-safe data-guarded aria-keyshortcuts="n" @click=${acts.reject}>
        ${texts.reject} <kbd aria-hidden="true">N</kbd>
      </vscode-button>
      <vscode-button
        data-guarded
        aria-keyshortcuts="y"
        ?disabled=${off}
        aria-disabled=${off ? 'true' : 'false'}
        @click=${acts.approve}
      >
        ${texts.approve} <kbd aria-hidden="true">Y</kbd>
      </vscode-button>
      <button
        class="link"
        data-guarded
        aria-label=${texts.withReason}
        aria-keyshortcuts="r"
        @click=${() => acts.open('reason')}
      >
        ${texts.reason} <kbd aria-hidden="true">R</kbd>
      </button>
    </div>`;
}

function reasonForm(texts: ViewTexts, draft: Draft, acts: CardActs): TemplateResult {
  return html`<div class="reason">
    <vscode-textfield
      name="reason"
      .label=${texts.reason}
      placeholder=${texts.reasonHint}
      .value=${draft.reason ?? ''}
    ></vscode-textfield>
    <div class="acts">
      <vscode-button secondary @click=${acts.close}>${texts.cancel}</vscode-button>
      <vscode-button data-guarded @click=${acts.rejectWithReason}>${texts.rejectWithReason}</vscode-button>
    </div>
  </div>`;
}

function formActions({ card, texts, acts }: StageView): TemplateResult {
  const empty = card.questions?.length === 0;
  return html`${empty ? html`<p class="meta">${texts.nothingToAnswer}</p>` : nothing}
    <div class="acts">
      <vscode-button secondary data-guarded ?data-safe=${empty} @click=${() => acts.give({ kind: 'skip' })}>
        ${texts.skip}
      </vscode-button>
      ${
        empty
          ? nothing
          : html`<vscode-button data-guarded @click=${acts.answerForm}>
              ${texts.answer} <kbd aria-hidden="true">⏎</kbd>
            </vscode-button>`
      }
    </div>`;
}

function closedParts({ card, texts, panel, acts }: StageView): TemplateResult {
  const explains = panel === 'why';
  return html`<p class="meta">
      ${whyText(card)}
      ${
        card.certainty === 'mayBeWaiting'
          ? html`<button class="link" aria-expanded=${explains} @click=${() => acts.open(explains ? 'none' : 'why')}>
              ${texts.why}
            </button>`
          : nothing
      }
    </p>
    ${explains ? html`<p class="meta">${texts.mayBeWaitingHelp}</p>` : nothing}
    ${card.actions.length === 0 ? nothing : html`<div class="acts">${terminalButtons(card, texts, acts)}</div>`}`;
}

function failedParts(view: StageView): TemplateResult {
  const { card, texts, panel, acts } = view;
  if (card.stage.kind !== 'failed') return html``;
  const { why, screen, given } = card.stage;
  return html`<p class="note error" role="status">${codicon('error')}<span>${shownText(why)}</span></p>
    ${
      screen.length === 0
        ? nothing
        : html`<pre class="box screen" tabindex="-1" role="group" aria-label=${texts.screenName}>
${screen.map((row) => html`<span class="row">${shownText(row)}</span>`)}</pre>`
    }
    ${
      panel === 'confirm' && given
        ? html`<p class="note warning">${codicon('warning')}<span>${texts.sendAnywayQuestion}</span></p>
            <div class="acts">
              <vscode-button secondary data-safe @click=${acts.close}>${texts.cancel}</vscode-button>
              <vscode-button data-guarded @click=${() => acts.give(given, true)}
                >${texts.sendAnywayConfirm}</vscode-button
              >
            </div>`
        : html`<div class="acts">${retryButtons(view)}</div>`
    }`;
}

function retryButtons({ card, texts, acts }: StageView): TemplateResult {
  const { retry, given } = card.stage.kind === 'failed' ? card.stage : { retry: 'no' as const, given: undefined };
  const again = html`<vscode-button data-guarded @click=${() => given && acts.give(given)}>
    ${texts.tryAgain}
  </vscode-button>`;
  const anyway = html`<vscode-button secondary data-guarded @click=${() => acts.open('confirm')}>
    ${texts.sendAnyway}
  </vscode-button>`;
  return html`${retry === 'no' || !given ? nothing : retry === 'again' ? again : anyway}
  ${terminalButtons(card, texts, acts)}
  ${
    retry === 'no'
      ? nothing
      : html`<button class="link" @click=${() => acts.open('again')}>${texts.answerDifferently}</button>`
  }`;
}

function terminalButtons(card: Card, texts: ViewTexts, acts: CardActs): TemplateResult[] {
  return card.actions.map(
    (action) =>
      html`<vscode-button secondary data-safe @click=${() => acts.go(action)}>
        <span slot="content-before">${codicon(action === 'reopen' ? 'debug-restart' : 'terminal')}</span>
        ${texts[action]}
      </vscode-button>`,
  );
}

function whyText({ stage }: Card): TemplateResult {
  return html`<span>${shownText('why' in stage ? stage.why : [])}</span>`;
}
