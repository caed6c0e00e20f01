import assert from 'node:assert/strict';
import { Bench, sandboxed, unsandboxed, until } from '../support/bench/bench.ts';
import type { LiveRun } from '../../src/delegation/task.ts';

/** A run that is in the middle of a command, whose processes want to live on. */
async function busy(bench: Bench, scenario: string): Promise<LiveRun> {
  const run = bench.start(`[[scenario: ${scenario}]] Begin.`);
  let begun = false;
  run.onEvent(({ kind }) => (begun ||= kind === 'toolStarted'));
  await bench.appears('grandchild.pid');
  await until(() => begun, 'the CLI tells of the command');
  // The CLI and the loop at least.
  await until(async () => (await bench.processesOf(run.id)).length >= 2, 'the command runs');
  return run;
}

for (const engine of ['codex', 'claude', 'grok'] as const) {
  describe(`stopping ${engine}`, function () {
    this.timeout(60_000);

    for (const sandbox of [sandboxed, unsandboxed]) {
      const options = { settings: { sandbox } };
      for (const scenario of ['grandchild', 'stubborn'] as const) {
        it(`leaves nothing of a cancelled run (${scenario}, sandbox ${sandbox.mode})`, () =>
          Bench.with(
            [engine],
            async (bench) => {
              const run = await busy(bench, scenario);
              run.cancel();
              const { status, reason, handle } = await bench.end(run);
              assert.deepEqual({ status, reason }, { status: 'cancelled', reason: 'cancelled' });
              assert.ok(handle?.startsWith(`${engine}:`));
              assert.deepEqual(bench.changes(), ['?? grandchild.pid']);
              assert.deepEqual(await bench.folders(), ['.git'], 'folders the CLI left in the workspace');
            },
            options,
          ));
      }

      it(`leaves nothing of a run that is out of time (sandbox ${sandbox.mode})`, () =>
        Bench.with(
          [engine],
          async (bench) => {
            const run = await busy(bench, 'grandchild');
            bench.clock.jump(30 * 60_000);
            const { status, reason, text, files, notes } = await bench.end(run);
            assert.deepEqual({ status, reason }, { status: 'failed', reason: 'timedOut' });
            assert.match(text, /did not finish within 30 min/);
            assert.deepEqual(files, [{ path: 'grandchild.pid', kind: 'added' }], notes.join('\n'));
          },
          options,
        ));
    }

    it('leaves nothing of what a finished run left behind', () =>
      Bench.with([engine], async (bench) => {
        const result = await bench.run('[[scenario: orphan]] Begin.', { access: 'full' });
        assert.equal(result.text, 'The server is running in the background.');
        assert.equal(await bench.has('grandchild.pid'), true);
      }));

    it('can follow up a run that was cancelled', () =>
      Bench.with([engine], async (bench) => {
        const run = await busy(bench, 'grandchild');
        run.cancel();
        const result = await bench.followUp(await bench.end(run), '[[scenario: answer]] And?');
        assert.equal(result.text, 'The answer is forty-two.');
      }));
  });
}

describe('a background task of the CLI', function () {
  this.timeout(60_000);

  for (const engine of ['codex', 'claude', 'grok'] as const) {
    it(`of ${engine} ends with the run`, () =>
      Bench.with([engine], async (bench) => {
        const run = bench.start('[[scenario: background]] Begin.');
        await bench.appears('background.pid');
        if (engine === 'grok') {
          // Grok stays, without a word, as long as its task does.
          await until(() => bench.server.requests.length >= 2, 'the turn goes on');
          bench.clock.jump(30 * 60_000);
        }
        await bench.end(run);
      }));
  }
});
