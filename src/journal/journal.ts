import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Event } from '../base/event.ts';
import { ChangeSignal } from './changeSignal.ts';
import { type Entry, entrySchema, type RunRecord } from './entry.ts';
import { JournalFile, journalFiles, pruneFiles, stateOf } from './journalFile.ts';
import { RunTable } from './merge.ts';
import { JournalWriter } from './writer.ts';

/** What runs did, as every process of this user tells it: each appends to files of its own, readers merge them. */
export interface Journal {
  /** Keeps an entry, in order. Never rejects: a disk that fails is reported, and the run goes on. */
  append(entry: Entry): Promise<void>;
  /** All known runs, newest first. Reads and parses only what came since the last time. */
  read(): Promise<RunRecord[]>;
  /** Fires when this process appended something and, as long as somebody listens, when another one did. */
  readonly onDidChange: Event<void>;
  /** Deletes the files that are older than so many days. */
  prune(keepDays: number): Promise<void>;
  /** Writes what is left and stops watching. */
  dispose(): Promise<void>;
}

export interface JournalOptions {
  /** Absolute. Created (0700) with the first entry if missing. */
  folder: string;
  owner: RunRecord['owner'];
  clock: Clock;
  /** Whether the process that owns a run still lives. A rejection counts as yes. */
  isAlive(owner: RunRecord['owner']): Promise<boolean> | boolean;
  /** Hears of a disk that fails, once until it works again. */
  onError: (message: string) => void;
}

/** Opens the journal. Touches nothing before its first use. */
export function openJournal(options: JournalOptions): Journal {
  const { folder, owner, clock } = options;
  const writer = new JournalWriter<Entry>(folder, owner.pid, clock, options.onError);
  const changes = new ChangeSignal({ folder, clock, isOwn: (name) => name === writer.fileName });
  const reader = new JournalReader(options, writer);
  return {
    async append(entry) {
      await writer.append(entry);
      changes.fire();
    },
    read: () => reader.read(),
    onDidChange: changes.event,
    prune: (keepDays) => pruneFiles(folder, keepDays, clock.now(), writer.fileName),
    async dispose() {
      changes.dispose();
      await writer.flush();
    },
  };
}

/** Merges the folder's files, remembering what it has read. */
class JournalReader {
  readonly #options: JournalOptions;
  readonly #writer: JournalWriter<Entry>;
  readonly #dead = new Set<string>();
  #files = new Map<string, JournalFile<Entry>>();
  #runs = new RunTable();
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: JournalOptions, writer: JournalWriter<Entry>) {
    this.#options = options;
    this.#writer = writer;
  }

  /** One at a time: two readers would take the same lines twice. */
  read(): Promise<RunRecord[]> {
    const next = this.#last.then(() => this.#read());
    this.#last = next.catch(() => undefined);
    return next;
  }

  async #read(): Promise<RunRecord[]> {
    await this.#writer.flush();
    await this.#takeNew();
    // An owner may have written its last words after they were looked for and before it died.
    if (await this.#noticeDeaths()) await this.#takeNew();
    const records = [...this.#runs.records((owner) => this.#dead.has(ownerKey(owner)))];
    if (this.#writer.unwritten.length > 0) this.#forget();
    return records;
  }

  async #takeNew(): Promise<void> {
    const { folder } = this.#options;
    const states = new Map<string, Awaited<ReturnType<typeof stateOf>>>();
    for (const name of await journalFiles(folder)) states.set(name, await stateOf(join(folder, name)));
    const isGone = [...this.#files].some(([name, file]) => {
      const state = states.get(name);
      return !state || file.isOther(state);
    });
    if (isGone) this.#forget();
    for (const [name, state] of states) {
      let file = this.#files.get(name);
      if (!file) this.#files.set(name, (file = new JournalFile(join(folder, name), readEntry)));
      // A file that cannot be read now (deleted this moment, another user's) is tried again the next time.
      if (state) await file.readNew(state, (entry) => this.#runs.add(entry)).catch(() => undefined);
    }
    for (const entry of this.#writer.unwritten) this.#runs.add(entry);
  }

  #forget(): void {
    this.#files = new Map();
    this.#runs = new RunTable();
  }

  /** Whether an owner of a run without an end has died since the last time. */
  async #noticeDeaths(): Promise<boolean> {
    const own = ownerKey(this.#options.owner);
    const owners = new Map(this.#runs.openOwners().map((owner) => [ownerKey(owner), owner]));
    const before = this.#dead.size;
    for (const [key, owner] of owners) {
      if (key === own || this.#dead.has(key)) continue;
      const alive = await Promise.resolve(this.#options.isAlive(owner)).catch(() => true);
      if (!alive) this.#dead.add(key);
    }
    return this.#dead.size > before;
  }
}

const readEntry = (value: unknown): Entry | undefined => entrySchema.safeParse(value).data;

function ownerKey({ pid, startedAt }: RunRecord['owner']): string {
  return `${pid} ${startedAt}`;
}
