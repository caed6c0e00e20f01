import assert from 'node:assert/strict';
import { DayRows } from '../../../src/vscode/runs/dayRows.ts';
import type { DayNode, RunNode } from '../../../src/vscode/runs/runNode.ts';
import { FakeClock } from '../../support/fakes/clock.ts';

const run = (runId: string): RunNode => ({
  kind: 'run',
  workers: [],
  record: {
    runId,
    startedAt: 1,
    status: 'completed',
    owner: { pid: 1, startedAt: '0', kind: 'window' },
    tool: 'command',
    engine: 'codex',
    access: 'workspaceWrite',
    cwd: '/w',
    title: runId,
    charsRead: 0,
    charsReturned: 0,
    files: [],
    notes: [],
    moved: [],
  },
});
const day = (count: number, start = 0): DayNode => ({
  kind: 'day',
  start,
  isOpen: true,
  runs: Array.from({ length: count }, (_, n) => run(`${start} ${n}`)),
});

describe('the rows of a day', () => {
  let clock: FakeClock;
  let asked: DayNode[];
  let rows: DayRows;

  beforeEach(() => {
    clock = new FakeClock();
    asked = [];
    rows = new DayRows(clock, (each) => asked.push(each));
  });

  it('are sent at once when they are few', () => {
    const few = day(50);
    assert.deepEqual(rows.of(few), few.runs);
    assert.equal(clock.pending, 0);
  });

  it('are the newest ones of a long day first, and a moment later all of them', () => {
    const long = day(51);
    assert.deepEqual(rows.of(long), long.runs.slice(0, 50));
    clock.advance(1_000);
    assert.deepEqual(asked, [long]);
    assert.deepEqual(rows.of(long), long.runs);
    assert.equal(clock.pending, 0);
  });

  it('never become fewer once they were shown', () => {
    rows.of(day(60));
    const grown = day(61);
    assert.deepEqual(rows.of(grown), grown.runs);
  });

  it('of another day are sent in parts too', () => {
    rows.of(day(60));
    assert.equal(rows.of(day(60, 86_400_000)).length, 50);
  });

  it('are asked for no more when the view is gone', () => {
    rows.of(day(60));
    rows.dispose();
    assert.equal(clock.pending, 0);
  });
});
