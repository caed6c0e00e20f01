import { canGate } from '../calls/gates.ts';
import { pathTails, type PromptedCall, shownArguments, type ShownArgument } from './arguments.ts';
import { parseQuestions } from './askedQuestions.ts';

/**
 * What a prompt's reading goes by: lines that frame and separate, the mark of a question and of a command, the reason why it is
 * asked, the keys of a choice. A text that holds one of them may be read as a prompt of its own where the agent shows it.
 */
const structure =
  /[?─━═╌┄┌┐└┘╭╮╰╯├┤┬┴┼│┃║▄▀]|\$\s|Not in allowlist:|\((?:[a-z]|esc|escape|enter|return|tab|shift\+tab|space)[ )\/]/i;
/** Texts that are longer, and more of them, are not searched, but taken to hold anything. */
const maxLength = 100_000;
const maxTexts = 500;

/**
 * Whether the prompt of `other` may be made to look like that of `call`, by its arguments: agents are hostile, and the screen shows
 * their texts in between the prompt's own words.
 */
export function mayLookLike(other: PromptedCall, call: PromptedCall): boolean {
  if (!canGate(other.toolName)) return false;
  const texts = textsIn(other.args);
  if (!texts || texts.some(({ length }) => length > maxLength)) return true;
  const signs = signsOf(call).map((parts) => parts.map(withoutSpace));
  return texts.some((text) => {
    const bare = withoutSpace(text);
    const isShaped = structure.test(text);
    return signs.some((parts) => (isShaped ? parts.every((part) => bare.includes(part)) : bare === parts.join('')));
  });
}

/** The least that a screen must show for it to be read as this call's prompt: the parts of any one of these. */
function signsOf(call: PromptedCall): string[][] {
  const questions = (parseQuestions(call.args) ?? []).flatMap(({ prompt, options }) => [[prompt], [...options]]);
  const mode = /switch_?mode/i.test(call.toolName) ? [['mode']] : [];
  const signs = [...questions, ...mode, ...shownArguments(call).map((argument) => [signOf(argument)])];
  return signs.filter((parts) => parts.some((part) => part.trim() !== ''));
}

function signOf(argument: ShownArgument): string {
  switch (argument.kind) {
    case 'command':
      return argument.command;
    case 'path':
      return pathTails(argument.path).at(-1) ?? '';
    case 'text':
      return argument.text;
    case 'tool':
      return `${argument.server}: ${argument.tool}`;
  }
}

/** Every text in the arguments; undefined when there are too many. */
function textsIn(args: unknown): string[] | undefined {
  const texts: string[] = [];
  const left: unknown[] = [args];
  for (let count = 0; left.length > 0; count += 1) {
    const value = left.pop();
    if (count > maxTexts) return undefined;
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) {
      const parts: unknown[] = Object.values(value).slice(0, maxTexts + 1);
      left.push(...parts);
    }
  }
  return texts;
}

function withoutSpace(text: string): string {
  return text.split(/\s+/).join('');
}
