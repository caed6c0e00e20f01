import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../src/base/clock.ts';
import { capture, type Command } from '../../../src/process/capture.ts';
import { SteppedClock } from '../../support/processes/steppedClock.ts';
import { eventually, fakeWorker, isRunning } from '../../support/processes/runs.ts';

function run(acts: string[], extra: Partial<Command> = {}, clock?: Clock) {
  const command = {
    file: process.execPath,
    args: [fakeWorker, ...acts],
    cwd: homedir(),
    env: { PATH: process.env.PATH },
    timeoutMs: 9000,
    maxBytes: 1024 * 1024,
    ...extra,
  };
  return capture(command, clock);
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
    const folder = await mkdtemp(join(tmpdir(), 'sallyport-capture-'));
    const file = join(folder, 'pid');
    const clock = new SteppedClock();
    const running = run(['ignoreSignals', 'say=out', `grandchild=${file}`, 'stay'], {}, clock);
    await eventually('the grandchild is up', () => existsSync(file));
    await clock.pass(9000);
    await clock.pass(1000);
    const { stdout, timedOut, signal } = await running;
    assert.deepEqual([stdout.toString(), timedOut, signal], ['out\n', true, 'SIGKILL']);
    assert.equal(await isRunning(Number(await readFile(file, 'utf8'))), false);
    await rm(folder, { recursive: true });
  });

  it('lets a command take its locks away before it ends', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sallyport-capture-'));
    const lock = join(folder, 'lock');
    const script = `trap 'rm ${lock}' EXIT; touch ${lock}; while :; do sleep 0.05; done`;
    const clock = new SteppedClock();
    const running = run([], { file: '/bin/bash', args: ['-c', script] }, clock);
    await eventually('the lock is taken', () => existsSync(lock));
    await clock.pass(9000);
    assert.equal((await running).timedOut, true);
    assert.equal(existsSync(lock), false);
    await rm(folder, { recursive: true });
  });

  it('ends the tree on abort', async () => {
    const controller = new AbortController();
    const running = run(['stay'], { signal: controller.signal });
    controller.abort();
    const { signal, timedOut } = await running;
    assert.deepEqual([signal, timedOut], ['SIGHUP', false]);
    assert.match((await run(['exit=0'], { signal: controller.signal })).stderr, /cancelled/);
  });

  it('says why a command could not be started', async () => {
    const { startFailed, stderr } = await run([], { file: '/no/such/git' });
    assert.equal(startFailed, true);
    assert.match(stderr, /ENOENT/);
  });
});
