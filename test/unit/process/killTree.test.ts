import assert from 'node:assert/strict';
import { sendSignal, sweep } from '../../../src/process/killTree.ts';
import { runMarker } from '../../../src/process/marker.ts';
import { createProcessTable, type ProcessTable } from '../../../src/process/processTable.ts';
import { startFake } from '../../support/processes/runs.ts';

describe('sweep', () => {
  it('goes on until two looks in a row find nothing', async () => {
    const run = startFake(['stay']);
    const pid = run.worker.pid ?? 0;
    const looks = [[], [pid], [], [], [pid]];
    let asked = 0;
    const table: ProcessTable = {
      ...createProcessTable(),
      seesEnvironments: true,
      processesBearing: () => Promise.resolve(looks[asked++] ?? []),
    };
    await sweep(runMarker(run.runId), table);
    assert.equal(asked, 4);
    assert.equal((await run.finish()).signal, 'SIGKILL');
  });

  it('ends a tree that forks faster than one look', async () => {
    // Each generation starts the next in a session of its own and ends; the last one ends the chain if no sweep does.
    const script = `
      const env = { ...process.env, LEFT: process.env.LEFT - 1 };
      const again = { detached: true, stdio: 'ignore', env };
      if (env.LEFT > 0) require('child_process').spawn(process.execPath, ['-e', env.SCRIPT], again).unref();`;
    const run = startFake([], { args: ['-e', script], env: { SCRIPT: script, LEFT: '200' } });
    await run.finish();
  });
});

describe('sendSignal', () => {
  it('says whether there was somebody to signal', () => {
    assert.equal(sendSignal(process.pid, 'SIGCONT'), true);
    assert.equal(sendSignal(2 ** 30, 'SIGCONT'), false);
  });
});
