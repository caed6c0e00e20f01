import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import type { Entry } from '../../../src/journal/entry.ts';
import { openJournal } from '../../../src/journal/journal.ts';

const tasks = [
  'Explain how the parser recovers from a missing bracket',
  'Make the journal merge files of several processes',
  'Find out why the build is slow',
  'Rename greet to greeting everywhere',
  'Write tests for the time zones of the calendar',
];
const engines = ['codex', 'grok', 'claude', 'cursor'] as const;
const ends = ['completed', 'completed', 'completed', 'failed', 'cancelled'] as const;
const hourMs = 3_600_000;

/** Writes runs that ended in the past, one every `spacingMs` back from `now`, as another process would have. */
export async function writePastRuns(
  state: string,
  { cwd, count, now, spacingMs = hourMs }: { cwd: string; count: number; now: number; spacingMs?: number },
): Promise<void> {
  const owner = { pid: process.pid, startedAt: '1', kind: 'standalone' as const };
  const onError = (message: string): never => {
    throw new Error(message);
  };
  const folder = join(state, 'journal');
  const journal = openJournal({ folder, owner, clock: systemClock, isAlive: () => false, onError });
  for (let number = 0; number < count; number += 1) {
    await Promise.all(
      entriesOf(number, now - (number + 1) * spacingMs, { cwd, owner }).map((each) => journal.append(each)),
    );
  }
  await journal.dispose();
}

function entriesOf(
  number: number,
  at: number,
  { cwd, owner }: Pick<Entry & { type: 'started' }, 'cwd' | 'owner'>,
): Entry[] {
  const runId = randomUUID();
  const engine = engines[number % engines.length] ?? 'codex';
  const status = ends[number % ends.length] ?? 'completed';
  const title = `${tasks[number % tasks.length] ?? ''} (${number})`;
  const changed = number % 3 === 0 ? [{ path: 'src/greeting.js', kind: 'modified' as const }] : [];
  return [
    { type: 'started', at, runId, owner, tool: 'delegate', engine, access: 'workspaceWrite', cwd, title },
    { type: 'session', at, runId, sessionId: randomUUID() },
    { type: 'ended', at: at + 60_000, runId, status, charsRead: 1, files: changed, notes: [] },
  ];
}
