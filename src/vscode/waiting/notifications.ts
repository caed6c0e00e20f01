import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { PendingRequest } from '../../protocol/request.ts';
import { needsAnswer } from './cardModel.ts';

/** How long a window that nobody looks at leaves a notification to one that somebody does, in milliseconds. */
const leaveToOthersMs = 400;

export interface NotificationDeps {
  clock: Clock;
  /** True for the first who asks, of all windows. Never rejects. */
  claim(id: string): Promise<boolean>;
  /** `watched`: the view is visible and the window has the focus. `near`: only the window has it. `away`: neither. */
  attention(): 'watched' | 'near' | 'away';
  /** Whether the person wants them. */
  wanted(): boolean;
  show(request: PendingRequest): void;
}

/**
 * Says once for each request, in one window, that it waits, where it cannot be seen already. What was on the screen when it
 * came counts as said. Disposing drops what has not been said.
 */
export class Notifications implements Disposable {
  readonly #deps: NotificationDeps;
  readonly #considered = new Set<string>();
  readonly #owned = new DisposableStore();
  #waiting: readonly PendingRequest[] = [];

  constructor(deps: NotificationDeps) {
    this.#deps = deps;
  }

  /** Takes in what there is now. */
  update(requests: readonly PendingRequest[]): void {
    this.#waiting = requests.filter(needsAnswer);
    for (const { id } of this.#waiting) {
      if (this.#considered.has(id)) continue;
      this.#considered.add(id);
      if (this.#deps.attention() === 'away') {
        this.#owned.add(this.#deps.clock.after(leaveToOthersMs, () => void this.#say(id)));
      } else void this.#say(id);
    }
  }

  dispose(): void {
    this.#owned.dispose();
    this.#waiting = [];
  }

  async #say(id: string): Promise<void> {
    const watched = this.#deps.attention() === 'watched';
    if (!this.#deps.wanted() || !this.#find(id) || !(await this.#deps.claim(id))) return;
    // It may be over by now.
    const request = this.#find(id);
    if (request && !watched) this.#deps.show(request);
  }

  #find(id: string): PendingRequest | undefined {
    return this.#waiting.find((request) => request.id === id);
  }
}
