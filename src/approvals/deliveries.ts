import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { requestHash } from '../cursor/calls/requestHash.ts';
import type { ChatWatcher } from '../cursor/session/watcher.ts';
import type { Sending } from '../cursor/tui/steps.ts';
import type { TerminalLocks } from '../keys/target.ts';
import type { Answer, Delivery } from '../protocol/request.ts';
import type { Where } from './answerable.ts';
import { type AskedCall, askedCalls } from './askedCall.ts';
import { deliver } from './deliver.ts';
import type { CallNow, DeliveryOutcome } from './deliveryTask.ts';
import type { SessionTerminal } from './sessionTerminal.ts';
import type { Answering, Track } from './track.ts';

export interface DeliveriesDeps {
  watcher: ChatWatcher;
  locks: TerminalLocks;
  clock: Clock;
  log: Logger;
  /** A delivery has come to an end. */
  onDidChange: () => void;
  onDidMeetProblem: (problem: string) => void;
}

/** Has answers delivered, in each terminal one after the other, and notes on their calls how they fare. */
export class Deliveries {
  readonly #deps: DeliveriesDeps;

  constructor(deps: DeliveriesDeps) {
    this.#deps = deps;
  }

  /** The terminal must be one that can be written to. */
  start(track: Track, { terminal, showing }: Where, given: { answer: Answer; anyway: boolean }): void {
    const { clock, locks, log, onDidChange } = this.#deps;
    const target = terminal?.target;
    if (!terminal || !target) return;
    const { asked, details } = track;
    const cancel = new AbortController();
    const shown = track.answering?.delivery;
    const delivery: Delivery = { state: 'sending' };
    const answering: Answering = { answer: given.answer, delivery, cancel, hasSent: false, acceptedAtMs: undefined };
    track.answering = answering;
    log.debug(`An answer (${given.answer.kind}) waits to be typed into ${target.title}.`);
    terminal.enqueue(async (ending) => {
      const signal = AbortSignal.any([ending, cancel.signal]);
      const task = {
        ...{ answer: given.answer, target, locks, clock },
        anyway: given.anyway && shown?.state === 'notDelivered' ? shown.screen : undefined,
        wasShown: showing.length > 0,
        earlier: track.sent,
        lastSentAtMs: track.lastSentAtMs,
        look: (during: AbortSignal) => terminal.look(during),
        check: () => this.#check(asked, details.hash, terminal),
        onSending: (sending: Sending) => {
          answering.hasSent = true;
          track.sent = [...track.sent, sending];
          track.lastSentAtMs = clock.now();
        },
      };
      const outcome = await deliver(task, signal).catch((): DeliveryOutcome => ({ kind: 'sessionEnded' }));
      if (track.answering !== answering) return;
      log.info(`An answer (${given.answer.kind}) to ${target.title}: ${outcome.kind}.`);
      this.#note(track, answering, outcome);
      onDidChange();
    });
  }

  /** Whether a call is as it was when it was answered, by what is known at this moment. */
  #check({ id, chat: { folder } }: AskedCall, hash: string, terminal: SessionTerminal): CallNow {
    const chats = this.#deps.watcher.chats().filter(({ session }) => session.state !== 'dead');
    const chat = chats.find((each) => each.folder === folder);
    if (!chat) return { state: 'ended' };
    if (chat.problem !== undefined) return { state: 'unread', why: chat.problem };
    const asked = askedCalls(chats);
    const own = asked.find((each) => each.id === id);
    if (!own || own.runsEverything) return { state: 'over' };
    if (requestHash(own.call) !== hash) return { state: 'changed' };
    const isHere = ({ processes }: AskedCall): boolean => processes.some(({ pid }) => pid === terminal.pid);
    if (own.processes.length === 0) return { state: 'unread', why: "The session's process cannot be seen." };
    if (!isHere(own)) return { state: 'ended' };
    const pending = asked.filter(isHere).map(({ call }) => call);
    return { state: 'pending', call: own.call, pending };
  }

  #note(track: Track, answering: Answering, outcome: DeliveryOutcome): void {
    switch (outcome.kind) {
      case 'accepted':
        if (!outcome.reasonSent) {
          this.#deps.onDidMeetProblem('The agent took the rejection without asking for its reason.');
        }
        answering.delivery = { state: 'accepted' };
        answering.acceptedAtMs = this.#deps.clock.now();
        break;
      case 'confirmed':
        answering.delivery = { state: 'confirmed' };
        answering.acceptedAtMs = this.#deps.clock.now();
        break;
      case 'notDelivered': {
        const { why, screen, retry } = outcome;
        answering.delivery = { state: 'notDelivered', why, screen, retry };
        break;
      }
      case 'sessionEnded': {
        const why = 'The session has left its terminal.';
        answering.delivery = { state: 'notDelivered', why, screen: [], retry: 'no' };
        break;
      }
      case 'answeredElsewhere':
        track.answering = undefined;
        break;
    }
  }
}
