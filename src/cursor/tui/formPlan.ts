import type { AskedQuestion, QuestionAnswer } from '../../protocol/request.ts';
import type { PromptedCall } from './arguments.ts';
import { parseQuestions } from './askedQuestions.ts';
import { alignForm, type Form } from './form.ts';
import type { Screen } from './prompts.ts';
import { showsText } from './shownText.ts';
import {
  done,
  effectMs,
  hasPressed,
  literalText,
  press,
  refuse,
  type Sending,
  type Step,
  type,
  wait,
} from './steps.ts';

interface Answering {
  screen: Screen;
  isOwn: boolean;
  call: PromptedCall;
  answers: readonly QuestionAnswer[];
  sent: readonly Sending[];
  sinceSentMs: number;
}

/** One question of the form, and what is wanted there. */
interface Turn {
  form: Form;
  question: AskedQuestion;
  wanted: ReadonlySet<number>;
  other: string;
  sent: readonly Sending[];
  sinceSentMs: number;
}

const notShown = 'The questions of this request are not on the screen.';

/** Ends the whole form: one Escape. */
export function nextSkip(screen: Screen, isOwn: boolean, sent: readonly Sending[], sinceSentMs: number): Step {
  if (isOwn && screen.kind !== 'question') return refuse('badAnswer', 'Only questions can be skipped.');
  if (!hasPressed(sent, 'Escape')) return isOwn ? press('Escape', sent) : wait(notShown);
  if (!isOwn) return done();
  if (sinceSentMs < effectMs) return wait('The form has not reacted yet.');
  return refuse('noEffect', 'The form is still there after Escape. Look at the terminal.');
}

/** Fills in the form, question by question, each from the row that is marked on the screen. */
export function nextInForm(answering: Answering): Step {
  const { screen, isOwn, call, answers, sent, sinceSentMs } = answering;
  const questions = parseQuestions(call.args);
  const problem = questions ? problemOf(questions, answers) : 'This request asks no questions.';
  if (!questions || problem !== undefined) return refuse('badAnswer', problem ?? '');
  const answered = new Set(sent.flatMap((each) => (isEnter(each) && each.at ? [each.at.question] : []))).size;
  if (answered === questions.length) return done();
  const form = isOwn && screen.kind === 'question' ? alignForm(screen.picker, questions) : undefined;
  const isLate = sent.length > 0 && sinceSentMs >= effectMs;
  if (!form)
    return isLate ? refuse('changedByPerson', 'The form has left the screen before all was answered.') : wait(notShown);
  if (form.question !== answered) {
    if (form.question < answered && !isLate) return wait('The next question is not shown yet.');
    return refuse(
      'changedByPerson',
      'The form shows another question than the one to be answered. Look at the terminal.',
    );
  }
  const [question, answer] = [questions[answered], answers[answered]];
  if (!question || !answer) return refuse('badAnswer', 'There is no answer to this question.');
  const other = literalText(answer.other);
  if (other === undefined) return refuse('badText', 'The text holds control characters. Write it without them.');
  return nextInQuestion({ form, question, wanted: new Set(answer.options), other, sent, sinceSentMs });
}

function problemOf(questions: readonly AskedQuestion[], answers: readonly QuestionAnswer[]): string | undefined {
  if (questions.length === 0) return 'The form has no questions. It can only be skipped.';
  if (answers.length !== questions.length) return 'Every question needs an answer.';
  for (const [index, { options, allowsMultiple }] of questions.entries()) {
    const chosen = new Set(answers[index]?.options);
    const hasText = literalText(answers[index]?.other ?? '') !== '';
    if ([...chosen].some((option) => options[option] === undefined))
      return 'The answer names an option that does not exist.';
    if (chosen.size === 0 && !hasText) return 'Every question needs an answer.';
    if (!allowsMultiple && chosen.size + (hasText ? 1 : 0) > 1) return 'A question allows one answer only.';
  }
  return undefined;
}

