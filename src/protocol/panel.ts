// The small zod: this file is part of the webview's bundle.
import * as z from 'zod/mini';

/**
 * What the window tells the Waiting view: always everything (a hidden view misses messages). Text of an agent comes in parts
 * whose every character can be seen, so that the view only ever makes text nodes of it.
 */

/** `hidden`: an escape that stands for what could not be seen, or for a letter that passes for another. */
const shownPart = z.object({ text: z.string(), hidden: z.exactOptional(z.literal(true)) });
const shown = z.array(shownPart);
export type Shown = z.infer<typeof shown>;

/** The name of a codicon, without its `codicon-`. */
const icon = z.string().check(z.regex(/^[a-z0-9-]+$/));

const line = z.object({ mark: z.enum(['plain', 'added', 'removed']), text: shown });

/** One box of what exactly is asked. `whole`: false when its middle is left out. */
const block = z.object({ name: z.string(), kind: z.enum(['code', 'prose']), lines: z.array(line), whole: z.boolean() });
export type Block = z.infer<typeof block>;

const question = z.object({ prompt: shown, options: z.array(shown), allowsMultiple: z.boolean() });
export type ShownQuestion = z.infer<typeof question>;

/** The person's own answer, so that it can be sent again: `Answer` of request.ts, which is not for this bundle. */
const given = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('approve') }),
  z.object({ kind: z.literal('reject'), reason: z.string() }),
  z.object({
    kind: z.literal('answers'),
    answers: z.array(z.object({ options: z.array(z.number()), other: z.string() })),
  }),
  z.object({ kind: z.literal('skip') }),
]);

/**
 * What can be done with a card. `open`: answer it. `later`: another one comes first. `closed`: it cannot be answered from here.
 * `sending`: an answer is on its way. `failed`: it did not arrive.
 */
const stage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open') }),
  z.object({ kind: z.literal('later'), why: shown }),
  z.object({ kind: z.literal('closed'), why: shown }),
  z.object({ kind: z.literal('sending'), what: z.string() }),
  z.object({
    kind: z.literal('failed'),
    why: shown,
    screen: z.array(shown),
    retry: z.enum(['no', 'again', 'anyway']),
    given: z.exactOptional(given),
  }),
]);
export type Stage = z.infer<typeof stage>;

const card = z.object({
  id: z.string(),
  hash: z.string(),
  certainty: z.enum(['waiting', 'mayBeWaiting']),
  icon,
  /** What is asked, in plain words. */
  title: z.string(),
  sinceMs: z.number(),
  blocks: z.array(block),
  /** Short remarks: where, which of how many, how much. */
  remarks: z.array(shown),
  warnings: z.array(z.string()),
  fields: z.array(z.object({ name: shown, value: shown })),
  /** Undefined for a permission. An empty form can only be skipped. */
  questions: z.exactOptional(z.array(question)),
  canOpenDiff: z.boolean(),
  /** False when not all of it can be shown: then only rejecting is safe from here. */
  canApprove: z.boolean(),
  stage,
  actions: z.array(z.enum(['showTerminal', 'reopen'])),
  /** Why the last answer was not taken. */
  refusal: z.exactOptional(z.string()),
});
export type Card = z.infer<typeof card>;

const session = z.object({
  id: z.string(),
  icon,
  folder: shown,
  title: shown,
  where: shown,
  cards: z.array(card),
});
export type Session = z.infer<typeof session>;

/** A line about an answer. `ticking`: the time since `atMs` is how long it has been running, not how long ago it ended. */
const historyLine = z.object({
  id: z.string(),
  icon,
  tone: z.enum(['good', 'bad', 'neutral']),
  text: shown,
  where: shown,
  atMs: z.number(),
  ticking: z.boolean(),
});
export type HistoryLine = z.infer<typeof historyLine>;

/** Texts of the view's own, in the language of the editor. `{0}` stands for a value. */
const viewTextNames = [
  'viewName',
  'approve',
  'reject',
  'withReason',
  'rejectWithReason',
  'reason',
  'reasonHint',
  'cancel',
  'answer',
  'skip',
  'other',
  'otherHint',
  'nothingToAnswer',
  'answerAll',
  'openDiff',
  'allFields',
  'showTerminal',
  'reopen',
  'tryAgain',
  'sendAnyway',
  'sendAnywayQuestion',
  'sendAnywayConfirm',
  'screenName',
  'answerDifferently',
  'readToEnd',
  'mayBeWaiting',
  'mayBeWaitingHelp',
  'why',
  'answered',
  'showAll',
  'showFewer',
  'seconds',
  'minutes',
  'hours',
  'days',
  'runningFor',
  'newRequest',
  'notWhole',
  'chooseSome',
  'startAgent',
  'manageTrust',
  'showLog',
  'checkSetup',
] as const;
const viewTexts = z.record(z.enum(viewTextNames), z.string());
export type ViewTexts = z.infer<typeof viewTexts>;

/** What stands where no card does. */
const emptyView = z.object({
  icon,
  title: z.string(),
  lines: z.array(z.string()),
  /** The first is what helps most. */
  commands: z.array(z.enum(['startAgent', 'manageTrust', 'showLog', 'checkSetup'])),
});
export type EmptyView = z.infer<typeof emptyView>;

export const viewStateSchema = z.object({
  type: z.literal('state'),
  /** The window's clock, in milliseconds since the epoch: the view may run on another machine. */
  nowMs: z.number(),
  texts: viewTexts,
  sessions: z.array(session),
  history: z.array(historyLine),
  /** About something that has no card any more. */
  notice: z.exactOptional(z.string()),
  empty: z.exactOptional(emptyView),
});
export type ViewState = z.infer<typeof viewStateSchema>;

/** Brings a card before the person who asked to see it. */
const revealMessageSchema = z.object({ type: z.literal('reveal'), id: z.string() });

export const viewMessageSchema = z.discriminatedUnion('type', [viewStateSchema, revealMessageSchema]);
export type ViewMessage = z.infer<typeof viewMessageSchema>;
