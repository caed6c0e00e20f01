import type { AnswerRecord } from '../protocol/request.ts';
import type { Settled } from '../requests/settle.ts';
import { noteLater, screenOf, settledOf } from './cards.ts';
import { endOf, recordOf } from './endings.ts';
import type { ScreenFact, SessionTerminal } from './sessionTerminal.ts';
import { type Answering, isAnswered, type Track } from './track.ts';

/** What decides about a call beside what is remembered of it. */
export interface Surroundings {
  /** Every call that is remembered. */
  all: readonly Track[];
  /** Those in which the call may be asked about. */
  terminals: readonly SessionTerminal[];
  settleMs: number;
  /** Milliseconds since the epoch. */
  now: number;
}

export interface Settling {
  /** Its card has gone for this reason. */
  ended?: AnswerRecord;
  /** In how many milliseconds it may be different though nothing happens. */
  dueInMs?: number | undefined;
  /** Whether its session lives, and has children, decides what is to be thought of it. */
  isUnseen?: boolean;
}

/** An accepted call that goes on for so long is said to run. */
const runningMs = 1000;

/** Decides anew whether a pending call has a card, and notes it. */
export function settleTrack(track: Track, { all, terminals, settleMs, now }: Surroundings): Settling {
  const screen = screenOf(track, terminals);
  if (track.answering && isAnswered(track)) return settleAnswered(track, track.answering, screen === 'ownPrompt', now);
  const { verdict, lookAgainInMs } = settledOf(track, screen, settleMs, now);
  if (screen === 'ownPrompt') track.promptSeen = true;
  const isUnseen = (screen === 'unreadable' || screen === 'unrecognised') && lookAgainInMs !== undefined;
  const ended = settleCard(track, verdict, screen, all, now);
  const laterMs = track.laterUntilMs - now;
  const dueInMs = laterMs > 0 ? Math.min(laterMs, lookAgainInMs ?? laterMs) : lookAgainInMs;
  return { dueInMs, isUnseen, ...(ended && { ended }) };
}

function settleCard(
  track: Track,
  verdict: Settled['verdict'],
  screen: ScreenFact,
  all: readonly Track[],
  now: number,
): AnswerRecord | undefined {
  const { card, asked, promptSeen, answering } = track;
  // What cannot be seen any more is not known to be answered.
  const keeps = screen === 'unreadable' && promptSeen && card?.certainty === 'waiting';
  if (keeps && !asked.runsEverything) return undefined;
  const isLater = verdict === 'none' && noteLater(track, all, now);
  if (verdict !== 'none' || isLater) {
    const certainty = verdict === 'mayBeWaiting' ? verdict : 'waiting';
    track.card = { certainty, isLater, sinceMs: card?.certainty === certainty ? card.sinceMs : now };
    return undefined;
  }
  // An answer that was not delivered is kept before the person's eyes, unless the prompt was answered otherwise.
  if (!card || (answering && !promptSeen)) return undefined;
  const end = endOf(track, true, now);
  const record = end === undefined ? undefined : recordOf(track, end, now);
  Object.assign(track, { card: undefined, answering: undefined });
  return record;
}

/** It asks again when its prompt is back, as for a command that did not work in its sandbox. */
function settleAnswered(track: Track, answering: Answering, isShown: boolean, now: number): Settling {
  if (answering.acceptedAtMs === undefined) return {};
  if (isShown) {
    const ended = recordOf(track, 'accepted', now);
    const card: Track['card'] = { certainty: 'waiting', isLater: false, sinceMs: now };
    Object.assign(track, { answering: undefined, sent: [], card });
    return { ended };
  }
  const leftMs = answering.acceptedAtMs + runningMs - now;
  if (leftMs > 0) return { dueInMs: leftMs };
  answering.delivery = { state: 'running' };
  return {};
}
