import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { capture, type Command } from '../../../src/process/capture.ts';
import { fakeWorker, isRunning } from '../../support/processes/runs.ts';

function run(acts: string[], extra: Partial<Command> = {}) {
  return capture({
    file: process.execPath,
    args: [fakeWorker, ...acts],
    cwd: homedir(),
    env: { PATH: process.env.PATH },
    timeoutMs: 9000,
    maxBytes: 1024 * 1024,
    ...extra,
  });
}

describe('capture', () => {
  it('returns what a command printed and how it ended', async () => {
    assert.deepEqual(await run(['say=out', 'complain=err', 'exit=4']), {
      code: 4,
      signal: null,
      stdout: Buffer.from('out\n'),
      stderr: 'err',
      timedOut: false,
      truncated: false,
      startFailed: false,
    });
  });

  it('hands over the input, and none without one', async () => {
    assert.equal((await run(['echo'], { input: 'text' })).stdout.toString(), 'echo text');
    assert.equal((await run(['echo'])).stdout.toString(), '');
  });

  it('cuts the output at the limit and lets the command end', async () => {
    const { stdout, truncated, code } = await run(['longLine=2', 'exit=0'], { maxBytes: 1000 });
    assert.deepEqual([stdout.length, truncated, code], [1000, true, 0]);
    assert.equal((await run(['bytes=616263', 'exit=0'], { maxBytes: 3 })).truncated, false);
  });

  it('ends the whole tree on time-out and returns what came until then', async () => {
    const { stdout, timedOut, signal } = await run(['ignoreSignals', 'grandchild', 'stay'], { timeoutMs: 400 });
    assert.deepEqual([timedOut, signal], [true, 'SIGKILL']);
    assert.ok(Number(stdout.toString()) > 1);
    assert.equal(await isRunning(Number(stdout.toString())), false);
  });

  it('ends the tree on abort', async () => {
    const controller = new AbortController();
    const running = run(['stay'], { signal: controller.signal });
    controller.abort();
    const { signal, timedOut } = await running;
    assert.deepEqual([signal, timedOut], ['SIGKILL', false]);
    assert.match((await run(['exit=0'], { signal: controller.signal })).stderr, /cancelled/);
  });

  it('says why a command could not be started', async () => {
    const { startFailed, stderr } = await run([], { file: '/no/such/git' });
    assert.equal(startFailed, true);
    assert.match(stderr, /ENOENT/);
  });
});
