import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { readScreen } from '../cursor/tui/prompts.ts';
import type { KeyTarget, Located, Locator, Look } from '../keys/target.ts';
import type { AskedCall } from './askedCall.ts';
import { type Prompted, promptedBy } from './prompted.ts';

/** What a terminal says about one of its calls. */
export type ScreenFact = 'ownPrompt' | 'withoutPrompt' | 'unrecognised' | 'unreadable';

export interface TerminalDeps {
  process: { pid: number; tty: string | undefined };
  locator: Locator;
  clock: Clock;
  /** The calls that are pending in this terminal now. */
  calls: () => readonly AskedCall[];
  /** It was found, or looked at. */
  onDidLook: () => void;
}

/** A terminal that has not been found or looked at yet may still show a prompt. */
const firstLookMs = 3000;
/** A screen that cannot be read for so long is not waited for any more. */
const unreadableMs = 2000;
/** A prompt that one look misses may be half painted. */
const maxMissed = 2;
/** A terminal that tells of every change is looked at no more often than this. */
const minPaceMs = 50;

/** The terminal of one process: found once, looked at one look after the other, and written to by one delivery after the other. */
export class SessionTerminal implements Disposable {
  readonly #deps: TerminalDeps;
  readonly #ending = new AbortController();
  readonly #createdAtMs: number;
  #located: Located | undefined;
  #isLocating = false;
  #changes: Disposable | undefined;
  #look: Look | undefined;
  #unreadableSinceMs: number | undefined;
  #prompted: Prompted | undefined;
  /** Requests whose prompt is on the screen, by how many looks have missed it since. */
  readonly #shown = new Map<string, number>();
  #changedAtMs: number;
  #lookBeganAtMs = 0;
  #lookEndedAtMs = 0;
  #looks: Promise<unknown> = Promise.resolve();
  #jobs: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #isLooking = false;
  /** It said that it has changed, and no look has begun since. */
  #hasChanged = false;
  #timer: { at: number; alarm: Disposable } | undefined;

  constructor(deps: TerminalDeps) {
    this.#deps = deps;
    this.#createdAtMs = deps.clock.now();
    this.#changedAtMs = this.#createdAtMs;
    this.locate();
  }

  /** Of the process in it. */
  get pid(): number {
    return this.#deps.process.pid;
  }

  get located(): Located | undefined {
    return this.#located;
  }

  get target(): KeyTarget | undefined {
    return this.#located?.kind === 'target' ? this.#located.target : undefined;
  }

