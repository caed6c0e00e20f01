import { type FSWatcher, watch } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';

/** No snooze is longer: a date that is further away was written by another clock. */
const longestMs = 60 * 60_000;

export interface SnoozeDeps {
  /** Absolute; all windows of this user share it. */
  folder: string;
  clock: Clock;
  log: Logger;
}

/**
 * Quiet for a while, in all windows at once: who wants none of it does not want it from the window beside either. It outlives
 * a reload and ends by itself.
 */
export class Snooze implements Disposable {
  readonly #deps: SnoozeDeps;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new Emitter<void>());
  readonly #ends = this.#owned.add(new Emitter<number>());
  readonly onDidChange = this.#changes.event;
  /** The time was up (when, in milliseconds since the epoch): not fired when somebody ended it. */
  readonly onDidRunOut = this.#ends.event;
  #untilMs: number | undefined;
  #alarm: Disposable | undefined;
  #watcher: FSWatcher | undefined;

  constructor(deps: SnoozeDeps) {
    this.#deps = deps;
  }

  /** When it ends, in milliseconds since the epoch; undefined while there is none. */
  get untilMs(): number | undefined {
    return this.#untilMs;
  }

  /** Takes in what any window said, and goes on hearing it. Never rejects. */
  async open(): Promise<void> {
    const { folder, log } = this.#deps;
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      this.#watcher = watch(folder, { persistent: false }, () => void this.#read());
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch (error) {
      log.warn(`a snooze of another window is not noticed: ${String(error)}`);
    }
    await this.#read();
  }

  /** Rejects when it could not be kept: then this window alone is quiet. */
  async start(ms: number): Promise<void> {
    const untilMs = this.#deps.clock.now() + ms;
    try {
      await writeFile(this.#file, String(untilMs), { mode: 0o600 });
    } finally {
      this.#take(untilMs);
    }
  }

  async end(): Promise<void> {
    await rm(this.#file, { force: true });
    this.#take(undefined);
  }

  dispose(): void {
    this.#alarm?.dispose();
    this.#watcher?.close();
    this.#owned.dispose();
  }

  get #file(): string {
    return join(this.#deps.folder, 'until');
  }

  async #read(): Promise<void> {
    const untilMs = Number(await readFile(this.#file, 'utf8').catch(() => ''));
    const leftMs = untilMs - this.#deps.clock.now();
    this.#take(leftMs > 0 && leftMs <= longestMs ? untilMs : undefined);
  }

  #take(untilMs: number | undefined): void {
    if (untilMs === this.#untilMs) return;
    this.#untilMs = untilMs;
    this.#alarm?.dispose();
    if (untilMs !== undefined) {
      this.#alarm = this.#deps.clock.after(untilMs - this.#deps.clock.now(), () => {
        this.#take(undefined);
        this.#ends.fire(untilMs);
      });
    }
    this.#changes.fire();
  }
}
