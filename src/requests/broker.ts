import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { AnswerRecord, PendingRequest } from '../protocol/request.ts';
import { historyOf } from './answerHistory.ts';
import type { AnswerReceipt, GivenAnswer, RequestSource } from './source.ts';

/** Everything that waits for the person, from all sources, and what became of what waited before. */
export interface RequestBroker extends Disposable {
  readonly onDidChange: Event<void>;
  /** Each request once, sessions in the order in which they began to wait, the calls of each in the order they will be asked. */
  requests(): readonly PendingRequest[];
  /** Newest first, of the last 7 days, of every window. */
  history(): readonly AnswerRecord[];
  /** First answer wins; a repeated, late or unknown one is refused and harmless. */
  answer(given: GivenAnswer): AnswerReceipt;
}

/** Where the history of answers is kept, for all windows together. */
export interface AnswerLog {
  /** Keeps a record. Never rejects: a disk that fails is for the log to report. */
  append(record: AnswerRecord): Promise<void>;
  /** All that is kept, in any order. */
  read(): Promise<AnswerRecord[]>;
  /** Something was appended, here or by another window. */
  readonly onDidChange: Event<void>;
}

export interface BrokerDeps {
  sources: readonly RequestSource[];
  clock: Clock;
  answerLog: AnswerLog;
}

/** Brings the requests of all sources together. Begins to read the history at once; it has the sources' events until it is disposed. */
export function createBroker(deps: BrokerDeps): RequestBroker {
  return new Broker(deps);
}

class Broker implements RequestBroker {
  readonly #deps: BrokerDeps;
  readonly #changes = new Emitter<void>();
  readonly #owned = new DisposableStore();
  readonly onDidChange = this.#changes.event;
  /** Sessions in the order in which they began to wait. */
  readonly #sessions = new Set<string>();
  #kept: readonly AnswerRecord[] = [];
  /** Ended here, and perhaps not kept yet. */
  #own: readonly AnswerRecord[] = [];
  #reading = 0;

  constructor(deps: BrokerDeps) {
    this.#deps = deps;
    this.#owned.add(this.#changes);
    for (const source of deps.sources) {
      this.#owned.add(source.onDidChange(() => this.#changes.fire()));
      this.#owned.add(source.onDidEnd((record) => this.#keep(record)));
    }
    this.#owned.add(deps.answerLog.onDidChange(() => void this.#readHistory()));
    void this.#readHistory();
  }

  requests(): readonly PendingRequest[] {
    const known = new Map<string, PendingRequest>();
    for (const request of this.#deps.sources.flatMap((source) => source.requests())) {
      if (!known.has(request.id)) known.set(request.id, request);
    }
    const bySession = Map.groupBy(known.values(), ({ session }) => session.id);
    for (const id of [...this.#sessions]) if (!bySession.has(id)) this.#sessions.delete(id);
    const starts = [...bySession].map(([id, requests]) => ({
      id,
      at: Math.min(...requests.map((each) => each.sinceMs)),
    }));
    for (const { id } of starts.sort((one, two) => one.at - two.at)) this.#sessions.add(id);
    return [...this.#sessions].flatMap((id) => bySession.get(id) ?? []);
  }

  history(): readonly AnswerRecord[] {
    return historyOf([...this.#kept, ...this.#own], this.#deps.clock.now());
  }

  answer(given: GivenAnswer): AnswerReceipt {
    const source = this.#deps.sources.find((each) => each.requests().some(({ id }) => id === given.id));
    if (source) return source.answer(given);
    return { taken: false, reason: 'unknownRequest', why: 'This request is over. Nothing was sent.' };
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #keep(record: AnswerRecord): void {
    this.#own = historyOf([...this.#own, record], this.#deps.clock.now());
    this.#changes.fire();
    void this.#deps.answerLog.append(record).catch(() => undefined);
  }

  /** Of several reads at once the last one counts. One that fails leaves what was read before. */
  async #readHistory(): Promise<void> {
    this.#reading += 1;
    const reading = this.#reading;
    const records = await this.#deps.answerLog.read().catch(() => undefined);
    if (!records || reading !== this.#reading) return;
    this.#kept = historyOf(records, this.#deps.clock.now());
    const kept = new Set(records.map(nameOf));
    this.#own = this.#own.filter((record) => !kept.has(nameOf(record)));
    this.#changes.fire();
  }
}

const nameOf = ({ id, atMs, end }: AnswerRecord) => JSON.stringify([id, atMs, end]);
