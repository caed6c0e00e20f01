import assert from 'node:assert/strict';
import type { Task } from '../../src/delegation/task.ts';
import { answering, refused, useToolBench } from '../support/toolBench.ts';

describe('fast_delegate', () => {
  const bench = useToolBench();

  it('takes its own ladder, a shorter prompt and five minutes', async () => {
    const { client, delegation } = await bench.connect(answering);
    await client.call('fast_delegate', { prompt: 'Rename a to b.' });
    await client.call('fast_delegate', { prompt: 'x', level: 3, timeout_ms: 60_000 });
    await client.call('delegate', { prompt: 'x' });
    const [first, second, whole] = delegation.runs.map(({ asked }) => asked as Task);
    const { instructions = '', ...asked } = first ?? assert.fail('nothing was asked');
    assert.deepEqual(asked, {
      tool: 'fast_delegate',
      prompt: 'Rename a to b.',
      access: 'workspaceWrite',
      cwd: bench.workspace,
      choice: { by: 'level', level: 1, fast: true },
      usualMs: 300_000,
    });
    assert.deepEqual([second?.choice, second?.timeoutMs], [{ by: 'level', level: 3, fast: true }, 60_000]);
    assert.ok(instructions.length < (whole?.instructions?.length ?? 0) / 1.5, 'the prompt is shorter');
  });

  it('says what is wrong with bad input', async () => {
    const { client, delegation } = await bench.connect(answering);
    refused(await client.call('fast_delegate', {}), /prompt/);
    refused(await client.call('fast_delegate', { prompt: 'x', level: 4 }), /level: /);
    refused(await client.call('fast_delegate', { prompt: 'x', timeout_ms: 300_001 }), /timeout_ms: .*300000/);
    assert.equal(delegation.runs.length, 0);
  });
});
