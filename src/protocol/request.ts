import * as z from 'zod';

/** What exactly an agent wants to do, as its call says it: hostile text, shown but never interpreted. Paths as the agent wrote them. */
export type RequestSubject =
  | { kind: 'command'; command: string; folder: string | undefined }
  | { kind: 'write'; path: string; contents: string }
  | { kind: 'replace'; path: string; before: string; after: string }
  /** A patch in the agent's own notation, which may touch several files. */
  | { kind: 'patch'; paths: readonly string[]; patch: string }
  | { kind: 'delete'; path: string }
  | { kind: 'fetch'; url: string }
  | { kind: 'search'; query: string }
  /** `input` is JSON text. */
  | { kind: 'mcpTool'; server: string; tool: string; input: string }
  | { kind: 'modeSwitch'; mode: string; explanation: string }
  /** Not known more closely; `input` is JSON text, or the call's text when it is one. */
  | { kind: 'other'; tool: string; input: string };

/** A question of a form as the agent asks it. */
export interface AskedQuestion {
  prompt: string;
  /** In the order of the form; labels may repeat, so an answer names an index. Free text is always possible as well. */
  options: readonly string[];
  allowsMultiple: boolean;
}

/** Any other field of a call, so that a person can see everything. `value` is text, or JSON text. */
export interface RequestField {
  name: string;
  value: string;
}

/** The agent's session that asks. */
export interface RequestSession {
  /** Groups requests: those of a sub-agent bear their parent's. */
  id: string;
  /** The working folder, absolute. */
  cwd: string | undefined;
  title: string;
  /** The kind of sub-agent that asks; undefined when the session itself does. */
  subagent: string | undefined;
  /** Where it runs, for people: `tmux %3`. Undefined when that is not known. */
  terminal: string | undefined;
  /** Of the agent's program, for people. */
  version: { text: string; isChecked: boolean } | undefined;
}

/** What a card offers beside an answer. */
export type TerminalAction = 'showTerminal' | 'reopen';

/** Whether it can be answered from here. `no`: why, for people, and what they can do instead. `later`: another one comes first. */
export type Answerable = { state: 'yes' } | { state: 'later'; why: string } | { state: 'no'; why: string };

interface CommonRequest {
  /** Stands for this one call for as long as it is pending; says nothing else. */
  id: string;
  /** Of everything that is shown of the call. An answer that bears another one was given to something else. */
  hash: string;
  session: RequestSession;
  /** `mayBeWaiting`: the terminal cannot be read, so the call may as well be running. Quiet, not counted, not answerable. */
  certainty: 'waiting' | 'mayBeWaiting';
  /** Since when it is known to wait, in milliseconds since the epoch. */
  sinceMs: number;
  /** The place (from 1) among the calls that came together; undefined when it came alone. */
  batch: { place: number; size: number } | undefined;
  fields: readonly RequestField[];
  answerable: Answerable;
  actions: readonly TerminalAction[];
  /** How the answer fares that was given to it; undefined when none was. */
  delivery: Delivery | undefined;
}

export interface PermissionRequest extends CommonRequest {
  kind: 'permission';
  subject: RequestSubject;
}

export interface QuestionRequest extends CommonRequest {
  kind: 'question';
  title: string;
  /** Empty when the agent's form holds nothing that can be answered: it can be skipped. */
  questions: readonly AskedQuestion[];
}

export type PendingRequest = PermissionRequest | QuestionRequest;

const freeText = z.string().max(20_000);

/** The answer to one question: chosen options by index, and free text (empty when there is none). */
export const questionAnswerSchema = z.object({
  options: z.array(z.number().int().nonnegative()).max(1000),
  other: freeText,
});
export type QuestionAnswer = z.infer<typeof questionAnswerSchema>;

/** What the person decided. `reason` may be empty; `answers` are in the order of the questions. */
export const answerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('approve') }),
  z.object({ kind: z.literal('reject'), reason: freeText }),
  z.object({ kind: z.literal('answers'), answers: z.array(questionAnswerSchema).max(200) }),
  z.object({ kind: z.literal('skip') }),
]);
export type Answer = z.infer<typeof answerSchema>;

/**
 * How the delivery of an answer fares. `sending`: it waits for its turn or is being typed. `accepted`: its prompt has left the
 * screen of the same live process. `running`: accepted, and the call is still under way. `confirmed`: the store has moved on.
 * `notDelivered`: the keys did not do it; `why` for people, `screen` the terminal's last rows, `retry` whether the person may
 * try again, or (its prompt was not recognised) send it anyway after having looked at those rows.
 */
export type Delivery =
  | { state: 'sending' }
  | { state: 'accepted' }
  | { state: 'running' }
  | { state: 'confirmed' }
  | { state: 'notDelivered'; why: string; screen: readonly string[]; retry: 'no' | 'again' | 'anyway' };

/** What became of a request that is not pending any more. */
export type AnswerEnd = 'confirmed' | 'accepted' | 'notDelivered' | 'answeredElsewhere' | 'sessionEnded';

/** One line of the history of answers. */
export const answerRecordSchema = z.object({
  /** The request's. */
  id: z.string(),
  /** When the answer arrived; without one, when the request was over. Milliseconds since the epoch. */
  atMs: z.number(),
  /** What was answered, in one line. */
  what: z.string(),
  session: z.string(),
  /** Undefined when it was not answered here. */
  answer: z.enum(['approve', 'reject', 'answers', 'skip']).exactOptional(),
  end: z.enum(['confirmed', 'accepted', 'notDelivered', 'answeredElsewhere', 'sessionEnded']),
});
export type AnswerRecord = z.infer<typeof answerRecordSchema>;
