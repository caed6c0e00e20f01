import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { readScreen } from '../../cursor/tui/prompts.ts';
import type { KeyTarget, Look, Place } from '../../keys/target.ts';

/** A terminal in which cursor-agent may show its trust screen. */
export interface TrustCandidate {
  target: Pick<KeyTarget, 'id' | 'title' | 'look'>;
  place: Place;
  folder: string | undefined;
}

export interface TrustWatchDeps {
  /** The terminals with a Cursor agent in them. May reject. */
  candidates(signal: AbortSignal): Promise<readonly TrustCandidate[]>;
  /** A terminal asks whether its folder is to be trusted. Called once for each. */
  onDidAsk(candidate: TrustCandidate): void;
  clock: Clock;
  log: Logger;
}

const lookMs = 7_000;
const soonMs = 300;
/** An agent that has shown nothing known by then is left alone. */
const maxLooks = 60;

/**
 * Looks at terminals until the agent in them has got past its first screen: before a session's first chat there is nothing
 * else that tells of a question about the workspace's trust. Never sends a key.
 */
export class TrustWatch implements Disposable {
  readonly #deps: TrustWatchDeps;
  readonly #ending = new AbortController();
  /** How often each terminal was looked at, for as long as it is there; Infinity when it needs no more looks. */
  #looks: ReadonlyMap<string, number> = new Map();
  readonly #asked = new Set<string>();
  #isLooking = false;
  #timer: Disposable | undefined;

  constructor(deps: TrustWatchDeps) {
    this.#deps = deps;
    this.#lookIn(0);
  }

  /** A terminal may have come. */
  lookSoon(): void {
    this.#lookIn(soonMs);
  }

  dispose(): void {
    this.#ending.abort();
    this.#timer?.dispose();
  }

  #lookIn(ms: number): void {
    this.#timer?.dispose();
    if (!this.#ending.signal.aborted) this.#timer = this.#deps.clock.after(ms, () => void this.#lookAround());
  }

  async #lookAround(): Promise<void> {
    if (this.#isLooking) {
      this.#lookIn(soonMs);
      return;
    }
    this.#isLooking = true;
    try {
      const candidates = await this.#deps.candidates(this.#ending.signal);
      this.#looks = new Map(await Promise.all(candidates.map((candidate) => this.#lookAt(candidate))));
    } catch (error) {
      if (!this.#ending.signal.aborted) this.#deps.log.debug(`trust: ${String(error)}`);
    }
    this.#isLooking = false;
    this.#lookIn(lookMs);
  }

  async #lookAt(candidate: TrustCandidate): Promise<[string, number]> {
    const { id } = candidate.target;
    const looks = this.#looks.get(id) ?? 0;
    if (looks >= maxLooks) return [id, looks];
    const shown = screenOf(await candidate.target.look(this.#ending.signal));
    if (shown === 'trust' && !this.#asked.has(id)) {
      this.#asked.add(id);
      this.#deps.onDidAsk(candidate);
    }
    // The question stays until it is answered; what else is known comes after it only.
    if (shown === 'trust') return [id, 0];
    return [id, shown === 'unclear' ? looks + 1 : Infinity];
  }
}

function screenOf(look: Look): 'trust' | 'unclear' | 'other' {
  if (look.state === 'gone') return 'other';
  if (look.state === 'unreadable') return 'unclear';
  const { kind } = readScreen(look.rows);
  return kind === 'trust' || kind === 'unclear' ? kind : 'other';
}
