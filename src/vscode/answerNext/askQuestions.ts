import * as vscode from 'vscode';
import type { AskedQuestion, QuestionAnswer, QuestionRequest } from '../../protocol/request.ts';
import { messageText } from '../messageText.ts';
import { showHidden } from '../../base/displayText.ts';
import { plain } from './rowText.ts';
import type { Picked, Row, Stage } from './stage.ts';

/** An option by its index, or words of the person's own. */
type Chosen = number | 'other';

/**
 * Asks the questions of a form one after the other. Going back from the first leaves the form, as closing does: nothing is
 * answered then. `over` says why the form is not asked any more.
 */
export async function askQuestions(
  { questions }: QuestionRequest,
  stage: Stage,
  over: () => string | undefined,
): Promise<QuestionAnswer[] | undefined> {
  const answers: QuestionAnswer[] = [];
  while (answers.length < questions.length) {
    const question = questions[answers.length];
    if (!question) return undefined;
    const place = vscode.l10n.t('Question {0} of {1}', answers.length + 1, questions.length);
    const picked = await askOne(question, place, stage, over);
    if (picked.kind === 'chosen') answers.push(picked.value);
    else if (picked.kind !== 'back' || answers.pop() === undefined) return undefined;
  }
  return answers;
}

async function askOne(
  question: AskedQuestion,
  place: string,
  stage: Stage,
  over: () => string | undefined,
): Promise<Picked<QuestionAnswer>> {
  const prompt = messageText(question.prompt, 500);
  const rows: Row<Chosen>[] = [
    ...question.options.map((option, value) => ({ label: plain(showHidden(option).replaceAll('\n', ' ')), value })),
    { label: vscode.l10n.t('Other…'), description: vscode.l10n.t('in your own words'), value: 'other' },
  ];
  const shown = { title: `${place}: ${prompt}`, rows, isStale: () => over() !== undefined };
  const picked: Picked<Chosen[]> = question.allowsMultiple
    ? await stage.pickSeveral<Chosen>({
        ...shown,
        placeholder: vscode.l10n.t('Space chooses, Enter goes on'),
        objectionToNone: vscode.l10n.t('Choose at least one'),
      })
    : several(await stage.pick<Chosen>({ ...shown, placeholder: prompt, canGoBack: true }));
  if (picked.kind !== 'chosen') return picked;
  const options = picked.value.filter((each) => each !== 'other');
  if (!picked.value.includes('other')) return { kind: 'chosen', value: { options, other: '' } };
  const words = await stage.write({ title: place, prompt, over });
  return words.kind === 'chosen' ? { kind: 'chosen', value: { options, other: words.value } } : words;
}

function several<T>(picked: Picked<T>): Picked<T[]> {
  return picked.kind === 'chosen' ? { kind: 'chosen', value: [picked.value] } : picked;
}
