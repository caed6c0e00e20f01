import type { AnswerRecord } from '../protocol/request.ts';

const keptMs = 7 * 24 * 60 * 60 * 1000;

/**
 * The history as a person reads it: newest first, of the last 7 days. Every window that saw a request tells how it ended; the
 * one that answered it knows, and of others one is enough. `now` in milliseconds since the epoch.
 */
export function historyOf(records: readonly AnswerRecord[], now: number): AnswerRecord[] {
  const recent = records.filter(({ atMs }) => atMs > now - keptMs);
  const told = [...Map.groupBy(recent, ({ id }) => id).values()].flatMap((ofOne) => {
    const answered = ofOne.filter(({ answer }) => answer !== undefined);
    const newest = ofOne.toSorted(newestFirst).slice(0, 1);
    return answered.length > 0 ? distinct(answered) : newest;
  });
  return told.sort(newestFirst);
}

function distinct(records: readonly AnswerRecord[]): AnswerRecord[] {
  return [...new Map(records.map((record) => [`${record.atMs} ${record.end}`, record])).values()];
}

function newestFirst(one: AnswerRecord, two: AnswerRecord): number {
  return two.atMs - one.atMs;
}
