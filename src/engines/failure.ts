import * as z from 'zod';
import { oneLine } from '../base/displayText.ts';
import type { Failure, FailureReason, Outcome } from '../protocol/model.ts';

/** One kind of failure of a CLI, told by its words. `says`: what happened and what to do next. */
export interface FailureRule {
  when: RegExp;
  reason: FailureReason;
  says: string;
}

const maxQuotedChars = 300;

/** The failure that `clue` tells of by the first rule that fits, with the CLI's own words quoted; else undefined. */
export function failureBy(
  rules: readonly FailureRule[],
  title: string,
  clue: string,
  words = clue,
): Failure | undefined {
  const rule = rules.find(({ when }) => when.test(clue));
  return rule && { reason: rule.reason, message: withQuote(rule.says, title, words) };
}

/** The outcome of a turn that the CLI itself declared failed, in `words` of its own. */
export function failedTurn(rules: readonly FailureRule[], title: string, words: string): Outcome {
  const sentence = `${title} could not finish the task. Try again, or choose another engine.`;
  const otherwise = { reason: 'exited', message: withQuote(sentence, title, words) } as const;
  return { status: 'failed', ...(failureBy(rules, title, words) ?? otherwise) };
}

/** A sentence for people, followed by what the CLI said, bounded and without credentials. */
export function withQuote(sentence: string, title: string, words: string): string {
  const quoted = oneLine(withoutSecrets(plainMessage(words)), maxQuotedChars);
  return quoted === '' ? sentence : `${sentence} ${title} said: ${quoted}`;
}

const message = z.looseObject({ message: z.string() });
const body = z.union([
  z.object({ error: message }).transform(({ error }) => error.message),
  message.transform((each) => each.message),
]);

/** The sentence inside an error that a CLI passed on as the JSON of its server. */
function plainMessage(words: string): string {
  try {
    const parsed = body.safeParse(JSON.parse(words));
    return parsed.success ? parsed.data : words;
  } catch {
    return words;
  }
}

/** Services repeat the key they refuse. The run redacts as well; this is for what no scanner knows by its shape. */
function withoutSecrets(text: string): string {
  return text
    .replace(/(api[ _-]?key(?: provided)?\s*[:=]\s*)(?!["']?(?:is|was|not)\b)[^\s,]+/gi, '$1[hidden]')
    .replace(/(bearer\s+)[^\s,"']+/gi, '$1[hidden]')
    .replace(/(\w+:\/\/)[^\s/@]+@/g, '$1[hidden]@')
    .replace(/\b(?:sk|xai|key|ghp|gho|github_pat|AKIA)[-_]?[\w-]{16,}/g, '[hidden]');
}
