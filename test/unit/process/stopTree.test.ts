import assert from 'node:assert/strict';
import { createProcessTable } from '../../../src/process/processTable.ts';
import { SteppedClock } from '../../support/processes/steppedClock.ts';
import { eventually, isRunning, startFake } from '../../support/processes/runs.ts';

function startStepped(acts: string[]) {
  const clock = new SteppedClock();
  return { clock, run: startFake(acts, {}, {}, { clock, table: createProcessTable() }) };
}

describe('stop', () => {
  it('lets a worker end by itself on SIGINT', async () => {
    const { run } = startStepped(['endOnInterrupt', 'stay', 'say=up']);
    await eventually('the worker is up', () => run.lines.length === 1);
    await run.worker.stop();
    assert.equal((await run.finish()).code, 7);
  });

  it('asks by the protocol first, closes the input, and sends no signal when that is enough', async () => {
    const { run } = startStepped(['echo', 'say=up']);
    await eventually('the worker is up', () => run.lines.length === 1);
    await run.worker.stop(() => run.worker.write('interrupt'));
    assert.deepEqual(await run.finish(), { code: 0, signal: null, stderrTail: '', startFailed: false });
    assert.equal(run.lines.at(-1)?.line, 'echo interrupt');
  });

  it('ends a worker and its grandchild that ignore every polite signal, the grandchild in its own session', async () => {
    const { clock, run } = startStepped(['ignoreSignals', 'grandchild', 'stay']);
    await eventually('the grandchild is up', () => run.lines.length === 1);
    const stopped = run.worker.stop(() => {
      throw new Error('the protocol is broken');
    });
    await clock.pass(250);
    await clock.pass(2000);
    await stopped;
    assert.equal((await run.finish()).signal, 'SIGKILL');
    assert.equal(await isRunning(Number(run.lines[0]?.line)), false);
  });

  it('may be called again, and after the end', async () => {
    const { run } = startStepped(['endOnInterrupt', 'stay', 'say=up']);
    await eventually('the worker is up', () => run.lines.length === 1);
    await Promise.all([run.worker.stop(), run.worker.stop()]);
    await run.worker.stop();
    assert.equal((await run.finish()).code, 7);
  });
});
