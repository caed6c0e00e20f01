import assert from 'node:assert/strict';
import type { FanOut, Task } from '../../src/delegation/task.ts';
import { fakeRecord } from '../support/fakes/delegation.ts';
import { answering, refused, useToolBench } from '../support/toolBench.ts';

describe('fan_out', () => {
  const bench = useToolBench();

  it('hands on the task, the levels and the mode, with the reading model as arbiter', async () => {
    const { client, delegation } = await bench.connect(answering);
    const asked = { prompt: 'Mend it.', levels: [1, 3], mode: 'consensus', effort: 'low', timeout_ms: 60_000 };
    const { text, isError } = await client.call('fan_out', asked);
    assert.equal(isError, false);
    assert.match(text, /^It is done\.\n\nsession_id: codex:abc-123\n/);
    const { digest, task, ...rest } = delegation.runs[0]?.asked as FanOut;
    const { instructions, ...given } = task;
    assert.deepEqual(given, {
      tool: 'fan_out',
      prompt: 'Mend it.',
      cwd: bench.workspace,
      effort: 'low',
      timeoutMs: 60_000,
    });
    assert.match(instructions ?? '', /files you changed/);
    const arbiter = { engine: 'codex', model: 'reader', effort: 'low' };
    assert.deepEqual(rest, { levels: [1, 3], mode: 'consensus', arbiter });
    const { prompt, instructions: how } = digest([{ worker: 'level 1, codex', text: 'A.' }]);
    assert.match(prompt, /<task>\nMend it\.\n<\/task>\n\n<answer worker="level 1, codex">\nA\.\n<\/answer>$/);
    assert.match(how, /change no file[^]*agree[^]*differ/);
  });

  it('is waited for by follow_up like any other run, and cancelled with its call', async () => {
    const settings = () => ({ exploreModel: { engine: 'codex' } as const, maxWaitMs: 1, resultMaxChars: 20_000 });
    const { client, delegation } = await bench.connect({}, { settings });
    const { text } = await client.call('fan_out', { prompt: 'x', levels: [1, 2], mode: 'race' });
    const [, handle = ''] = /^session_id: (\S+)$/m.exec(text) ?? [];
    assert.match(text, /^Still running/);
    delegation.runs[0]?.finish({ text: 'Won.\n\nWorkers:' });
    assert.match((await client.call('follow_up', { session_id: handle })).text, /^Won\.\n\nWorkers:/);
  });

  it('says what is wrong with bad input', async () => {
    const { client, delegation } = await bench.connect(answering);
    refused(await client.call('fan_out', { prompt: ' ', levels: [1, 2], mode: 'race' }), /empty/);
    for (const levels of [[], [1], [1, 6], [1, 2, 3, 4, 5, 1], [1, 1.5]])
      refused(await client.call('fan_out', { prompt: 'x', levels, mode: 'race' }), /levels/);
    refused(await client.call('fan_out', { prompt: 'x', levels: [1, 2], mode: 'vote' }), /mode/);
    refused(await client.call('fan_out', { prompt: 'x', levels: [1, 2] }), /mode/);
    assert.equal(delegation.live.length, 0);
  });

  it('has follow_up say why a loser cannot be asked, and look for the rest where the person works', async () => {
    const { client, delegation } = await bench.connect(answering);
    const why = 'That worker lost a race.';
    const run = { sessionId: 's1', runId: 'run-lost', status: 'cancelled', origin: bench.workspace } as const;
    delegation.records.push(fakeRecord({ ...run, cwd: '/elsewhere/tree', closed: why }));
    const { text } = await client.call('follow_up', { session_id: 'codex:s1' });
    assert.match(text, /^Note: That worker lost a race\./);
    const open = { sessionId: 's2', runId: 'run-open', status: 'completed', origin: bench.workspace } as const;
    delegation.records.push(fakeRecord({ ...open, cwd: bench.root }));
    const asked = await client.call('follow_up', { session_id: 'codex:s2', question: 'And?' });
    assert.equal(asked.isError, false, asked.text);
  });
});

describe('isolation', () => {
  const bench = useToolBench();

  it('is handed on by delegate and build, and is a worktree or nothing', async () => {
    const { client, delegation } = await bench.connect(answering);
    await client.call('delegate', { prompt: 'x', isolation: 'worktree' });
    await client.call('build', { plan: 'x', isolation: 'worktree' });
    await client.call('build', { plan: 'x' });
    const asked = delegation.runs.map((run) => (run.asked as Task).isolation);
    assert.deepEqual(asked, ['worktree', 'worktree', undefined]);
    refused(await client.call('delegate', { prompt: 'x', isolation: 'container' }), /isolation/);
  });
});
