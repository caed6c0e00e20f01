import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Entry, RunRecord } from '../../../src/journal/entry.ts';
import { type Journal, openJournal } from '../../../src/journal/journal.ts';
import { FakeClock } from '../../support/fakes/clock.ts';

const owner = { pid: 100, startedAt: 'me', kind: 'window' } as const;
const other = { pid: 200, startedAt: 'other', kind: 'standalone' } as const;
const noon = Date.UTC(2026, 0, 10, 12);
const dayMs = 24 * 60 * 60 * 1000;

type Started = Extract<Entry, { type: 'started' }>;
const started = (runId: string, more: Partial<Started> = {}): Started => ({
  ...{
    type: 'started',
    at: noon,
    runId,
    owner,
    tool: 'delegate',
    engine: 'codex',
    access: 'full',
    cwd: '/w',
    title: 'Do it',
  },
  ...more,
});
const ended = (runId: string, at = noon + 5): Entry => ({
  type: 'ended',
  at,
  runId,
  status: 'completed',
  charsRead: 9,
  files: [],
  notes: [],
});

describe('journal', () => {
  let base: string;
  let folder: string;
  let clock: FakeClock;
  let errors: string[];
  let opened: Journal[];

  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'sallyport-journal-'));
    folder = join(base, 'journal');
    clock = new FakeClock(noon);
    errors = [];
    opened = [];
  });
  afterEach(async () => {
    for (const journal of opened) await journal.dispose();
    rmSync(base, { recursive: true, force: true });
  });

  const open = (
    as: RunRecord['owner'] = owner,
    isAlive: (owner: RunRecord['owner']) => Promise<boolean> | boolean = () => true,
  ) => {
    const journal = openJournal({ folder, owner: as, clock, isAlive, onError: (message) => errors.push(message) });
    opened.push(journal);
    return journal;
  };
  const files = () => readdirSync(folder).sort();
  const ids = async (journal: Journal) => (await journal.read()).map(({ runId }) => runId);
  const onlyRecord = async (journal: Journal): Promise<RunRecord> => {
    const [record, ...rest] = await journal.read();
    assert.ok(record);
    assert.deepEqual(rest, []);
    return record;
  };

  it('tells a run as its entries told it', async () => {
    const journal = open();
    await journal.append(started('r1', { model: 'small', level: 2, resumes: 's0' }));
    assert.equal((await onlyRecord(journal)).sessionId, 's0');
    await journal.append({
      type: 'moved',
      at: noon + 1,
      runId: 'r1',
      engine: 'grok',
      effort: 'high',
      failed: { engine: 'codex', reason: 'notInstalled' },
    });
    await journal.append({ type: 'session', at: noon + 2, runId: 'r1', sessionId: 's1' });
    await journal.append({ type: 'returned', at: noon + 3, runId: 'r1', chars: 10 });
    await journal.append({ type: 'returned', at: noon + 4, runId: 'r1', chars: 20 });
    await journal.append({
      type: 'ended',
      at: noon + 5,
      runId: 'r1',
      status: 'failed',
      reason: 'exited',
      message: 'Gone',
      charsRead: 7,
      files: [{ path: 'a', kind: 'added' }],
      notes: [],
    });
    assert.deepEqual(await onlyRecord(journal), {
      ...{ runId: 'r1', owner, tool: 'delegate', access: 'full', cwd: '/w', title: 'Do it', level: 2, resumes: 's0' },
      ...{ engine: 'grok', effort: 'high', sessionId: 's1', moved: [{ engine: 'codex', reason: 'notInstalled' }] },
      ...{ startedAt: noon, endedAt: noon + 5, status: 'failed', reason: 'exited', message: 'Gone' },
      ...{ charsRead: 7, charsReturned: 30, files: [{ path: 'a', kind: 'added' }], notes: [] },
    });
  });

  it('keeps files private, one per process and day', async () => {
    const [one, two] = [open(), open()];
    await one.append(started('r1'));
    await two.append(started('r2'));
    clock.advance(dayMs);
    await one.append(ended('r1'));
    assert.equal(files().length, 3);
    for (const name of files()) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.match(files().at(-1) ?? '', /^2026-01-11-100-/);
    assert.equal((await open().read()).find(({ runId }) => runId === 'r1')?.status, 'completed');
  });

  it('writes in the order of the calls, also when they come at once', async () => {
    const journal = open();
    await Promise.all(Array.from({ length: 500 }, (_, index) => journal.append(started(`r${index}`))));
    const lines = readFileSync(join(folder, files()[0] ?? ''), 'utf8')
      .trimEnd()
      .split('\n');
    const order = lines.map((line) => /"runId":"(\w+)"/.exec(line)?.[1]);
    assert.deepEqual(
      order,
      Array.from({ length: 500 }, (_, index) => `r${index}`),
    );
  });

  it('lists the newest first, whichever file they are in, even when the clock was set back', async () => {
    const [one, two] = [open(), open(other)];
    await one.append(started('r1', { at: noon }));
    await two.append(started('r2', { at: noon + 10, owner: other }));
    clock.advance(-3 * dayMs);
    await one.append(started('r3', { at: noon - 3 * dayMs }));
    await one.append(ended('r1', noon - 3 * dayMs));
    assert.deepEqual(await ids(two), ['r2', 'r1', 'r3']);
  });

  it('reads on where it stopped, and takes a line when it is whole', async () => {
    const journal = open();
    await journal.append(started('r1'));
    const foreign = join(folder, '2026-01-10-7-abcdef.jsonl');
    const line = JSON.stringify(started('r2', { at: noon + 1 }));
    writeFileSync(foreign, line.slice(0, 40));
    assert.deepEqual(await ids(journal), ['r1']);
    appendFileSync(foreign, line.slice(40));
    assert.deepEqual(await ids(journal), ['r1']);
    appendFileSync(foreign, '\n');
    assert.deepEqual(await ids(journal), ['r2', 'r1']);
    writeFileSync(foreign, '');
    assert.deepEqual(await ids(journal), ['r1'], 'a file that was cut is read anew');
  });

  it('loses no more than the line that is broken', async () => {
    const journal = open();
    await journal.append(started('good'));
    const hostile = [
      '{"type":"started","runId":"half',
      '[]',
      'null',
      '"text"',
      '{"type":"from a later version","runId":"x","at":1}',
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"type":"session","at":1,"runId":"__proto__","sessionId":"s"}',
      JSON.stringify(started('__proto__')).replace('{', '{"__proto__":{"polluted":1},'),
      '['.repeat(200_000),
      `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
      JSON.stringify({ ...started('bad'), at: 'noon' }),
      'x'.repeat(3_000_000),
      '\u0000\ufffd',
      JSON.stringify(started('last', { at: noon - 1 })),
    ];
    writeFileSync(
      join(folder, '2026-01-10-7-abcdef.jsonl'),
      Buffer.concat([Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from(`${hostile.join('\n')}\n`)]),
    );
    assert.deepEqual((await ids(journal)).sort(), ['__proto__', 'good', 'last']);
    assert.equal('polluted' in {}, false);
  });

  it('reads only plain files of its own naming', async () => {
    const journal = open();
    await journal.append(started('r1'));
    const line = `${JSON.stringify(started('r2'))}\n`;
    writeFileSync(join(base, 'elsewhere'), line);
    symlinkSync(join(base, 'elsewhere'), join(folder, '2026-01-10-7-abcdef.jsonl'));
    writeFileSync(join(folder, 'notes.jsonl'), line);
    mkdirSync(join(folder, '2026-01-10-8-abcdef.jsonl'));
    assert.deepEqual(await ids(journal), ['r1']);
  });

  it('marks a run as lost when its owner has died, and says what to do', async () => {
    await open(other).append(started('r1', { owner: other }));
    await open(other).append({ type: 'session', at: noon, runId: 'r1', sessionId: 's' });
    let alive = true;
    const journal = open(owner, () => Promise.resolve(alive));
    assert.equal((await onlyRecord(journal)).status, 'running');
    alive = false;
    const record = await onlyRecord(journal);
    assert.equal(record.status, 'lost');
    assert.match(record.message ?? '', /has ended.*Follow up/);
    await journal.append({ type: 'closed', at: noon, runId: 'r1', why: 'Its worktree was removed.' });
    const closed = await onlyRecord(journal);
    assert.equal(closed.closed, 'Its worktree was removed.');
    assert.doesNotMatch(closed.message ?? '', /Follow up/);
  });

  it('hears the last words of an owner that dies meanwhile, and doubts a failing check', async () => {
    const dying = open(other);
    await dying.append(started('r1', { owner: other }));
    const journal = open(owner, async () => {
      await dying.append(ended('r1'));
      return false;
    });
    assert.equal((await onlyRecord(journal)).status, 'completed');
    await dying.append(started('r2', { owner: { ...other, pid: 201 }, at: noon + 1 }));
    const unsure = open(owner, () => Promise.reject(new Error('no process table')));
    assert.equal((await unsure.read())[0]?.status, 'running');
  });

  it('goes on when the disk fails, says so once, and writes what is left when it works again', async () => {
    writeFileSync(folder, 'a file is in the way');
    const journal = open();
    await journal.append(started('r1'));
    await journal.append({ type: 'returned', at: noon, runId: 'r1', chars: 5 });
    assert.equal(errors.length, 1);
    assert.match(errors[0] ?? '', /cannot be written.*Everything goes on/);
    assert.equal((await onlyRecord(journal)).charsReturned, 5);
    rmSync(folder);
    await journal.append(ended('r1'));
    assert.deepEqual([(await onlyRecord(journal)).status, (await onlyRecord(journal)).charsReturned], ['completed', 5]);
    assert.equal((await onlyRecord(open())).charsReturned, 5);
    assert.equal(errors.length, 1);
  });

  it('believes no time that is none', async () => {
    const journal = open();
    await journal.append(started('r1'));
    const strange = [1e300, -1e300, 8.64e15 + 1].map((at) => JSON.stringify(started(`at ${at}`, { at })));
    writeFileSync(join(folder, '2026-01-09-7-abcdef.jsonl'), `${strange.join('\n')}\n`);
    assert.deepEqual(await ids(journal), ['r1']);
  });

  it('deletes whole files past their days, and only its own kind', async () => {
    const journal = open();
    await journal.append(started('today'));
    const names = [
      '2025-12-01-7-abcdef.jsonl',
      '2025-12-02-7-abcdef.jsonl',
      '2026-01-09-7-abcdef.jsonl',
      '2025-12-01-notes.txt',
    ];
    for (const [index, name] of names.entries()) {
      writeFileSync(join(folder, name), `${JSON.stringify(started(`r${index}`, { at: index }))}\n`);
      // The second was written to lately, whatever its name says.
      const time = (index === 1 ? noon : noon - 30 * dayMs) / 1000;
      utimesSync(join(folder, name), time, time);
    }
    assert.deepEqual(await ids(journal), ['today', 'r2', 'r1', 'r0']);
    await journal.prune(7);
    assert.deepEqual(await ids(journal), ['today', 'r2', 'r1']);
    assert.equal(files().length, 4);
  });

  it('tells of its own entries, and of other processes while somebody listens', async () => {
    const journal = open();
    await journal.append(started('r1'));
    let changes = 0;
    const first = new Promise<void>((resolve) => {
      const scheduled = clock.after.bind(clock);
      clock.after = (ms, callback) => {
        resolve();
        return scheduled(ms, callback);
      };
    });
    const subscription = journal.onDidChange(() => (changes += 1));
    await journal.append(ended('r1'));
    assert.equal(changes, 1);
    await open(other).append(started('r2', { owner: other }));
    await first;
    clock.advance(100);
    assert.equal(changes, 2);
    subscription.dispose();
    assert.equal(clock.pending, 0);
  });

  it('holds what eight processes write at once, some of them killed', async () => {
    const script = fileURLToPath(new URL('../../support/journal/writerProcess.ts', import.meta.url));
    const count = 300;
    const writers = Array.from({ length: 8 }, (_, index) => {
      const killed = index % 2 === 0;
      const args = [script, folder, `p${index}`, String(killed ? 1_000_000 : count)];
      return { killed, child: spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] }) };
    });
    await Promise.all(
      writers.map(async ({ killed, child }) => {
        const gone = once(child, 'exit');
        if (killed) {
          await once(child.stdout, 'data');
          child.kill('SIGKILL');
        }
        await gone;
      }),
    );
    const records = await open(owner, () => false).read();
    for (const [index, { killed }] of writers.entries()) {
      const own = records.filter(({ runId }) => runId.startsWith(`p${index}-`));
      const unfinished = own.filter(({ status }) => status !== 'completed');
      if (killed) assert.ok(own.length > 0 && unfinished.length <= 1);
      else assert.deepEqual([own.length, unfinished], [count, []]);
    }
  }).timeout(30_000);
});
