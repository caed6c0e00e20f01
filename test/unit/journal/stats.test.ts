import assert from 'node:assert/strict';
import type { RunRecord } from '../../../src/journal/entry.ts';
import { stats } from '../../../src/journal/stats.ts';

const base: RunRecord = {
  ...{
    runId: 'r',
    startedAt: 1000,
    status: 'completed',
    owner: { pid: 1, startedAt: '', kind: 'window' },
    tool: 'explore',
  },
  ...{
    engine: 'codex',
    access: 'readOnly',
    cwd: '/',
    title: '',
    charsRead: 0,
    charsReturned: 0,
    files: [],
    notes: [],
    moved: [],
  },
};

describe('stats', () => {
  it('counts per tool and engine, and never invents a number', () => {
    const usage = { input: 100, cachedInput: 50, output: 10 };
    const { rows } = stats([
      { ...base, endedAt: 2000, charsRead: 100, charsReturned: 30, usage },
      { ...base, endedAt: 4000, charsRead: 10, charsReturned: 30 },
      { ...base, endedAt: 7000, status: 'failed' },
      { ...base, endedAt: 500, status: 'cancelled' },
      { ...base, status: 'lost' },
      { ...base, status: 'running', charsReturned: 25 },
      { ...base, tool: '__proto__', engine: 'grok', endedAt: 1010, usage: { ...usage, output: 0 } },
    ]);
    assert.deepEqual(rows, [
      {
        ...{ tool: 'explore', engine: 'codex', runs: 6, completed: 2, failed: 2, cancelled: 1, running: 1 },
        ...{ medianMs: 3000, maxMs: 6000, charsRead: 110, charsReturned: 85, charsKeptOut: 50 },
        ...{ tokensIn: 100, tokensOut: 10, runsWithoutTokens: 4 },
      },
      {
        ...{ tool: '__proto__', engine: 'grok', runs: 1, completed: 1, failed: 0, cancelled: 0, running: 0 },
        ...{ medianMs: 10, maxMs: 10, charsRead: 0, charsReturned: 0, charsKeptOut: 0 },
        ...{ tokensIn: 100, tokensOut: 0, runsWithoutTokens: 0 },
      },
    ]);
  });

  it('leaves out what nobody measured, and what is older than asked for', () => {
    const { rows } = stats(
      [
        { ...base, startedAt: 10 },
        { ...base, startedAt: 9, tool: 'plan' },
      ],
      10,
    );
    assert.deepEqual(
      rows.map(({ tool }) => tool),
      ['explore'],
    );
    assert.equal(stats([{ ...base, leads: 2 }]).rows[0]?.runsWithoutTokens, 0, 'it has no worker of its own');
    assert.equal('medianMs' in (rows[0] ?? {}), false);
    assert.equal('tokensIn' in (rows[0] ?? {}), false);
  });
});
