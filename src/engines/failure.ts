import { z } from 'zod';
import { oneLine } from '../base/displayText.ts';
import type { Failure, FailureReason } from '../protocol/model.ts';

/** One kind of failure of a CLI, told by its words. `says`: what happened and what to do next. */
export interface FailureRule {
  when: RegExp;
  reason: FailureReason;
  says: string;
}

const maxQuotedChars = 300;

/** The failure that `words` tell of by the first rule that fits, with the CLI's own message quoted; else undefined. */
export function failureBy(rules: readonly FailureRule[], title: string, words: string): Failure | undefined {
  const rule = rules.find(({ when }) => when.test(words));
  return rule && { reason: rule.reason, message: withQuote(rule.says, title, words) };
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
