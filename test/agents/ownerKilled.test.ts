import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Bench, sandboxed, unsandboxed, until } from '../support/bench/bench.ts';

/** Longer than a guard takes on a busy machine; what it looks for shows at once. */
const guardMs = 10_000;

describe('a delegating process that is killed with SIGKILL', function () {
  this.timeout(60_000);

  const engines = ['codex', 'claude', 'grok'] as const;
  for (const [engine, sandbox] of engines.flatMap((each) => [
    [each, sandboxed] as const,
    [each, unsandboxed] as const,
  ])) {
    it(`takes its ${engine} and all it started along, and its run counts as lost (sandbox ${sandbox.mode})`, () =>
      Bench.with(
        [engine],
        async (bench) => {
          const args = [
            join(import.meta.dirname, 'ownerProcess.ts'),
            JSON.stringify(bench.wiring),
            '[[scenario: grandchild]] Begin.',
          ];
          const owner = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
          try {
            const [printed] = (await once(owner.stdout, 'data')) as [Buffer];
            const runId = printed.toString().trim();
            await bench.appears('grandchild.pid');
            const recorded = async () => (await bench.recordOf(`${engine}:${runId}`))?.sessionId !== undefined;
            await until(recorded, 'its session is recorded', guardMs);
            assert.ok((await bench.processesOf(runId)).length >= 2);
            owner.kill('SIGKILL');
            await once(owner, 'exit');
            await until(async () => (await bench.processesOf(runId)).length === 0, 'the guard ends the run', guardMs);
            const record = await bench.recordOf(`${engine}:${runId}`);
            assert.equal(record?.status, 'lost');
            const handle = `${engine}:${record.sessionId ?? assert.fail('no session was recorded')}`;
            const next = await bench.followUp({ handle }, '[[scenario: answer]] And now?');
            assert.equal(next.text, 'The answer is forty-two.');
          } finally {
            owner.kill('SIGKILL');
          }
        },
        { settings: { sandbox } },
      ));
  }
});
