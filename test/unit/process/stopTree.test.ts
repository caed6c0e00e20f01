import assert from 'node:assert/strict';
import type { Clock } from '../../../src/base/clock.ts';
import { toDisposable } from '../../../src/base/disposable.ts';
import { createProcessTable } from '../../../src/process/processTable.ts';
import { eventually, isRunning, startFake } from '../../support/processes/runs.ts';

/** Fires the timers of the stop only when told, in the order they were set. */
class SteppedClock implements Clock {
  readonly waits: { ms: number; fire: () => void }[] = [];

  now(): number {
    return 0;
  }

  after(ms: number, fire: () => void) {
    const wait = { ms, fire };
    this.waits.push(wait);
    return toDisposable(() => this.waits.splice(this.waits.indexOf(wait), 1));
  }

  async pass(ms: number): Promise<void> {
    await eventually(`something waits for ${ms} ms`, () => this.waits.some((wait) => wait.ms === ms));
    const index = this.waits.findIndex((wait) => wait.ms === ms);
    this.waits.splice(index, 1)[0]?.fire();
  }
}

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
