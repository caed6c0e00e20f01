import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runMarker } from '../../../src/process/marker.ts';
import { createProcessTable } from '../../../src/process/processTable.ts';
import { startFake } from '../../support/processes/runs.ts';

describe('process table', () => {
  before(function () {
    if (!createProcessTable().seesEnvironments) this.skip();
  });

  it('finds the processes that bear exactly a marker', async () => {
    const table = createProcessTable();
    const one = startFake(['say=up']);
    const other = startFake(['say=up'], { runId: `${one.runId}2` });
    assert.deepEqual(await table.processesBearing(runMarker(one.runId)), [one.worker.pid]);
    assert.deepEqual(await table.processesBearing(runMarker(one.runId.slice(0, -1))), []);
    one.worker.endInput();
    other.worker.endInput();
    await one.finish();
    await other.finish();
  });

  it('tells a process from another one of the same number, and a dead one from a live one', async () => {
    const table = createProcessTable();
    const run = startFake(['say=up']);
    const pid = run.worker.pid ?? 0;
    const startedAt = await table.startTime(pid);
    assert.ok(startedAt);
    assert.equal(await table.isAlive(pid, startedAt), true);
    assert.equal(await table.isAlive(pid, '0'), false);
    run.worker.endInput();
    await run.finish();
    assert.equal(await table.isAlive(pid, startedAt), false);
    assert.equal(await table.startTime(pid), undefined);
  });

  it('knows a process whose parent bore a variable that it does not bear itself', async () => {
    const module = fileURLToPath(new URL('../../../src/process/processTable.ts', import.meta.url));
    const ask = `import(${JSON.stringify(module)}).then(async (m) => {
      const table = m.createProcessTable();
      console.log(await table.bornUnder('SALLYPORT_DEPTH'), await table.bornUnder('SALLYPORT_NOT_SET'));
    })`;
    const script = `require('child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(ask)}], { env: {}, stdio: 'inherit' })`;
    const parent = spawn(process.execPath, ['-e', script], {
      env: { SALLYPORT_DEPTH: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let answer = '';
    parent.stdout.setEncoding('utf8').on('data', (text: string) => (answer += text));
    await new Promise((resolve) => parent.once('close', resolve));
    assert.equal(answer.trim(), 'true false');
  });

  it('says that it is blind where it cannot look', async () => {
    const table = createProcessTable('win32');
    assert.equal(table.seesEnvironments, false);
    assert.deepEqual(await table.processesBearing(runMarker('any')), []);
  });
});
