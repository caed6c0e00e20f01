import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { ChatWatcher } from '../../cursor/session/watcher.ts';
import type { Locator } from '../../keys/target.ts';
import type { RequestBroker } from '../../requests/broker.ts';
import type { AgentRow } from './agentRow.ts';
import type { SeenSessions } from './agentsView.ts';
import { SessionPlaces } from './sessionPlaces.ts';
import { agentRows, endedRow, expiryOf } from './sessionRows.ts';

export interface SessionsDeps {
  watcher: Pick<ChatWatcher, 'chats' | 'onDidChange'>;
  broker: Pick<RequestBroker, 'requests' | 'onDidChange'>;
  locator: Locator;
  clock: Clock;
}

/** How many sessions are remembered that ended while this window was open. */
const maxEnded = 10;
/** A burst of changes is told once. */
const burstMs = 100;

/** The sessions of Cursor as they are seen, from what is watched already. It asks for terminals only when it is looked at. */
export class Sessions implements SeenSessions, Disposable {
  readonly #deps: SessionsDeps;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new Emitter<void>());
  readonly #places: SessionPlaces;
  readonly onDidChange = this.#changes.event;
  #live: readonly AgentRow[] = [];
  #ended: readonly AgentRow[] = [];
  #due: Disposable | undefined;
  #expiry: Disposable | undefined;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#places = this.#owned.add(new SessionPlaces((process, signal) => deps.locator.locate(process, signal)));
    for (const change of [deps.watcher.onDidChange, deps.broker.onDidChange, this.#places.onDidChange]) {
      this.#owned.add(change(() => this.#update()));
    }
    this.#take();
  }

  look(again: boolean): AgentRow[] {
    if (again) this.#places.forgetUnreachable();
    this.#take();
    this.#places.seek(this.#live.flatMap(({ processes }) => processes));
    this.#wakeAtExpiry();
    return [...this.#live, ...this.#ended];
  }

  dispose(): void {
    this.#due?.dispose();
    this.#expiry?.dispose();
    this.#owned.dispose();
  }

  /** Who ends while nobody looks is to be found later as well. */
  #update(): void {
    this.#take();
    this.#due ??= this.#deps.clock.after(burstMs, () => {
      this.#due = undefined;
      this.#changes.fire();
    });
  }

  /** The sessions as they are now. Who is not there any more has ended. */
  #take(): void {
    const { watcher, broker, clock } = this.#deps;
    const rows = agentRows({
      chats: watcher.chats(),
      requests: broker.requests(),
      locatedOf: (process) => this.#places.of(process),
      nowMs: clock.now(),
    });
    const ids = new Set(rows.map(({ id }) => id));
    const gone = this.#live.filter(({ id }) => !ids.has(id)).map(endedRow);
    const before = this.#ended.filter(({ id }) => !ids.has(id) && !gone.some((row) => row.id === id));
    this.#ended = [...gone, ...before].slice(0, maxEnded);
    this.#live = rows;
  }

  /** A model that has been silent for long may have been interrupted: then its row must not say that it works. */
  #wakeAtExpiry(): void {
    this.#expiry?.dispose();
    const leftMs = Math.min(...this.#live.flatMap((row) => expiryOf(row) ?? [])) - this.#deps.clock.now();
    if (Number.isFinite(leftMs) && leftMs > 0) {
      this.#expiry = this.#deps.clock.after(leftMs + 1, () => this.#changes.fire());
    }
  }
}
