import assert from 'node:assert/strict';
import { followUpJob } from '../../../src/delegation/followUp.ts';
import type { RunRecord } from '../../../src/journal/entry.ts';

const handle = { engine: 'codex', id: 's1' } as const;
const record = (over: Partial<RunRecord> = {}): RunRecord => ({
  runId: 'r1',
  startedAt: 0,
  status: 'completed',
  owner: { pid: 1, startedAt: 'x', kind: 'window' },
  tool: 'delegate',
  engine: 'codex',
  model: 'big',
  effort: 'high',
  access: 'workspaceWrite',
  cwd: '/repo',
  title: 't',
  sessionId: 's1',
  charsRead: 0,
  charsReturned: 0,
  files: [],
  notes: [],
  moved: [],
  ...over,
});
const ask = { tool: 'follow_up', handle: 'codex:s1', question: 'and?' };

describe('a follow-up', () => {
  it('goes to the same engine, folder, model and session, and to nobody else', () => {
    const job = followUpJob(ask, handle, [record()], false);
    assert.deepEqual(job.candidates, [{ engine: 'codex', model: 'big', effort: 'high' }]);
    assert.deepEqual(job.resume, { id: 's1' });
    assert.equal(job.task.cwd, '/repo');
    assert.equal(job.refused, undefined);
  });

  it('keeps the access of the run that began the session, whatever came between', () => {
    const known = [record({ runId: 'r2', access: 'readOnly' }), record({ access: 'workspaceWrite' })];
    assert.equal(followUpJob(ask, handle, known, false).task.access, 'workspaceWrite');
  });

  it('cannot write in a session that began read-only, unless the person allowed widening', () => {
    const known = [record({ access: 'readOnly' })];
    assert.equal(followUpJob(ask, handle, known, false).task.access, 'readOnly');
    const widened = followUpJob(ask, handle, known, true);
    assert.equal(widened.task.access, 'workspaceWrite');
    assert.match(widened.notes.join(), /allowWiden/);
  });

  it('searches the web when its session does', () => {
    const known = [record({ runId: 'r2' }), record({ access: 'readOnly', web: true })];
    assert.equal(followUpJob({ ...ask, mode: 'ask' }, handle, known, false).task.web, true);
    assert.equal(followUpJob(ask, handle, [record()], false).task.web, undefined);
  });

  for (const mode of ['ask', 'plan'] as const) {
    it(`is read-only in mode ${mode}, even where widening is allowed`, () => {
      assert.equal(followUpJob({ ...ask, mode }, handle, [record()], true).task.access, 'readOnly');
    });
  }

  it('waits for nobody in another process: a session has one writer', () => {
    const busy = [record({ status: 'running' })];
    assert.match(followUpJob(ask, handle, busy, false).refused?.message ?? '', /another window or server/);
    assert.equal(followUpJob(ask, handle, busy, false, (runId) => runId === 'r1').refused, undefined);
  });

  it('of a session the journal does not know is read-only and says so', () => {
    const job = followUpJob({ ...ask, cwd: '/repo' }, handle, [], true);
    assert.equal(job.task.access, 'readOnly');
    assert.match(job.notes.join(), /read-only/);
    assert.equal(job.refused, undefined);
  });

  it('takes along what the session had used so far', () => {
    const threadUsage = { input: 3, cachedInput: 0, output: 1 };
    const job = followUpJob(ask, handle, [record({ runId: 'r2' }), record({ threadUsage })], false);
    assert.deepEqual(job.resume, { id: 's1', threadUsage });
  });

  it('resumes the session when the handle is the id of the run that began it', () => {
    const job = followUpJob({ ...ask, handle: 'codex:r1' }, { engine: 'codex', id: 'r1' }, [record()], false);
    assert.equal(job.resume?.id, 's1');
  });

  it('is refused for a garbled handle, a session that never began and a session without a folder', () => {
    assert.match(followUpJob(ask, undefined, [], false).refused?.message ?? '', /is no session/);
    const { sessionId: _gone, ...unborn } = record({ status: 'failed' });
    assert.match(followUpJob(ask, handle, [unborn], false).refused?.message ?? '', /nothing to continue/);
    assert.match(followUpJob(ask, handle, [], false).refused?.message ?? '', /Pass cwd/);
  });

  it('of Claude Code is refused from another folder, where it would not find its session', () => {
    const claude = { engine: 'claude', id: 's1' } as const;
    const known = [record({ engine: 'claude' })];
    assert.match(followUpJob({ ...ask, cwd: '/other' }, claude, known, false).refused?.message ?? '', /\/repo/);
    assert.equal(followUpJob({ ...ask, cwd: '/repo' }, claude, known, false).refused, undefined);
  });
});
