import type { AnswerEnd, AnswerRecord } from '../protocol/request.ts';
import { lineOf, sessionFor } from './describe.ts';
import { isComplete } from './attempts.ts';
import type { Track } from './track.ts';

/** A key that came so long before the store moved on may be why it did, though the prompt was slow to leave. */
const slowMs = 5000;

/**
 * How a request ends whose call is not pending any more. `hasMovedOn`: the store says so; otherwise its session has ended. Undefined:
 * nobody has to hear of it, since it was not known to wait.
 */
export function endOf(
  { answering, card, lastSentAtMs, sent }: Track,
  hasMovedOn: boolean,
  now: number,
): AnswerEnd | undefined {
  if (answering?.acceptedAtMs !== undefined) return hasMovedOn ? 'confirmed' : 'accepted';
  if (answering?.delivery.state === 'notDelivered') {
    if (!hasMovedOn) return 'notDelivered';
    const isOurs = answering.hasSent && isComplete(answering.answer, sent) && now - lastSentAtMs < slowMs;
    return isOurs ? 'confirmed' : 'answeredElsewhere';
  }
  if (!answering && (card?.certainty !== 'waiting' || card.isLater)) return undefined;
  return hasMovedOn ? 'answeredElsewhere' : 'sessionEnded';
}

const ours: readonly AnswerEnd[] = ['confirmed', 'accepted', 'notDelivered'];

/** The line of the history. */
export function recordOf({ asked, details, answering }: Track, end: AnswerEnd, now: number): AnswerRecord {
  const { title, cwd, id } = sessionFor(asked, undefined);
  return {
    id: asked.id,
    // Of several answers at one time, the one given last is the newest, however long their calls went on.
    atMs: answering?.acceptedAtMs ?? now,
    what: lineOf(details),
    session: [title, cwd].find((each) => each !== undefined && each !== '') ?? id,
    ...(answering && ours.includes(end) && { answer: answering.answer.kind }),
    end,
  };
}