function nextInQuestion(turn: Turn): Step {
  const { form, question, wanted, other, sent } = turn;
  const last = sent.at(-1);
  if (last?.at?.question === form.question && !hasShown(last, turn)) return waitForEffect(turn, last);
  if (form.marked === undefined || !form.rows.has(form.marked)) return notVisible();
  const otherRow = question.options.length;
  const isTyped = sent.some(({ kind, at }) => kind === 'type' && at?.question === form.question);
  if (form.other !== '' && !(isTyped && showsText([form.other], other))) {
    return refuse(
      'changedByPerson',
      'Somebody has typed into the row for other answers. Answer the form in the terminal.',
    );
  }
  const wrong = wrongRows(turn);
  if (wrong === undefined) return notVisible();
  const nearest = nearestTo(form.marked, wrong);
  if (nearest !== undefined) return nearest === form.marked ? toggle(turn, nearest) : moveTo(turn, nearest);
  if (other !== '' && form.marked !== otherRow) return moveTo(turn, otherRow);
  if (other !== '' && !isTyped) return type(other, sent, { question: form.question, row: otherRow });
  const target = other === '' ? nearestTo(form.marked, [...wanted]) : otherRow;
  if (target === undefined || target !== form.marked) return moveTo(turn, target ?? otherRow);
  if (!question.allowsMultiple && hasStray(turn)) {
    return refuse(
      'changedByPerson',
      'The form has an option checked that is not the answer. Answer it in the terminal.',
    );
  }
  return press('Enter', sent, { question: form.question, row: target });
}

/** The rows that must be toggled. Undefined when one of them may be out of sight. */
function wrongRows({ form, question, wanted }: Turn): number[] | undefined {
  const indexes = question.options.map((_, index) => index);
  // Choosing another one takes the mark from the one before where only one is allowed.
  const relevant = question.allowsMultiple ? indexes : [...wanted];
  if (relevant.some((index) => !form.rows.has(index))) return undefined;
  return relevant.filter((index) => form.rows.get(index)?.checked !== wanted.has(index));
}

/** Whether the screen shows what the last key of this question did. */
function hasShown(last: Sending, { form, wanted, other }: Turn): boolean {
  if (!last.at) return true;
  const { row } = last.at;
  if (last.kind === 'type') return showsText([form.other], other);
  return last.key === 'Space' ? form.rows.get(row)?.checked === wanted.has(row) : form.marked !== row;
}

function waitForEffect(turn: Turn, last: Sending): Step {
  if (turn.sinceSentMs < effectMs) return wait('The form has not reacted yet.');
  // The agent may have dropped the key, and to move once more does no harm.
  if (isMove(last) && last.at && movesIn(turn) < maxMoves(turn)) return press(last.key, turn.sent, last.at);
  return refuse('noEffect', 'A key had no effect on the form. Answer it in the terminal.');
}

function toggle({ form, sent }: Turn, row: number): Step {
  const isSecond = sent.some((each) => isSpace(each) && each.at?.question === form.question && each.at.row === row);
  if (isSecond) return refuse('changedByPerson', 'Somebody is filling in the form in the terminal. Finish it there.');
  return press('Space', sent, { question: form.question, row });
}

function moveTo(turn: Turn, row: number): Step {
  const { form, sent } = turn;
  if (form.marked === undefined || !form.rows.has(row)) return notVisible();
  if (movesIn(turn) >= maxMoves(turn)) {
    return refuse('changedByPerson', 'The marked row keeps moving. Answer the form in the terminal.');
  }
  return press(row > form.marked ? 'Down' : 'Up', sent, { question: form.question, row: form.marked });
}

function movesIn({ form, sent }: Turn): number {
  return sent.filter((each) => isMove(each) && each.at?.question === form.question).length;
}

/** Enough to go to every row that is wanted, and for some that were dropped. */
function maxMoves({ question }: Turn): number {
  return 3 * (question.options.length + 1) + 6;
}

/** Options that are checked and should not be, where only one may be. */
function hasStray({ form, wanted, question }: Turn): boolean {
  return question.options.some((_, index) => form.rows.get(index)?.checked === true && !wanted.has(index));
}

function notVisible(): Step {
  return refuse(
    'rowNotVisible',
    'Not every row that matters is on the screen. Make the terminal higher, or answer there.',
  );
}

function nearestTo(row: number, rows: readonly number[]): number | undefined {
  return [...rows].sort((one, two) => Math.abs(one - row) - Math.abs(two - row))[0];
}

function isEnter(each: Sending): boolean {
  return each.kind === 'press' && each.key === 'Enter';
}

function isSpace(each: Sending): boolean {
  return each.kind === 'press' && each.key === 'Space';
}

function isMove(each: Sending): each is Extract<Sending, { kind: 'press' }> {
  return each.kind === 'press' && (each.key === 'Up' || each.key === 'Down');
}
