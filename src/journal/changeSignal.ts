import { type FSWatcher, watch } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import { dayOfName } from './journalFile.ts';

/** A burst of another process's entries is told once. */
const burstMs = 100;

/**
 * Tells that the journal changed: when its owner says so, and, while anybody listens, when the file system does. A folder
 * that cannot be watched only loses the latter.
 */
export class ChangeSignal implements Disposable {
  readonly #options: { folder: string; clock: Clock; isOwn: (name: string) => boolean };
  readonly #emitter = new Emitter<void>();
  #listeners = 0;
  #watcher: FSWatcher | undefined;
  #due: Disposable | undefined;

  /** @param options `isOwn`: whether a file is this process's, which needs no watching. */
  constructor(options: { folder: string; clock: Clock; isOwn: (name: string) => boolean }) {
    this.#options = options;
  }

  readonly event: Event<void> = (listener) => {
    const subscription = this.#emitter.event(listener);
    this.#listeners += 1;
    this.#watch();
    return toDisposable(() => {
      subscription.dispose();
      this.#listeners -= 1;
      if (this.#listeners === 0) this.#unwatch();
    });
  };

  fire(): void {
    // The folder may not have been there yet when somebody began to listen.
    if (this.#listeners > 0) this.#watch();
    this.#emitter.fire();
  }

  dispose(): void {
    this.#unwatch();
    this.#emitter.dispose();
  }

  #watch(): void {
    if (this.#watcher) return;
    try {
      this.#watcher = watch(this.#options.folder, { persistent: false }, (_event, name) => this.#notice(name));
      this.#watcher.on('error', () => this.#unwatch());
    } catch {
      this.#watcher = undefined;
    }
  }

  #notice(name: string | null): void {
    if (name !== null && (dayOfName(name) === undefined || this.#options.isOwn(name))) return;
    this.#due ??= this.#options.clock.after(burstMs, () => {
      this.#due = undefined;
      this.#emitter.fire();
    });
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#due?.dispose();
    this.#due = undefined;
  }
}
