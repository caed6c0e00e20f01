import { type FSWatcher, watch } from 'node:fs';
import { basename } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';

/** Hears about a folder's own entries, not about what lies deeper. */
export interface FolderListener {
  /** An entry is different; undefined: it is not known which. `cameOrWent`: it may be there now, or not any more. */
  changed(name: string | undefined, cameOrWent: boolean): void;
  /** The folder cannot be watched, so something may be different. */
  tick(): void;
}

/** One watched folder. */
export interface FolderWatch extends Disposable {
  /** Watches again if the folder was gone or could not be watched. Returns whether it does: what happened before was not told. */
  ensure(): boolean;
}

/** What the system says when there are no more watches to be had (inotify(7)). */
const exhausted = new Set<unknown>(['ENOSPC', 'EMFILE', 'ENFILE', 'ENOMEM']);
/** How often what cannot be watched is looked at instead. */
const slowMs = 3000;

/** Watches folders, each by itself, for as long as the system allows it; looks at the others from time to time. */
export class FolderWatches implements Disposable {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #watch: typeof watch;
  readonly #unwatched = new Set<OneFolder>();
  readonly #changed = new Emitter<void>();
  #timer: Disposable | undefined;
  #disposed = false;
  /** `limitation` is different. */
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor({ clock, log, watchFolder = watch }: { clock: Clock; log: Logger; watchFolder?: typeof watch }) {
    this.#clock = clock;
    this.#log = log;
    this.#watch = watchFolder;
  }

  /** Why changes may be noticed late, for people; undefined when all is well. */
  get limitation(): string | undefined {
    if (this.#unwatched.size === 0) return undefined;
    const late = `Cursor's chats may be noticed ${slowMs / 1000} seconds late (folders: ${this.#unwatched.size})`;
    return `The system allows no more file watches, so ${late}. Raise fs.inotify.max_user_watches and fs.inotify.max_user_instances, or close programs that watch many files.`;
  }

  /** Never throws: a folder that is not there, or may not be read, is silent until `ensure`. */
  watch(folder: string, listener: FolderListener): FolderWatch {
    const one: OneFolder = new OneFolder(folder, listener, {
      watch: this.#watch,
      log: this.#log,
      setUnwatched: (unwatched) => this.#setUnwatched(one, unwatched),
    });
    one.ensure();
    return one;
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.dispose();
    this.#unwatched.clear();
    this.#changed.dispose();
  }

  #setUnwatched(one: OneFolder, unwatched: boolean): void {
    if (this.#disposed || this.#unwatched.has(one) === unwatched) return;
    if (unwatched) this.#unwatched.add(one);
    else this.#unwatched.delete(one);
    this.#schedule();
    this.#changed.fire();
  }

  #schedule(): void {
    if (this.#unwatched.size === 0) {
      this.#timer?.dispose();
      this.#timer = undefined;
    }
    if (this.#unwatched.size === 0 || this.#timer) return;
    this.#timer = this.#clock.after(slowMs, () => {
      this.#timer = undefined;
      for (const one of [...this.#unwatched]) one.tick();
      this.#schedule();
    });
  }
}

interface Surroundings {
  watch: typeof watch;
  log: Logger;
  setUnwatched(unwatched: boolean): void;
}

class OneFolder implements FolderWatch {
  readonly #folder: string;
  readonly #listener: FolderListener;
  readonly #around: Surroundings;
  #watcher: FSWatcher | undefined;
  #disposed = false;

  constructor(folder: string, listener: FolderListener, around: Surroundings) {
    this.#folder = folder;
    this.#listener = listener;
    this.#around = around;
  }

  ensure(): boolean {
    return this.#watcher === undefined && this.#start();
  }

  /** Looks, since nothing tells; and tries whether there is a watch to be had by now. */
  tick(): void {
    this.ensure();
    if (!this.#disposed) this.#listener.tick();
  }

  dispose(): void {
    this.#disposed = true;
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#around.setUnwatched(false);
  }

  /** Returns whether it is watched now. */
  #start(): boolean {
    if (this.#disposed) return false;
    const former = this.#watcher;
    this.#watcher = undefined;
    try {
      const watcher = this.#around.watch(this.#folder, { persistent: false }, (kind, name) => {
        if (this.#watcher === watcher) this.#hear(kind, name ?? undefined);
      });
      watcher.on('error', (error) => {
        if (this.#watcher === watcher) this.#lose(error);
      });
      this.#watcher = watcher;
      this.#around.setUnwatched(false);
      return true;
    } catch (error) {
      this.#lose(error);
      return false;
    } finally {
      former?.close();
    }
  }

  #hear(kind: string, name: string | undefined): void {
    // The end of the folder itself comes under its own name, and ends the watch though another may be there already.
    if (kind === 'rename' && (name === undefined || name === basename(this.#folder))) this.#start();
    if (!this.#disposed) this.#listener.changed(name, kind === 'rename' || name === undefined);
  }

  #lose(error: unknown): void {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#around.setUnwatched(exhausted.has(code));
    if (code !== 'ENOENT') this.#around.log.debug(`A chat folder cannot be watched (${String(code)}).`);
  }
}
