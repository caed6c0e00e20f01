import * as z from 'zod';
import type { AskedQuestion } from '../../protocol/request.ts';

const text = z.string().catch('');
const questionSchema = z.object({
  prompt: z.string().optional().catch(undefined),
  question: text,
  allowMultiple: z.boolean().catch(false),
  options: z.array(z.object({ label: text }).catch({ label: '' })).catch([]),
});
const formSchema = z.object({ questions: z.array(questionSchema) });

/** Whether a tool of this name puts a form before the person. */
export function asksQuestions(toolName: string): boolean {
  return /^ask_?questions?$/i.test(toolName);
}

/** The questions in the arguments of an `AskQuestion` call, in order; undefined for other arguments. */
export function parseQuestions(args: unknown): AskedQuestion[] | undefined {
  return formSchema.safeParse(args).data?.questions.map(({ prompt, question, allowMultiple, options }) => ({
    prompt: prompt ?? question,
    options: options.map(({ label }) => label),
    allowsMultiple: allowMultiple,
  }));
}
