import { html, nothing, type TemplateResult } from 'lit';
import type { HistoryLine, ViewTexts } from '../src/protocol/panel.ts';
import { codicon, fill, plainText, shownText } from './shown.ts';
import './ageText.ts';

/** How many lines are shown before the person asks for all. */
const few = 5;

interface HistoryOptions {
  texts: ViewTexts;
  offset: number;
  showsAll: boolean;
  toggle: () => void;
}

/** What was answered and how it ended. */
export function historyList(
  lines: readonly HistoryLine[],
  { texts, offset, showsAll, toggle }: HistoryOptions,
): TemplateResult | typeof nothing {
  if (lines.length === 0) return nothing;
  const row = ({ icon, tone, text, where, atMs, ticking }: HistoryLine) =>
    html`<li class=${tone} title=${`${plainText(text)}\n${plainText(where)}`}>
      ${codicon(icon)}<span class="t">${shownText(text)}</span
      ><age-text
        .since=${atMs}
        .offset=${offset}
        .texts=${texts}
        .template=${ticking ? texts.runningFor : '{0}'}
      ></age-text>
    </li>`;
  return html`<section class="history">
    <h2>${texts.answered}</h2>
    <ul>
      ${lines.slice(0, showsAll ? undefined : few).map(row)}
    </ul>
    ${
      lines.length > few
        ? html`<button class="link" aria-expanded=${showsAll} @click=${toggle}>
            ${showsAll ? texts.showFewer : fill(texts.showAll, lines.length)}
          </button>`
        : nothing
    }
  </section>`;
}
