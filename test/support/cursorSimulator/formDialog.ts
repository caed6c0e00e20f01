import * as z from 'zod';
import { composerRows, typed } from './composer.ts';
import { type Dialog, type Effect, moves } from './dialog.ts';
import type { Understood } from './log.ts';
import type { PlannedCall } from './scenario.ts';
import { framed, wrap } from './text.ts';

const formSchema = z.looseObject({
  questions: z
    .array(
      z.looseObject({
        prompt: z.string().optional(),
        question: z.string().optional(),
        allowMultiple: z.boolean().default(false),
        options: z.array(z.looseObject({ label: z.string() })).default([]),
      }),
    )
    .default([]),
});

interface Question {
  prompt: string;
  allowMultiple: boolean;
  options: string[];
  checked: Set<number>;
  other: string;
}

const legend = '↑/↓ option · ←/→ question · Space select · Enter next/submit · Esc to skip';
const toQuestion: ReadonlyMap<string, number> = new Map([
  ['Left', -1],
  ['Right', 1],
]);

/** The form of an `AskQuestion` call: one question at a time, the row for free text last. */
export class FormDialog implements Dialog {
  readonly #questions: readonly Question[];
  readonly #hasComposer: boolean;
  #index = 0;
  #marked = 0;

  constructor({ args, shape }: PlannedCall) {
    this.#hasComposer = shape === 'decision';
    this.#questions = formSchema.parse(args).questions.map(({ prompt, question, allowMultiple, options }) => ({
      prompt: prompt ?? question ?? '',
      allowMultiple,
      options: options.map(({ label }) => label),
      checked: new Set(),
      other: '',
    }));
  }

  get isTyping(): boolean {
    return this.#isOnOther;
  }

  rows(width: number): string[] {
    const composer = this.#hasComposer
      ? composerRows({ placeholder: 'Answer questions (Enter to select/next, Esc to skip)', draft: '' }, width)
      : [];
    return [...framed(this.#form(width - 5), width), ...composer];
  }

  receive(input: Understood): Effect {
    const question = this.#questions[this.#index];
    if ('key' in input && input.key === 'Escape') return { did: 'skipped the form', decision: { kind: 'skipped' } };
    if (!question) return { did: 'nothing' };
    const draft = this.#isOnOther ? typed(question.other, input) : undefined;
    if (draft !== undefined) {
      question.other = draft;
      if (!question.allowMultiple) question.checked.clear();
      return { did: 'typed into the row for other answers' };
    }
    return 'key' in input ? this.#press(question, input.key) : { did: 'nothing' };
  }

  get #isOnOther(): boolean {
    return this.#marked === this.#questions[this.#index]?.options.length;
  }

  #press(question: Question, key: string): Effect {
    const move = moves.get(key);
    if (move !== undefined) {
      this.#marked = Math.max(0, Math.min(question.options.length, this.#marked + move));
      return { did: `marked row ${this.#marked}` };
    }
    const step = toQuestion.get(key);
    if (step !== undefined) {
      this.#goTo(Math.max(0, Math.min(this.#questions.length - 1, this.#index + step)));
      return { did: `showed question ${this.#index}` };
    }
    if (key === 'Space') return this.#toggle(question);
    if (key !== 'Enter') return { did: 'nothing' };
    // Enter takes the marked row with it.
    if (!this.#isOnOther && !question.checked.has(this.#marked)) this.#toggle(question);
    if (this.#index + 1 < this.#questions.length) {
      this.#goTo(this.#index + 1);
      return { did: `went on to question ${this.#index}` };
    }
    const answers = this.#questions.map(({ checked, other }) => ({ options: [...checked].sort(byNumber), other }));
    return { did: 'submitted the form', decision: { kind: 'answered', answers } };
  }

  #goTo(index: number): void {
    this.#index = index;
    this.#marked = 0;
  }

  #toggle({ allowMultiple, checked }: Question): Effect {
    if (allowMultiple && checked.delete(this.#marked)) return { did: `unchecked row ${this.#marked}` };
    if (!allowMultiple) checked.clear();
    checked.add(this.#marked);
    return { did: `checked row ${this.#marked}` };
  }

  #form(width: number): string[] {
    const question = this.#questions[this.#index];
    if (!question) return ['Clarifying Questions', '', legend];
    const { prompt, allowMultiple, options, checked, other } = question;
    const number = this.#index + 1;
    const row = (label: string, index: number, isChecked: boolean): string[] => {
      const [first = '', ...rest] = wrap(label, width - 8);
      const mark = index === this.#marked ? '›' : ' ';
      return [`  ${mark} [${isChecked ? 'x' : ' '}] ${first}`, ...rest.map((each) => `        ${each}`)];
    };
    const cursor = this.#isOnOther && other !== '' ? '▏' : '';
    return [
      'Clarifying Questions',
      '',
      `Question ${number} of ${this.#questions.length}`,
      '',
      `${number}. ${prompt}${allowMultiple ? ' (multi-select)' : ''}`,
      '',
      ...options.flatMap((label, index) => row(label, index, checked.has(index))),
      ...row(`Other: ${other === '' ? '(type to answer)' : other}${cursor}`, options.length, other !== ''),
      '',
      legend,
    ];
  }
}

function byNumber(one: number, two: number): number {
  return one - two;
}
