import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/base/clock.ts';
import type { Entry } from '../src/journal/entry.ts';
import { type Journal, openJournal } from '../src/journal/journal.ts';
import { stats } from '../src/journal/stats.ts';
import type { Group, Row } from './row.ts';
import { timed } from './turns.ts';

const entries = 100_000;
const owner = { pid: process.pid, startedAt: '1', kind: 'standalone' as const };

export const journal: Group = {
  name: 'journal',
  about: `a journal of ${entries.toLocaleString('en-US')} entries`,
  async run(effort) {
    const folder = await mkdtemp(join(tmpdir(), 'sallyport-bench-'));
    const open = (): Journal => {
      const onError = (message: string): never => {
        throw new Error(message);
      };
      return openJournal({ folder, owner, clock: systemClock, isAlive: () => true, onError });
    };
    try {
      return await measure(open, effort.rounds(500), effort.rounds(10));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function measure(open: () => Journal, appends: number, reads: number): Promise<Row[]> {
  const writer = open();
  const single: number[] = [];
  for (const entry of runs(appends)) single.push(await timed(() => writer.append(entry)));
  const rest = runs(entries - appends);
  const many = await timed(() => Promise.all(rest.map((entry) => writer.append(entry))));
  const afresh: number[] = [];
  const again: number[] = [];
  for (let round = 0; round < reads; round++) {
    const reader = open();
    afresh.push(await timed(async () => stats(await reader.read())));
    await writer.append(started(randomUUID()));
    again.push(await timed(async () => stats(await reader.read())));
    await reader.dispose();
  }
  await writer.dispose();
  return [
    { what: 'one entry, written', unit: 'ms', samples: single },
    { what: `${rest.length.toLocaleString('en-US')} entries at once, written`, unit: 'ms', samples: [many] },
    { what: 'statistics, read for the first time', unit: 'ms', samples: afresh },
    { what: 'both: written and read', unit: 'ms', samples: afresh.map((ms) => many + ms), atMost: 1_000 },
    { what: 'statistics, after one more entry', unit: 'ms', samples: again },
  ];
}

/** Four entries a run, as a usual one writes them. */
function runs(count: number): Entry[] {
  return Array.from({ length: Math.ceil(count / 4) }, () => oneRun())
    .flat()
    .slice(0, count);
}

function oneRun(): Entry[] {
  const runId = randomUUID();
  const at = Date.now();
  const usage = { input: 12_345, output: 678, cachedInput: 9_000 };
  const files = [{ path: 'src/journal/merge.ts', kind: 'modified' as const }];
  return [
    started(runId),
    { type: 'session', at, runId, sessionId: randomUUID() },
    { type: 'ended', at: at + 60_000, runId, status: 'completed', usage, charsRead: 54_321, files, notes: [] },
    { type: 'returned', at: at + 60_000, runId, chars: 1_234 },
  ];
}

function started(runId: string): Entry {
  return {
    type: 'started',
    at: Date.now(),
    runId,
    owner,
    tool: 'delegate',
    engine: 'codex',
    model: 'gpt-5.6-luna',
    effort: 'max',
    level: 1,
    access: 'workspaceWrite',
    cwd: '/home/somebody/project',
    title: 'Make the journal merge files of several processes, and keep its order when clocks differ',
  };
}
