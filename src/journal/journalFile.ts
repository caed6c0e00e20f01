import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';

const namePattern = /^(\d{4}-\d{2}-\d{2})-\d+-[0-9a-f]+\.jsonl$/;
const lineEnd = 0x0a;

/** The UTC day of a time in milliseconds since the epoch. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** A name of that day that no other process picks: process ids come again, and in containers they collide. */
export function newName(day: string, pid: number): string {
  return `${day}-${pid}-${randomBytes(6).toString('hex')}.jsonl`;
}

/** The day a file of the journal was begun, or undefined when it is none of the journal's. */
export function dayOfName(name: string): string | undefined {
  return namePattern.exec(name)?.[1];
}

/** What of a file's state tells whether it has grown or is another one. */
export interface FileState {
  ino: number;
  size: number;
  mtimeMs: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Plain files with a name of the journal's, oldest day first. A folder that is not there has none. */
export async function journalFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && dayOfName(entry.name) !== undefined)
    .map(({ name }) => name)
    .sort();
}

/** Undefined for a file that is gone. */
export async function stateOf(path: string): Promise<FileState | undefined> {
  return stat(path).catch(() => undefined);
}

/** Deletes the files of the folder that are older than so many days, but the one that is being written. `now` in milliseconds. */
export async function pruneFiles(folder: string, keepDays: number, now: number, current?: string): Promise<void> {
  const before = now - keepDays * dayMs;
  for (const name of await journalFiles(folder)) {
    const day = dayOfName(name);
    const path = join(folder, name);
    // A clock that is wrong today must not cost the files of a right one, so both of a file's times count.
    const isOld = day !== undefined && day < dayOf(before) && ((await stateOf(path))?.mtimeMs ?? 0) < before;
    if (isOld && name !== current) await unlink(path).catch(() => undefined);
  }
}

/** Reads one entry from parsed JSON; undefined for what is none. */
export type ReadEntry<Entry> = (value: unknown) => Entry | undefined;

/** One file of the journal as far as it has been read. It only ever grows, so only what is new is read and parsed. */
export class JournalFile<Entry> {
  readonly #path: string;
  readonly #readEntry: ReadEntry<Entry>;
  readonly #blockBytes: number;
  #seen: FileState | undefined;
  /** All before it is read: the start of the first line that had no end yet. */
  #offset = 0;
  #skipping = false;

  /** @param blockBytes So much is read at once, which is also the longest line that is read at all. */
  constructor(path: string, readEntry: ReadEntry<Entry>, blockBytes = 1024 * 1024) {
    this.#path = path;
    this.#readEntry = readEntry;
    this.#blockBytes = blockBytes;
  }

  /** Whether it is no longer the file that was read: replaced or cut. */
  isOther(state: FileState): boolean {
    return this.#seen !== undefined && (state.ino !== this.#seen.ino || state.size < this.#offset);
  }

  /** Hands over the entries that came since the last time. Lines that are none cost only themselves. */
  async readNew(state: FileState, take: (entry: Entry) => void): Promise<void> {
    if (this.#seen?.size === state.size && this.#seen.mtimeMs === state.mtimeMs) return;
    const file = await open(this.#path, 'r');
    try {
      const block = Buffer.allocUnsafe(this.#blockBytes);
      while (await this.#readBlock(file, block, take));
    } finally {
      await file.close();
    }
    this.#seen = state;
  }

  /** Whether there may be more. */
  async #readBlock(file: FileHandle, block: Buffer, take: (entry: Entry) => void): Promise<boolean> {
    const { bytesRead } = await file.read(block, 0, block.length, this.#offset);
    const whole = block.subarray(0, bytesRead).lastIndexOf(lineEnd) + 1;
    if (whole > 0) {
      const lines = block.toString('utf8', 0, whole - 1).split('\n');
      for (const line of this.#skipping ? lines.slice(1) : lines) {
        const entry = line === '' ? undefined : this.#readEntry(parseJson(line));
        if (entry !== undefined) take(entry);
      }
      this.#skipping = false;
      this.#offset += whole;
    } else if (bytesRead === block.length) {
      this.#skipping = true;
      this.#offset += bytesRead;
    }
    return bytesRead === block.length;
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
