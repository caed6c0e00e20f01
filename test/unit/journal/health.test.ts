import assert from 'node:assert/strict';
import type { RunRecord } from '../../../src/journal/entry.ts';
import { health } from '../../../src/journal/health.ts';
import type { FailureReason } from '../../../src/protocol/model.ts';

const now = Date.UTC(2026, 0, 10, 12);
const minute = 60_000;

const run = (minutesAgo: number, reason?: FailureReason): RunRecord => ({
  ...{
    runId: 'r',
    startedAt: now,
    endedAt: now - minutesAgo * minute,
    status: reason ? 'failed' : 'completed',
    tool: 'delegate',
  },
  ...{ owner: { pid: 1, startedAt: '', kind: 'window' }, engine: 'codex', access: 'full', cwd: '/', title: '' },
  ...{ charsRead: 0, charsReturned: 0, files: [], notes: [], moved: [], ...(reason && { reason }) },
});
const codex = (...records: RunRecord[]) => health(records, now).codex;

describe('health', () => {
  it('passes an engine over after two failures in a row, and says why', () => {
    assert.equal(codex(run(1, 'exited')).healthy, true);
    const state = codex(run(1, 'rateLimited'), run(3, 'exited'));
    assert.ok(!state.healthy);
    assert.match(state.why, /^2 of its runs failed .* 1 min ago, was rate limited$/);
    assert.deepEqual(health([run(1, 'exited'), run(1, 'exited')], now).grok, { healthy: true });
  });

  it('holds nothing against an engine, nor for it, that a run said which only led others', () => {
    const leads = (record: RunRecord): RunRecord => ({ ...record, leads: 3 });
    assert.equal(codex(leads(run(1, 'exited')), leads(run(1, 'exited'))).healthy, true);
    assert.equal(codex(run(2, 'exited'), run(2, 'exited'), leads(run(1))).healthy, false);
  });

  it('tries it again when it said it would, within the hour however much went wrong', () => {
    const failures = Array.from({ length: 50 }, () => run(0, 'timedOut'));
    const state = health(failures, now).codex;
    assert.ok(!state.healthy);
    assert.ok(state.retryAt - now < 60 * minute);
    assert.equal(health(failures, state.retryAt - minute).codex.healthy, false);
    assert.equal(health(failures, state.retryAt + 1).codex.healthy, true);
    const again = [...failures, { ...run(0, 'exited'), endedAt: state.retryAt }];
    assert.equal(health(again, state.retryAt + 1).codex.healthy, false, 'a failed try passes it over again');
  });

  it('weighs a time-out more than other failures', () => {
    assert.equal(codex(run(0, 'exited'), run(15, 'exited')).healthy, false);
    assert.equal(codex(run(0, 'exited'), run(25, 'exited')).healthy, true);
    assert.equal(codex(run(0, 'exited'), run(25, 'timedOut')).healthy, false);
  });

  it('forgives when a run completes', () => {
    assert.equal(codex(run(3, 'exited'), run(2, 'exited'), run(1)).healthy, true);
  });

  it('does not hold against an engine what the caller or the person has to mend', () => {
    for (const reason of ['notInstalled', 'notSignedIn', 'badRequest', 'cancelled'] as const) {
      assert.equal(codex(...Array.from({ length: 10 }, () => run(1, reason))).healthy, true, reason);
    }
    const lost: RunRecord = { ...run(1), status: 'lost' };
    assert.equal(codex(lost, lost, lost).healthy, true);
  });

  it('counts a run against an engine once, though it came back to it', () => {
    const back: RunRecord = { ...run(0, 'rateLimited'), moved: [{ engine: 'codex', reason: 'rateLimited' }] };
    assert.equal(codex(back).healthy, true);
    assert.equal(codex(back, back).healthy, false);
  });

  it('counts the engine that a run moved away from', () => {
    const moved: RunRecord = { ...run(0), engine: 'grok', moved: [{ engine: 'codex', reason: 'rateLimited' }] };
    assert.equal(codex(moved, moved).healthy, false);
  });

  it('is not misled by times from before the clock was set back', () => {
    assert.equal(codex(run(-600, 'exited'), run(-600, 'exited')).healthy, true);
  });
});
