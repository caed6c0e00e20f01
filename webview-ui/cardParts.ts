import { html, nothing, type TemplateResult } from 'lit';
import type { Block, Card, ViewTexts } from '../src/protocol/panel.ts';
import { codicon, shownText } from './shown.ts';
import './ageText.ts';

/** What is asked, and since when. */
export function topLine(card: Card, { texts, offset }: { texts: ViewTexts; offset: number }): TemplateResult {
  const mayBe = card.certainty === 'mayBeWaiting';
  return html`<div class="top">
    ${codicon(card.icon)}
    <h3>${mayBe ? `${texts.mayBeWaiting}: ${card.title}` : card.title}</h3>
    <span class="age"><age-text .since=${card.sinceMs} .offset=${offset} .texts=${texts}></age-text></span>
  </div>`;
}

/** One box of text. `.end` lies behind its last character, so that it can be told whether that was ever on the screen. */
export function blockBox({ kind, lines, name }: Block): TemplateResult {
  const last = lines.length - 1;
  return html`<pre class="box ${kind}" tabindex="-1" role="group" aria-label=${name}>
${lines.map(
      ({ mark, text }, index) =>
        html`<span class=${mark}>${shownText(text)}${index === last ? html`<i class="end"></i>` : nothing}</span>`,
    )}</pre>`;
}

/** Warnings, and what went wrong with an answer. */
export function notes(card: Card, complaint: string): TemplateResult {
  return html`${card.warnings.map((text) => html`<p class="note warning">${codicon('warning')}<span>${text}</span></p>`)}
  ${[card.refusal, complaint]
    .filter((text) => text !== undefined && text !== '')
    .map((text) => html`<p class="note error" role="status">${codicon('error')}<span>${text}</span></p>`)}`;
}

/** Every other field of the call. */
export function allFields({ fields }: Card, texts: ViewTexts): TemplateResult | typeof nothing {
  if (fields.length === 0) return nothing;
  return html`<details>
    <summary>${texts.allFields}</summary>
    <dl>
      ${fields.map(
        ({ name, value }) =>
          html`<dt>${shownText(name)}</dt>
            <dd>${shownText(value)}</dd>`,
      )}
    </dl>
  </details>`;
}
