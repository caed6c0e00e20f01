import { type Clock, neverBack } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { Logger } from '../base/logger.ts';
import type { ChatWatcher } from '../cursor/session/watcher.ts';
import type { Locator, Place, TerminalLocks } from '../keys/target.ts';
import type { AnswerRecord, PendingRequest } from '../protocol/request.ts';
import type { AnswerReceipt, AnswerRefusal, GivenAnswer, RequestSource } from '../requests/source.ts';
import { answerableOf, deliveryOf, isAhead, type Where, whereIs } from './answerable.ts';
import { type AskedCall, askedCalls } from './askedCall.ts';
import { SessionChildren } from './children.ts';
import { Deliveries } from './deliveries.ts';
import { cwdOf, detailsOf } from './describe.ts';
import { endOf, recordOf } from './endings.ts';
import { Problems } from './problems.ts';
import { requestOf, signatureOf } from './requestOf.ts';
import { SessionLooks } from './sessionLooks.ts';
import { settleTrack } from './settleTrack.ts';
import { Terminals } from './terminals.ts';
import { isAnswered, newTrack, type Track } from './track.ts';

/** The session behind a request, for bringing it before the person or opening it again. */
export interface AskingSession {
  /** The chat that `--resume` opens: the parent's, for a sub-agent. */
  chatId: string;
  cwd: string | undefined;
  /** Where it runs, if that was found. */
  place: Place | undefined;
  /** Its processes; empty when it has ended or was not found. */
  pids: readonly number[];
}

/** The requests of Cursor's sessions. */
export interface CursorApprovals extends RequestSource, Disposable {
  /** Undefined for an id that is not pending. */
  sessionOf(requestId: string): AskingSession | undefined;
  /** What cannot be seen or understood and why, for people: each fires once. */
  readonly onDidMeetProblem: Event<string>;
}

export interface ApprovalsDeps {
  watcher: ChatWatcher;
  locator: Locator;
  locks: TerminalLocks;
  clock: Clock;
  /** How long a call must be pending before it may be said to wait where no screen says so, in milliseconds. */
  settleMs: () => number;
  log: Logger;
}

/** Shows what the sessions of this watcher wait for, and delivers the answers. It neither owns nor disposes of what it is given. */
export function createCursorApprovals(deps: ApprovalsDeps): CursorApprovals {
  return new Approvals({ ...deps, clock: neverBack(deps.clock) });
}

class Approvals implements CursorApprovals {
  readonly #deps: ApprovalsDeps;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new Emitter<void>());
  readonly #ends = this.#owned.add(new Emitter<AnswerRecord>());
  readonly #problems = this.#owned.add(new Emitter<string>());
  readonly onDidChange = this.#changes.event;
  readonly onDidEnd = this.#ends.event;
  readonly onDidMeetProblem = this.#problems.event;
  readonly #tracks = new Map<string, Track>();
  readonly #terminals: Terminals;
  readonly #deliveries: Deliveries;
  readonly #children = new SessionChildren();
  readonly #known: Problems;
  readonly #looks: SessionLooks;
  #requests: readonly PendingRequest[] = [];
  #signature = '';
  #alarm: Disposable | undefined;
  #isDisposed = false;

