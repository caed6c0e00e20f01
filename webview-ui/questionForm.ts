import { html, nothing, type TemplateResult } from 'lit';
import type { ShownQuestion, ViewTexts } from '../src/protocol/panel.ts';
import type { QuestionAnswer } from '../src/protocol/request.ts';
import { plainText, shownText } from './shown.ts';

/** What was typed or chosen in a card and not sent yet. */
export interface Draft {
  reason?: string;
  answers?: readonly QuestionAnswer[];
}

/** The fields of a form. An option is known by its place, for labels may repeat. */
export function questionForm(
  questions: readonly ShownQuestion[],
  key: string,
  texts: ViewTexts,
  draft: Draft,
): TemplateResult[] {
  return questions.map((question, index) =>
    fieldset(question, `${key} ${index}`, texts, draft.answers?.[index], index === 0),
  );
}

/**
 * The answers as they stand, in the order of the questions. Undefined when one of them is not answered, unless `partly`.
 * Free text counts where its own choice is made, or where it stands beside others.
 */
export function readForm(
  within: ParentNode,
  questions: readonly ShownQuestion[],
  partly = false,
): QuestionAnswer[] | undefined {
  const fieldsets = [...within.querySelectorAll('fieldset')];
  const answers = questions.map((_, index) => readFieldset(fieldsets[index]));
  const complete = answers.every(({ options, other }) => options.length > 0 || other !== '');
  return complete || partly ? answers : undefined;
}

function readFieldset(fieldset: Element | undefined): QuestionAnswer {
  const chosen = [...(fieldset?.querySelectorAll<HTMLInputElement>('input[data-option]:checked') ?? [])];
  const wantsOther = fieldset?.querySelector<HTMLInputElement>('input[data-other]')?.checked !== false;
  const text = fieldset?.querySelector<HTMLElement & { value: string }>('vscode-textfield')?.value ?? '';
  return { options: chosen.map(({ dataset }) => Number(dataset.option)), other: wantsOther ? text.trim() : '' };
}

function fieldset(
  { prompt, options, allowsMultiple }: ShownQuestion,
  name: string,
  texts: ViewTexts,
  draft: QuestionAnswer | undefined,
  isFirst: boolean,
): TemplateResult {
  const type = allowsMultiple ? 'checkbox' : 'radio';
  const chosen = new Set(draft?.options);
  return html`<fieldset>
    <legend>${shownText(prompt)}</legend>
    ${allowsMultiple ? html`<p class="meta">${texts.chooseSome}</p>` : nothing}
    <div class="options">
      ${options.map(
        (option, index) =>
          html`<label
            ><input
              type=${type}
              name=${name}
              data-option=${index}
              ?checked=${chosen.has(index)}
              ?data-safe=${isFirst && index === 0}
            /><span>${shownText(option)}</span></label
          >`,
      )}
    </div>
    <div class="other">
      ${
        options.length === 0
          ? nothing
          : html`<label
              ><input type=${type} name=${name} data-other ?checked=${draft !== undefined && draft.other !== ''} /><span
                >${texts.other}</span
              ></label
            >`
      }
      <vscode-textfield
        ?data-safe=${isFirst && options.length === 0}
        .label=${`${texts.other}: ${plainText(prompt)}`}
        placeholder=${texts.otherHint}
        .value=${draft?.other ?? ''}
        @input=${chooseOther}
      ></vscode-textfield>
    </div>
  </fieldset>`;
}

/** Who types an answer of their own means it. */
function chooseOther({ currentTarget }: Event): void {
  const field = currentTarget as HTMLElement & { value: string };
  const choice = field.parentElement?.querySelector<HTMLInputElement>('input[data-other]');
  if (choice && field.value !== '') choice.checked = true;
}
