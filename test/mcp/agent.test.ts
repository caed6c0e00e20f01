import assert from 'node:assert/strict';
import type { Task } from '../../src/delegation/task.ts';
import { answering, refused, useToolBench } from '../support/toolBench.ts';

describe('agent, the persona of a worker that may write', () => {
  const bench = useToolBench();
  const calls = [
    ['delegate', { prompt: 'x' }],
    ['fast_delegate', { prompt: 'x' }],
    ['build', { plan: 'x' }],
  ] as const;

  it('reaches the use case by name or by its words, and nobody has one who was given none', async () => {
    const { client, delegation } = await bench.connect(answering);
    for (const [tool, input] of calls) {
      for (const agent of ['pit:digger', { prompt: 'You dig.' }]) {
        await client.call(tool, { ...input, agent });
        assert.deepEqual((delegation.runs.at(-1)?.asked as Task).agent, agent, tool);
      }
      await client.call(tool, input);
      assert.ok(!('agent' in (delegation.runs.at(-1)?.asked ?? {})), tool);
    }
  });

  it('is refused in any other form', async () => {
    const { client, delegation } = await bench.connect(answering);
    for (const [tool, input] of calls) {
      for (const agent of [7, ['a'], {}, { prompt: 7 }, { prompt: 'x', path: '/etc/passwd' }]) {
        refused(await client.call(tool, { ...input, agent }), /agent/);
      }
    }
    refused(await client.call('explore', { agent: 'digger' }), /agent/);
    assert.equal(delegation.runs.length, 0);
  });
});
