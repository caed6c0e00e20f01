import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, isRunning, startFake } from '../../support/processes/runs.ts';

describe('startWorker', () => {
  it('delivers lines both ways, the code and the end of standard error', async () => {
    const run = startFake(['say=hello', 'complain=oh no', 'echo']);
    run.worker.write('one');
    run.worker.endInput();
    const exit = await run.finish();
    assert.deepEqual(
      run.lines.map(({ line }) => line),
      ['hello', 'echo one'],
    );
    assert.deepEqual(exit, { code: 0, signal: null, stderrTail: 'oh no', startFailed: false });
  });

  it('gives the worker the environment it was told, with the marker', async () => {
    const run = startFake([], { args: ['-e', 'console.log(JSON.stringify(process.env))'], env: { ONLY: 'this' } });
    await run.finish();
    assert.deepEqual(JSON.parse(run.lines[0]?.line ?? ''), { ONLY: 'this', SALLYPORT_RUN: run.runId });
  });

  it('replaces invalid UTF-8 and delivers a last line without an end', async () => {
    const run = startFake(['bytes=61ff620a', 'bytes=e282', 'bytes=ac', 'exit=3']);
    const exit = await run.finish();
    assert.equal(exit.code, 3);
    assert.deepEqual(
      run.lines.map(({ line }) => line),
      ['a�b', '€'],
    );
  });

  it('keeps the last 8 KB of standard error, whole characters only', async () => {
    const run = startFake([`complain=${'é'.repeat(5000)}!`, 'exit=0']);
    const { stderrTail } = await run.finish();
    assert.equal(stderrTail, `${'é'.repeat(4095)}!`);
  });

  it('takes a line of 100 MB within 64 MB of memory and loses nothing after it', async function () {
    this.timeout(20_000);
    const memory = () => {
      const { rss, external, heapUsed } = process.memoryUsage();
      return { rss, own: external + heapUsed };
    };
    globalThis.gc?.();
    const before = memory();
    const peak = { ...before };
    const run = startFake(['longLine=100', 'say=after', 'exit=0']);
    const timer = setInterval(() => {
      const now = memory();
      peak.rss = Math.max(peak.rss, now.rss);
      peak.own = Math.max(peak.own, now.own);
    }, 2);
    await run.finish();
    clearInterval(timer);
    assert.deepEqual(
      run.lines.map(({ line, cut }) => [line.length, cut]),
      [
        [8 * 1024 * 1024, true],
        ['after'.length, false],
      ],
    );
    const mebibytes = (bytes: number) => Math.round(bytes / 1024 / 1024);
    const grown = { rss: mebibytes(peak.rss - before.rss), own: mebibytes(peak.own - before.own) };
    assert.ok(grown.rss < 64 && grown.own < 64, `memory grew by ${JSON.stringify(grown)} MB`);
  });

  it('reports a flood once and throws the rest away', async () => {
    const run = startFake(['say=first', 'longLine=2', 'say=never', 'exit=0'], { maxOutputBytes: 1024 * 1024 });
    assert.equal((await run.finish()).code, 0);
    assert.equal(run.floods(), 1);
    assert.deepEqual(run.lines, [{ line: 'first', cut: false }]);
  });

  it('survives writing to a worker that no longer reads, or is gone', async () => {
    const run = startFake(['closeInput', 'say=closed', 'ignoreSignals', 'stay']);
    await eventually('the worker has closed its input', () => run.lines.length === 1);
    for (let i = 0; i < 20; i++) run.worker.write('x'.repeat(100_000));
    run.worker.endInput();
    process.kill(run.worker.pid ?? 0, 'SIGKILL');
    assert.equal((await run.finish()).signal, 'SIGKILL');
    run.worker.write('too late');
    run.worker.endInput();
  });

  it('says why a worker could not be started', async () => {
    const missing = startFake([], { file: join(tmpdir(), 'no such program') });
    const exit = await missing.finish();
    assert.deepEqual([exit.code, exit.startFailed, missing.worker.pid], [null, true, undefined]);
    assert.match(exit.stderrTail, /no such program could not be started.*ENOENT/);
    missing.worker.write('nobody');
    await missing.worker.stop();
    assert.match((await startFake([], { file: tmpdir() }).finish()).stderrTail, /permission.*EACCES/);
    assert.match((await startFake([], { cwd: '/no such folder' }).finish()).stderrTail, /working folder/);
    assert.match((await startFake(['x'.repeat(4_000_000)]).finish()).stderrTail, /too long \(E2BIG\)/);
    assert.match((await startFake(['nul \0 byte']).finish()).stderrTail, /null bytes/);
  });

  it('does not wait for pipes that a process holds which it may not end', async () => {
    const run = startFake(['holdOutput', 'say=answer', 'exit=0']);
    assert.equal((await run.finish()).code, 0);
    assert.equal(run.lines[1]?.line, 'answer');
    const holder = Number(run.lines[0]?.line);
    assert.ok(await isRunning(holder), 'only what bears the marker is ended');
    process.kill(holder, 'SIGKILL');
  });

  it('sweeps what a run leaves in the background after a normal end', async () => {
    const run = startFake(['grandchild', 'exit=0']);
    await run.finish();
    assert.equal(await isRunning(Number(run.lines[0]?.line)), false);
  });
});
