import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Event } from '../base/event.ts';
import { type AnswerRecord, answerRecordSchema } from '../protocol/request.ts';
import { ChangeSignal } from './changeSignal.ts';
import { JournalFile, journalFiles, pruneFiles, stateOf } from './journalFile.ts';
import { JournalWriter } from './writer.ts';

/** What was answered and how it ended, as every window of this user tells it. */
export interface AnswerLog {
  /** Never rejects: a disk that fails is reported, and answering goes on. */
  append(record: AnswerRecord): Promise<void>;
  /** The answers of the last 7 days, newest first. */
  read(): Promise<AnswerRecord[]>;
  /** Fires when this process appended something and, as long as somebody listens, when another one did. */
  readonly onDidChange: Event<void>;
  /** Writes what is left and stops watching. */
  dispose(): Promise<void>;
}

export interface AnswerLogOptions {
  /** Absolute. Created (0700) with the first record if missing. */
  folder: string;
  clock: Clock;
  /** Hears of a disk that fails, once until it works again. */
  onError: (message: string) => void;
}

const keepDays = 7;
const dayMs = 24 * 60 * 60 * 1000;

/** Opens the log, and deletes what is older than it keeps. */
export function openAnswerLog({ folder, clock, onError }: AnswerLogOptions): AnswerLog {
  const writer = new JournalWriter<AnswerRecord>(folder, process.pid, clock, onError);
  const changes = new ChangeSignal({ folder, clock, isOwn: (name) => name === writer.fileName });
  const pruned = pruneFiles(folder, keepDays, clock.now());
  return {
    async append(record) {
      await writer.append(record);
      changes.fire();
    },
    async read() {
      await Promise.all([pruned, writer.flush()]);
      const records = [...(await readAll(folder)), ...writer.unwritten];
      const since = clock.now() - keepDays * dayMs;
      return records.filter(({ atMs }) => atMs >= since).sort((a, b) => b.atMs - a.atMs);
    },
    onDidChange: changes.event,
    async dispose() {
      changes.dispose();
      await writer.flush();
    },
  };
}

async function readAll(folder: string): Promise<AnswerRecord[]> {
  const records: AnswerRecord[] = [];
  for (const name of await journalFiles(folder)) {
    const path = join(folder, name);
    const state = await stateOf(path);
    const file = new JournalFile(path, readRecord);
    // A file that cannot be read now (deleted this moment, another user's) costs its own records only.
    if (state) await file.readNew(state, (record) => records.push(record)).catch(() => undefined);
  }
  return records;
}

const readRecord = (value: unknown): AnswerRecord | undefined => answerRecordSchema.safeParse(value).data;