  constructor(deps: ApprovalsDeps) {
    this.#deps = deps;
    const { watcher, locator, clock } = deps;
    this.#known = new Problems(clock);
    this.#looks = new SessionLooks(watcher, clock);
    this.#terminals = this.#owned.add(new Terminals({ locator, clock, onDidLook: () => this.#update() }));
    this.#deliveries = new Deliveries({
      ...deps,
      onDidChange: () => this.#update(),
      onDidMeetProblem: (problem) => this.#problems.fire(problem),
    });
    this.#owned.add(watcher.onDidChange(() => this.#update()));
    this.#update();
  }

  requests(): readonly PendingRequest[] {
    return this.#requests;
  }

  sessionOf(requestId: string): AskingSession | undefined {
    const track = this.#tracks.get(requestId);
    if (!track) return undefined;
    const { sessionId, main, chat, processes } = track.asked;
    return {
      chatId: sessionId,
      cwd: cwdOf(main) ?? cwdOf(chat),
      place: this.#where(track).terminal?.located?.place,
      pids: processes.map(({ pid }) => pid),
    };
  }

  answer({ id, hash, answer, anyway }: GivenAnswer): AnswerReceipt {
    const track = this.#tracks.get(id);
    const request = this.#requests.find((each) => each.id === id);
    if (!track || !request) return refused('unknownRequest', 'This request is over. Nothing was sent.');
    if (track.details.hash !== hash)
      return refused('changed', 'The request has changed since it was shown. Look at it again.');
    if (isAnswered(track)) return refused('alreadyAnswered', 'This request has been answered already.');
    const where = this.#where(track);
    const answerable = answerableOf(track, where, this.#before(track));
    if (answerable.state !== 'yes') return refused('notAnswerable', answerable.why);
    const isForForm = answer.kind === 'answers' || answer.kind === 'skip';
    if (isForForm !== (request.kind === 'question')) {
      return refused('notAnswerable', 'This answer does not fit the request.');
    }
    const delivery = deliveryOf(track, where);
    const retry = delivery?.state === 'notDelivered' ? delivery.retry : undefined;
    if (retry === 'no') return refused('notAnswerable', 'It cannot be sent again. Answer it in the terminal.');
    if (anyway ? retry === undefined : retry === 'anyway') {
      return refused('notAnswerable', 'Its prompt is not recognised. Look at the screen first.');
    }
    if (!where.terminal?.target) return refused('notAnswerable', 'Its terminal is not known. Answer it there.');
    this.#deliveries.start(track, where, { answer, anyway: anyway && retry === 'anyway' });
    this.#update();
    return { taken: true };
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#alarm?.dispose();
    this.#owned.dispose();
  }

  /** Takes in everything that is known now. What follows from it is said once all of it is consistent. */
  #update(): void {
    if (this.#isDisposed) return;
    const { watcher, clock } = this.#deps;
    const now = clock.now();
    const chats = watcher.chats();
    const asked = askedCalls(chats.filter(({ session }) => session.state !== 'dead'));
    this.#children.update(chats, asked);
    this.#terminals.update(asked, chats);
    const records = this.#takeTracks(asked, now);
    const dueInMs = [...this.#tracks.values()].flatMap((track) => this.#settle(track, now, records));
    this.#requests = this.#describe(asked);
    const signature = signatureOf(this.#requests);
    const hasChanged = signature !== this.#signature;
    this.#signature = signature;
    const problems = this.#known.update(chats, watcher.limitation);
    this.#wakeIn([...dueInMs, this.#known.dueInMs]);
    for (const text of problems) this.#problems.fire(text);
    for (const record of records) this.#ends.fire(record);
    if (hasChanged) this.#changes.fire();
  }

  /** Begins, goes on with and ends what is remembered of calls. */
  #takeTracks(asked: readonly AskedCall[], now: number): AnswerRecord[] {
    const byId = new Map(asked.map((each) => [each.id, each]));
    const records = [...this.#tracks.values()].flatMap((track) =>
      byId.has(track.asked.id) ? [] : this.#end(track, now),
    );
    for (const each of byId.values()) {
      const track = this.#tracks.get(each.id);
      if (!track) this.#tracks.set(each.id, newTrack(each, detailsOf(each.call), now));
      else {
        if (track.asked.call !== each.call) track.details = detailsOf(each.call);
        track.asked = each;
      }
    }
    return records;
  }

  /** A call that is not pending any more. Where keys have been sent the delivery itself finds out what became of them. */
  #end(track: Track, now: number): AnswerRecord[] {
    const { answering, asked } = track;
    if (answering?.delivery.state === 'sending') {
      if (answering.hasSent) return [];
      answering.cancel.abort();
    }
    this.#tracks.delete(asked.id);
    const chat = this.#deps.watcher.chats().find(({ folder }) => folder === asked.chat.folder);
    const hasMovedOn = chat !== undefined && chat.session.state !== 'dead';
    const end = endOf(track, hasMovedOn, now);
    return end === undefined ? [] : [recordOf(track, end, now)];
  }

  /** Decides whether there is a card. Returns in how many milliseconds that may be different by itself. */
  #settle(track: Track, now: number, records: AnswerRecord[]): (number | undefined)[] {
    const terminals = this.#terminals.of(track.asked);
    if (!this.#children.areChildless(track.asked.processes)) track.childlessSinceMs = undefined;
    else track.childlessSinceMs ??= now;
    const all = [...this.#tracks.values()];
    const { ended, dueInMs, isUnseen } = settleTrack(track, { all, terminals, settleMs: this.#deps.settleMs(), now });
    if (ended) records.push(ended);
    const isGone = terminals.some((terminal) => terminal.isGone);
    return [dueInMs, isGone || isUnseen ? this.#looks.keepLooking(track) : undefined];
  }

  #describe(asked: readonly AskedCall[]): PendingRequest[] {
    const rank = new Map(asked.map(({ id }, index) => [id, index]));
    const place = ({ asked: { id } }: Track): number => rank.get(id) ?? asked.length;
    const shown = [...this.#tracks.values()].filter(({ card }) => card !== undefined);
    return shown
      .sort((one, two) => place(one) - place(two))
      .flatMap((track) => requestOf(track, this.#where(track), this.#before(track)) ?? []);
  }

  #where(track: Track): Where {
    return whereIs(track, this.#terminals.of(track.asked));
  }

  #before(track: Track): Track[] {
    return [...this.#tracks.values()].filter((other) => isAhead(other, track));
  }

  #wakeIn(times: readonly (number | undefined)[]): void {
    this.#alarm?.dispose();
    const ms = Math.min(...times.filter((each) => each !== undefined));
    this.#alarm = Number.isFinite(ms) ? this.#deps.clock.after(Math.max(1, ms), () => this.#update()) : undefined;
  }
}

function refused(reason: AnswerRefusal, why: string): AnswerReceipt {
  return { taken: false, reason, why };
}
