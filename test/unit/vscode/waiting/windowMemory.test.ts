import assert from 'node:assert/strict';
import { WindowMemory } from '../../../../src/vscode/waiting/windowMemory.ts';
import { command } from '../../../support/sampleRequests.ts';

describe('what a window remembers of requests', () => {
  it('is when an answer arrived, whatever comes after that', () => {
    const memory = new WindowMemory();
    memory.update([command('a', 'x', { delivery: { state: 'sending' } })], 1000);
    memory.update([command('a', 'x', { delivery: { state: 'accepted' } })], 2000);
    memory.update([command('a', 'x', { delivery: { state: 'running' } })], 3000);
    assert.equal(memory.deliveredSinceMs('a'), 2000);
  });

  it('is the last answer and why one was refused, until another is taken', () => {
    const memory = new WindowMemory();
    memory.answerRefused('a', 'changed');
    assert.equal(memory.refusal('a'), 'changed');
    memory.answerTaken('a', { kind: 'approve' });
    assert.deepEqual([memory.refusal('a'), memory.given('a')], [undefined, { kind: 'approve' }]);
  });

  it('goes with the requests', () => {
    const memory = new WindowMemory();
    memory.answerTaken('a', { kind: 'skip' });
    memory.answerTaken('b', { kind: 'skip' });
    memory.answerRefused('a', 'no');
    memory.update([command('b', 'x')], 0);
    assert.deepEqual(
      [memory.given('a'), memory.refusal('a'), memory.given('b')],
      [undefined, undefined, { kind: 'skip' }],
    );
  });
});