  /** Why its screen cannot be read or keys not be sent now, for people; undefined when all is well. */
  get trouble(): string | undefined {
    if (this.#located?.kind === 'unreachable') return this.#located.why;
    if (!this.#look) return 'Its terminal is being looked for.';
    return this.#look.state === 'ready' ? undefined : this.#look.why;
  }

  get isGone(): boolean {
    return this.#look?.state === 'gone';
  }

  /** When prompts last came or went, in milliseconds since the epoch. */
  get changedAtMs(): number {
    return this.#changedAtMs;
  }

  /** Whether a prompt that was there was missed by the last look. */
  get isUncertain(): boolean {
    return [...this.#shown.values()].some((missed) => missed > 0);
  }

  /** How many of its calls have their prompt on the screen. */
  get shownCount(): number {
    return this.#shown.size;
  }

  shows(id: string): boolean {
    return this.#shown.has(id);
  }

  factOf(id: string): ScreenFact {
    const now = this.#deps.clock.now();
    if (this.#located?.kind === 'unreachable') return 'unreadable';
    if (this.#shown.has(id)) return 'ownPrompt';
    if (this.#look?.state === 'gone') return 'unreadable';
    const isStuck = this.#unreadableSinceMs !== undefined && now - this.#unreadableSinceMs >= unreadableMs;
    if (isStuck) return 'unreadable';
    if (!this.#prompted) return now - this.#createdAtMs < firstLookMs ? 'withoutPrompt' : 'unreadable';
    return this.#prompted.recognised ? 'withoutPrompt' : 'unrecognised';
  }

  /** Forgets the prompts of calls that are not pending any more. */
  retain(ids: ReadonlySet<string>): void {
    for (const id of this.#shown.keys()) if (!ids.has(id)) this.#shown.delete(id);
  }

  /** Finds it again where that may help: when it was not found, or is gone. */
  relocate(): void {
    if (this.#located?.kind === 'unreachable' || this.isGone) this.locate();
  }

  locate(): void {
    if (this.#isLocating) return;
    this.#isLocating = true;
    const { locator, process, onDidLook } = this.#deps;
    locator.locate(process, this.#ending.signal).then(
      (located) => {
        this.#isLocating = false;
        if (this.#ending.signal.aborted) return;
        this.#take(located);
        onDidLook();
      },
      () => {
        this.#isLocating = false;
      },
    );
  }

  /** A look that begins now, after those under way. Rejects only when aborted. */
  look(signal: AbortSignal): Promise<Look> {
    const next = this.#looks.then(async () => {
      signal.throwIfAborted();
      const target = this.target;
      this.#hasChanged = false;
      this.#lookBeganAtMs = this.#deps.clock.now();
      const look: Look = target
        ? await target.look(signal)
        : { state: 'gone', why: this.trouble ?? 'There is no terminal.' };
      this.#note(look);
      return look;
    });
    this.#looks = next.catch(() => undefined);
    return next;
  }

  /** Lets a delivery have the terminal once those before it are over. */
  enqueue(job: (signal: AbortSignal) => Promise<void>): void {
    this.#waiting += 1;
    this.#jobs = this.#jobs
      .then(() => job(this.#ending.signal))
      .catch(() => undefined)
      .finally(() => {
        this.#waiting -= 1;
        if (!this.#ending.signal.aborted) this.#deps.onDidLook();
      });
  }

  /** How often it is looked at by itself from now on, in milliseconds; undefined: not at all. A delivery looks on its own. */
  setPace(pace: number | undefined): void {
    const ms = this.#hasChanged ? Math.min(minPaceMs, pace ?? minPaceMs) : pace;
    if (ms === undefined || !this.target || this.#waiting > 0) {
      this.#stopTimer();
      return;
    }
    // What comes of the look under way decides anew.
    if (this.#isLooking) return;
    const now = this.#deps.clock.now();
    const at = Math.max(this.#lookBeganAtMs + ms, this.#lookEndedAtMs + Math.min(ms, minPaceMs), now);
    if (this.#timer && this.#timer.at <= at) return;
    this.#stopTimer();
    const alarm = this.#deps.clock.after(at - now, () => {
      this.#timer = undefined;
      this.#lookByItself();
    });
    this.#timer = { at, alarm };
  }

  dispose(): void {
    this.#ending.abort();
    this.#stopTimer();
    this.#changes?.dispose();
  }

  #take(located: Located): void {
    this.#located = located;
    this.#look = undefined;
    this.#prompted = undefined;
    this.#changes?.dispose();
    this.#changes =
      located.kind === 'target'
        ? located.target.onDidChange?.(() => {
            if (this.#deps.calls().length === 0) return;
            this.#hasChanged = true;
            this.setPace(minPaceMs);
          })
        : undefined;
  }

  #lookByItself(): void {
    if (this.#waiting > 0) return;
    this.#isLooking = true;
    this.look(this.#ending.signal)
      .finally(() => {
        this.#isLooking = false;
      })
      .then(
        () => this.#deps.onDidLook(),
        () => undefined,
      );
  }

  #note(look: Look): void {
    const now = this.#deps.clock.now();
    this.#lookEndedAtMs = now;
    this.#look = look;
    this.#unreadableSinceMs = look.state === 'unreadable' ? (this.#unreadableSinceMs ?? now) : undefined;
    if (look.state === 'gone') this.#shown.clear();
    if (look.state !== 'ready' && look.state !== 'held') return;
    const prompted = promptedBy(readScreen(look.rows), this.#deps.calls(), this.#prompted);
    // Another program in front of the agent hides the prompt, but does not answer it.
    if (look.state === 'held' && prompted.ids.size === 0) return;
    const isOther = [...prompted.ids].some((id) => !this.#shown.has(id));
    if (isOther) this.#changedAtMs = now;
    for (const [id, missed] of this.#shown) {
      if (prompted.ids.has(id)) continue;
      if (missed + 1 < maxMissed) this.#shown.set(id, missed + 1);
      else {
        this.#shown.delete(id);
        this.#changedAtMs = now;
      }
    }
    for (const id of prompted.ids) this.#shown.set(id, 0);
    this.#prompted = prompted;
  }

  #stopTimer(): void {
    this.#timer?.alarm.dispose();
    this.#timer = undefined;
  }
}
