import assert from 'node:assert/strict';
import type { Task } from '../../src/delegation/task.ts';
import { answering, refused, useToolBench } from '../support/toolBench.ts';

describe('plan and build', () => {
  const bench = useToolBench();

  it('think at level 3 without writing, and carry out at level 1', async () => {
    const { client, delegation } = await bench.connect({
      answer: () => ({ sessionId: 'abc-123', text: '1. `src/a.ts:1`' }),
    });
    const planned = await client.call('plan', { task: 'Add b.' });
    await client.call('build', { plan: '1. Edit a.', level: 2, effort: 'low' });
    const [first, second] = delegation.runs.map(({ asked }) => asked as Task);
    const { instructions, check, ...plan } = first ?? assert.fail('no plan');
    assert.deepEqual(plan, {
      tool: 'plan',
      prompt: 'Add b.',
      access: 'readOnly',
      cwd: bench.workspace,
      choice: { by: 'level', level: 3 },
    });
    assert.match(instructions ?? '', /change no file[^]*in backticks/);
    assert.ok(check);
    assert.match(planned.text, /^1\. `src\/a\.ts:1`\n\nsession_id/);
    const { instructions: told, ...build } = second ?? assert.fail('no build');
    assert.deepEqual(build, {
      tool: 'build',
      prompt: '1. Edit a.',
      access: 'workspaceWrite',
      cwd: bench.workspace,
      choice: { by: 'level', level: 2 },
      effort: 'low',
    });
    assert.match(told ?? '', /Follow it step by step[^]*files you changed[^]*deviation/);
  });

  it('say when the plan rests on files that are not there', async () => {
    const text = '1. `src/a.ts`\n2. `src/none.ts:4`\n3. `src/b.ts` (new)';
    const { client } = await bench.connect({ answer: () => ({ text }) });
    const answer = await client.call('plan', { task: 'x' });
    assert.match(answer.text, /^Note: The plan names files that are not there: src\/none\.ts\. Check .*\n\n1\. /);
  });

  it('say what is wrong with bad input', async () => {
    const { client, delegation } = await bench.connect(answering);
    refused(await client.call('plan', { task: ' ' }), /empty/);
    refused(await client.call('build', { plan: '' }), /empty/);
    refused(await client.call('build', {}), /plan: /);
    for (const level of [0, 6, 1.5]) {
      refused(await client.call('plan', { task: 'x', level }), /level: /);
      refused(await client.call('build', { plan: 'x', level }), /level: /);
    }
    assert.equal(delegation.live.length, 0);
  });
});
