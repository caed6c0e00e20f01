import { html, type TemplateResult } from 'lit';
import type { Shown } from '../src/protocol/panel.ts';

/** An agent's text as text nodes; what was hidden in it is marked. */
export function shownText(parts: Shown): TemplateResult[] {
  return parts.map(({ text, hidden }) => (hidden ? html`<mark>${text}</mark>` : html`${text}`));
}

/** For attributes such as a name, which hold text alone. */
export function plainText(parts: Shown): string {
  return parts.map(({ text }) => text).join('');
}

/** Fills in `{0}`, `{1}`, … */
export function fill(template: string, ...values: (string | number)[]): string {
  return template.replace(/\{(\d)\}/g, (place, index: string) => String(values[Number(index)] ?? place));
}

export function codicon(name: string): TemplateResult {
  return html`<i class="codicon codicon-${name}" aria-hidden="true"></i>`;
}
