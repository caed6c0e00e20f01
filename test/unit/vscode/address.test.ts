import assert from 'node:assert/strict';
import { resultPath, runOfAddress } from '../../../src/vscode/results/address.ts';

const runId = '0198c0de-0000-4000-8000-000000000001';

describe('result address', () => {
  it('leads back to its run', () => {
    for (const title of ['Fix the tests', '../../etc/passwd', 'a/b\\c?d#e%2F', '', '🙂', 'x'.repeat(300)]) {
      const path = resultPath({ engine: 'codex', runId, title });
      assert.deepEqual(runOfAddress(path), { handle: `codex:${runId}`, runId }, path);
    }
  });

  it('names the tab after the task, or the agent when that has no words', () => {
    assert.match(resultPath({ engine: 'grok', runId, title: 'Fix: the tests!' }), /\/Fix the tests\.md$/);
    assert.match(resultPath({ engine: 'grok', runId, title: '!!' }), /\/grok\.md$/);
  });

  it('knows no other path', () => {
    for (const path of ['/', '/codex:../x.md', '/codex/x.md', `/codex:${runId}/a/b.md`])
      assert.equal(runOfAddress(path), undefined);
  });
});
