import type { AskedQuestion } from '../../protocol/request.ts';
import { isJsonObject } from '../store/json.ts';
import type { ToolCall } from '../store/message.ts';
import { asksQuestions, parseQuestions } from '../tui/askedQuestions.ts';

/** A form that a call puts before the person. */
export interface QuestionForm {
  title: string;
  /** Empty when the form holds nothing that can be answered. */
  questions: AskedQuestion[];
}

/** The form of an `AskQuestion` call; undefined for any other call. */
export function questionsOf({ toolName, args }: ToolCall): QuestionForm | undefined {
  if (!asksQuestions(toolName)) return undefined;
  const title = isJsonObject(args) && Object.hasOwn(args, 'title') ? args.title : undefined;
  return { title: typeof title === 'string' ? title : '', questions: parseQuestions(args) ?? [] };
}
