import type { Answerable, Delivery, TerminalAction } from '../protocol/request.ts';
import type { SessionTerminal } from './sessionTerminal.ts';
import { isAccepted, isAnswered, type Track } from './track.ts';

/** A call's terminals, and the one in which it would be answered. */
export interface Where {
  terminals: readonly SessionTerminal[];
  /** Those that show its prompt. */
  showing: readonly SessionTerminal[];
  terminal: SessionTerminal | undefined;
}

const yes: Answerable = { state: 'yes' };

/** Where a call would be answered: where its prompt is, else in the first terminal that can be written to. */
export function whereIs({ asked }: Track, terminals: readonly SessionTerminal[]): Where {
  const showing = terminals.filter((each) => each.shows(asked.id));
  return { terminals, showing, terminal: showing[0] ?? terminals.find(({ target }) => target) ?? terminals[0] };
}

/** Whether a call can be answered from here. `before`: the calls of its batch that are asked before it. */
export function answerableOf(track: Track, where: Where, before: readonly Track[]): Answerable {
  const { asked, card } = track;
  const { showing, terminal } = where;
  if (isAnswered(track)) return no('It has been answered.');
  if (asked.call.cut)
    return no('Not everything of this call can be shown here. Look at it and answer it in the terminal.');
  if (showing.length > 1) return no('Several terminals show this prompt. Answer it in one of them.');
  const trouble = terminal ? terminal.trouble : 'It is not known which terminal the session runs in. Answer it there.';
  if (trouble !== undefined) return no(trouble);
  if (showing.length === 0 && card?.isLater) {
    return before.every(isAnswered)
      ? yes
      : { state: 'later', why: 'The agent asks one at a time: answer the one above first.' };
  }
  if (terminal && terminal.shownCount > 1 && showing.length > 0) {
    return no('Several waiting requests look the same on the screen. Answer this one in the terminal.');
  }
  if (card?.certainty === 'mayBeWaiting') return no('It cannot be seen whether the agent asks or works.');
  return yes;
}

/** What the card offers beside an answer. */
export function actionsOf({ asked }: Track, { terminal }: Where): TerminalAction[] {
  const located = terminal?.located;
  const canShow = located?.place !== undefined;
  const canReopen = asked.processes.length > 0 && located?.kind === 'unreachable';
  return [...(canShow ? (['showTerminal'] as const) : []), ...(canReopen ? (['reopen'] as const) : [])];
}

/** How the answer fares; whether it can be tried again goes by what the terminal shows now. */
export function deliveryOf(track: Track, { showing, terminal }: Where): Delivery | undefined {
  const delivery = track.answering?.delivery;
  if (delivery?.state !== 'notDelivered') return delivery;
  const isThere = showing.length > 0 && terminal?.trouble === undefined;
  if (isThere) return { ...delivery, retry: 'again' };
  return delivery.retry === 'again' ? { ...delivery, retry: 'no' } : delivery;
}

/** Whether earlier calls of the batch are out of the way once they are answered: those that wait, or were accepted. */
export function isAhead(other: Track, { asked }: Track): boolean {
  const isSameBatch = other.asked.chat.folder === asked.chat.folder && other.asked.call.batch === asked.call.batch;
  return isSameBatch && other.asked.place < asked.place && (other.card !== undefined || isAccepted(other));
}

function no(why: string): Answerable {
  return { state: 'no', why };
}
