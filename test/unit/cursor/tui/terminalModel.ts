import type { Sending } from '../../../../src/cursor/tui/steps.ts';
import type { Key } from '../../../../src/protocol/key.ts';

export interface ModelQuestion {
  prompt: string;
  options: string[];
  allowMultiple: boolean;
}

/** What the person does in the terminal meanwhile, or what goes wrong: one of these may happen between two steps. */
export type Interference = 'nothing' | 'drop' | 'up' | 'down' | 'space';

/** A terminal with a question form in it, as far as keys and rows go. */
export class FormModel {
  index = 0;
  marked = 0;
  submitted = false;
  skipped = false;
  readonly checked: Set<number>[];
  readonly other: string[];
  readonly #questions: ModelQuestion[];

  constructor(questions: ModelQuestion[]) {
    this.#questions = questions;
    this.checked = questions.map(() => new Set());
    this.other = questions.map(() => '');
  }

  rows(): string[] {
    const question = this.#questions[this.index];
    if (this.submitted || this.skipped || !question) return ['  → Add a follow-up'];
    const { prompt, options, allowMultiple } = question;
    const row = (label: string, at: number): string =>
      `${at === this.marked ? '› ' : '  '}[${this.checked[this.index]?.has(at) ? 'x' : ' '}] ${label}`;
    const otherText = this.other[this.index] ?? '';
    const labels = [...options, `Other: ${otherText === '' ? '(type to answer)' : otherText}`];
    return [
      `┌${'─'.repeat(40)}┐`,
      '│ Clarifying Questions',
      `│ Question ${String(this.index + 1)} of ${String(this.#questions.length)}`,
      `│ ${String(this.index + 1)}. ${prompt}${allowMultiple ? ' (multi-select)' : ''}`,
      ...labels.map((label, at) => `│   ${row(label, at)}`),
      '│ ↑/↓ option · ←/→ question · Space select · Enter next/submit · Esc to skip',
      `└${'─'.repeat(40)}┘`,
    ];
  }

  receive(sending: Sending): void {
    if (this.submitted || this.skipped) return;
    if (sending.kind === 'press') this.press(sending.key);
    else if (this.#isOther()) this.other[this.index] = (this.other[this.index] ?? '') + sending.text;
  }

  press(key: Key): void {
    const last = this.#questions[this.index]?.options.length ?? 0;
    if (key === 'Up') this.marked = Math.max(0, this.marked - 1);
    if (key === 'Down') this.marked = Math.min(last, this.marked + 1);
    if (key === 'Escape') this.skipped = true;
    if (key === 'Space' && this.#isOther()) this.other[this.index] = `${this.other[this.index] ?? ''} `;
    else if (key === 'Space') this.#choose(true);
    if (key === 'Enter') this.#advance();
  }

  /** Chooses the marked row as well, as the real form does. */
  #advance(): void {
    if (!this.#isOther()) this.#choose(false);
    this.index += 1;
    this.marked = 0;
    this.submitted = this.index === this.#questions.length;
  }

  #choose(toggles: boolean): void {
    const checked = this.checked[this.index];
    if (!checked) return;
    const isMultiple = this.#questions[this.index]?.allowMultiple === true;
    if (isMultiple && toggles && checked.has(this.marked)) checked.delete(this.marked);
    else {
      if (!isMultiple) checked.clear();
      checked.add(this.marked);
    }
  }

  #isOther(): boolean {
    return this.marked === this.#questions[this.index]?.options.length;
  }
}
