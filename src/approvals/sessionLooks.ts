import type { Clock } from '../base/clock.ts';
import type { ChatWatcher } from '../cursor/session/watcher.ts';
import type { Track } from './track.ts';

/** How often it is looked whether a session lives and has children, where nothing else tells whether a call runs. */
const paceMs = 2000;

/** Asks for looks at sessions, no more often than needed. */
export class SessionLooks {
  readonly #watcher: ChatWatcher;
  readonly #clock: Clock;
  readonly #lookedAtMs = new WeakMap<Track, number>();

  constructor(watcher: ChatWatcher, clock: Clock) {
    this.#watcher = watcher;
    this.#clock = clock;
  }

  /** Looks at the session of a call if it is time. Returns in how many milliseconds it will be time again. */
  keepLooking(track: Track): number {
    const now = this.#clock.now();
    const leftMs = (this.#lookedAtMs.get(track) ?? -paceMs) + paceMs - now;
    if (leftMs > 0) return leftMs;
    this.#lookedAtMs.set(track, now);
    void this.#watcher.lookAtSession(track.asked.chat.folder);
    return paceMs;
  }
}
