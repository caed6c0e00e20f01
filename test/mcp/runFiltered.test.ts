import assert from 'node:assert/strict';
import { refused, useToolBench } from '../support/toolBench.ts';

describe('run_filtered', () => {
  const bench = useToolBench();

  const ended = 'Exit code 1, 2.0 s.';

  it('hands on the command as it was given, and asks for what is wanted of its output', async () => {
    const { client, delegation } = await bench.connect({ answer: () => ({ text: ended }) });
    const command = `npm test -- "$x" 'y'\nexit`;
    const answer = await client.call('run_filtered', { command, want: 'failures', timeout_ms: 5_000, effort: 'high' });
    assert.deepEqual(answer, { text: ended, isError: false });
    const asked = delegation.runs[0]?.asked;
    assert.ok(asked && 'command' in asked);
    const { filter, address, ...plain } = asked;
    assert.deepEqual(plain, {
      tool: 'run_filtered',
      command,
      cwd: bench.workspace,
      timeoutMs: 5_000,
      filterBy: { engine: 'codex', model: 'reader', effort: 'low' },
      maxChars: 17_000,
    });
    assert.equal(address('run-00000001'), 'sallyport://runs/run-00000001/output?page=1');
    const { prompt, instructions, ...worker } = filter({ outcome: ended, lines: 9, chars: 90, file: 'output.log' });
    assert.deepEqual(worker, {
      choice: { by: 'tier', tier: { engine: 'codex', model: 'reader', effort: 'low' } },
      effort: 'high',
    });
    assert.match(
      prompt,
      /npm test[^]*Exit code 1, 2\.0 s\.\n.*output\.log.*9 lines, 90 characters\.\n\nWanted: failures$/,
    );
    assert.match(instructions ?? '', /never run it/);
  });

  it('asks for failures when nothing is said to be wanted', async () => {
    const { client, delegation } = await bench.connect({ answer: () => ({ text: ended }) });
    await client.call('run_filtered', { command: 'make', want: ' ' });
    const asked = delegation.runs[0]?.asked;
    assert.ok(asked && 'command' in asked);
    assert.match(asked.filter({ outcome: ended, lines: 1, chars: 1, file: 'x' }).prompt, /Wanted: what failed and why/);
  });

  it('refuses an empty command, and a folder that is none', async () => {
    const { client, delegation } = await bench.connect({});
    refused(await client.call('run_filtered', { command: ' \n' }), /^command is empty/);
    refused(await client.call('run_filtered', { command: 'ls', cwd: '/' }), /./);
    assert.equal(delegation.runs.length, 0);
  });

  it('is refused inside a worker', async () => {
    const { client } = await bench.connect({}, { recursion: () => Promise.resolve('You are a worker already.') });
    refused(await client.call('run_filtered', { command: 'ls' }), /^You are a worker already\./);
  });

  it('takes few characters of everybody’s context', async () => {
    const { client } = await bench.connect({});
    const { tools } = await client.client.listTools();
    const own = JSON.stringify(tools.find(({ name }) => name === 'run_filtered')).length;
    assert.ok(own <= 680, `${own}`);
  });
});
