import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createProcessTable } from '../../../src/process/processTable.ts';
import {
  assertNothingLeft,
  eventually,
  fakeWorker,
  guardMain,
  ownerOfWorker,
  startFake,
  survivors,
} from '../../support/processes/runs.ts';

/** Finds the guard by its arguments: it bears no marker. */
async function guardOf(runId: string, owner: number): Promise<number | undefined> {
  const children = (await readFile(`/proc/${owner}/task/${owner}/children`, 'utf8')).trim().split(' ').map(Number);
  for (const child of children) {
    const words = (await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')).split('\0');
    if (words.some((word) => word.includes('guardMain')) && words.includes(runId)) return child;
  }
  return undefined;
}

describe('guard', () => {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  it('ends the workers of an owner that was killed, and itself', async () => {
    const runId = randomUUID();
    const acts = ['ignoreSignals', 'grandchild', 'stay', 'say=up'];
    const owner = spawn(process.execPath, [ownerOfWorker, runId, fakeWorker, guardMain, ...acts], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    owner.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    await eventually('the worker is up', () => output.includes('up'));
    assert.equal((await survivors(runId)).length, 2);
    const guard = await guardOf(runId, owner.pid ?? 0);
    assert.ok(guard);
    const startedAt = await createProcessTable().startTime(guard);
    assert.ok(startedAt);
    owner.kill('SIGKILL');
    await eventually('the run is gone', async () => (await survivors(runId)).length === 0);
    await eventually('the guard is gone', async () => !(await createProcessTable().isAlive(guard, startedAt)));
    await assertNothingLeft(runId);
  });

  it('leaves when the run has ended', async () => {
    const lost: string[] = [];
    const guard = { file: process.execPath, args: [guardMain], env: { ...process.env, SALLYPORT_RUN: 'outer' } };
    const run = startFake(['say=up'], { guard }, { onGuardLost: (why) => lost.push(why) });
    const pid = await guardOf(run.runId, process.pid);
    assert.ok(pid);
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
    assert.doesNotMatch(environment, /SALLYPORT_/);
    run.worker.endInput();
    await run.finish();
    await eventually('the guard is gone', async () => (await guardOf(run.runId, process.pid)) === undefined);
    assert.deepEqual(lost, []);
  });

  it('reports a guard that cannot be started or is lost', async () => {
    const lost: string[] = [];
    const onGuardLost = (why: string) => lost.push(why);
    const missing = startFake(['say=up'], { guard: { file: '/no/such/node', args: [], env: {} } }, { onGuardLost });
    await eventually('the loss is reported', () => lost.length === 1);
    missing.worker.endInput();
    await missing.finish();
    const killed = startFake(
      ['say=up'],
      { guard: { file: process.execPath, args: [guardMain], env: {} } },
      { onGuardLost },
    );
    process.kill((await guardOf(killed.runId, process.pid)) ?? 0, 'SIGKILL');
    await eventually('the loss is reported', () => lost.length === 2);
    killed.worker.endInput();
    await killed.finish();
    assert.match(lost.join(), /could not be started.*ended early \(SIGKILL\)/);
  });
});
