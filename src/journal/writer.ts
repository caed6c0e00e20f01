import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { dayOf, newName } from './journalFile.ts';

/** So many entries are kept for a disk that may take them later; the oldest go first. */
const maxUnwritten = 10_000;

/**
 * Appends one process's entries to its own file of the day, in order. A disk that fails is reported (once until it works
 * again), never thrown; what it did not take is kept and tried again with the next entry.
 */
export class JournalWriter<Entry> {
  readonly #folder: string;
  readonly #pid: number;
  readonly #clock: Clock;
  readonly #onError: (message: string) => void;
  #unwritten: Entry[] = [];
  #working: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #day = '';
  #name: string | undefined;
  #failing = false;
  /** The file may end in the middle of a line, after which the next one must not go on. */
  #mayEndInside = false;

  constructor(folder: string, pid: number, clock: Clock, onError: (message: string) => void) {
    this.#folder = folder;
    this.#pid = pid;
    this.#clock = clock;
    this.#onError = onError;
  }

  /** The name of the file it writes to at present. */
  get fileName(): string | undefined {
    return this.#name;
  }

  /** What the disk has not taken. */
  get unwritten(): readonly Entry[] {
    return this.#unwritten;
  }

  /** Resolves when the entry is written, or could not be. */
  append(entry: Entry): Promise<void> {
    this.#unwritten.push(entry);
    return this.flush();
  }

  /** Resolves when the disk was offered all there is. */
  flush(): Promise<void> {
    if (this.#unwritten.length === 0) return this.#working ?? Promise.resolve();
    if (this.#working) {
      // What comes while a write is under way shares the next one.
      this.#next ??= this.#working.then(() => {
        this.#next = undefined;
        return this.flush();
      });
      return this.#next;
    }
    this.#working = this.#writeAll().finally(() => (this.#working = undefined));
    return this.#working;
  }

  async #writeAll(): Promise<void> {
    try {
      await this.#write(this.#unwritten.map((entry) => `${JSON.stringify(entry)}\n`));
      this.#failing = false;
    } catch (error) {
      this.#unwritten.splice(0, this.#unwritten.length - maxUnwritten);
      if (this.#failing) return;
      this.#failing = true;
      const why = error instanceof Error ? error.message : String(error);
      const next = 'Everything goes on, but statistics and history miss it. Free space, or check who may write there.';
      this.#onError(`The journal in ${this.#folder} cannot be written: ${why}. ${next}`);
    }
  }

  async #write(lines: string[]): Promise<void> {
    const file = await this.#open();
    const text = Buffer.from(lines.join(''));
    let written = 0;
    try {
      if (this.#mayEndInside) await file.write('\n');
      this.#mayEndInside = true;
      while (written < text.length) written += (await file.write(text, written)).bytesWritten;
      this.#mayEndInside = false;
    } finally {
      this.#unwritten.splice(0, written === text.length ? lines.length : wholeLines(lines, written));
      await file.close();
    }
  }

  /** Opened for every write, so that a folder that was emptied meanwhile is no black hole. */
  async #open(): Promise<FileHandle> {
    const day = dayOf(this.#clock.now());
    if (this.#name === undefined || day !== this.#day) {
      this.#day = day;
      this.#name = newName(day, this.#pid);
      this.#mayEndInside = false;
    }
    const path = join(this.#folder, this.#name);
    try {
      return await open(path, 'a', 0o600);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      return open(path, 'a', 0o600);
    }
  }
}

/** How many of the lines lie within the first `bytes`. */
function wholeLines(lines: string[], bytes: number): number {
  let end = 0;
  const cut = lines.findIndex((line) => (end += Buffer.byteLength(line)) > bytes);
  return cut < 0 ? lines.length : cut;
}
