import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../src/base/clock.ts';
import { claimName } from '../../../src/keys/claim.ts';
import { createTerminalLocks } from '../../../src/keys/lock.ts';
import { createProcessStates } from '../../../src/process/processStates.ts';
import { useTemporaryFolder } from '../../support/cursorStore/temporaryFolder.ts';
import { FakeClock } from '../../support/fakes/clock.ts';
import { eventually } from '../../support/processes/runs.ts';

const lockProcess = fileURLToPath(new URL('../../support/keys/lockProcess.ts', import.meta.url));
const never = new AbortController().signal;

describe('locks of terminals', function () {
  this.timeout(60_000);
  const temporaryFolder = useTemporaryFolder();
  const folder = () => join(temporaryFolder(), 'locks');
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });

  const locksOf = (clock = systemClock) =>
    createTerminalLocks({ folder: folder(), states: createProcessStates(), clock });
  const claims = () => readdirSync(folder());
  /** Starts a process that takes the lock; `said` grows with what it says. */
  function start(times: number, atEnd: 'end' | 'hold') {
    const args = [lockProcess, folder(), temporaryFolder(), String(times), atEnd];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    children.push(child);
    const said: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(...text.trim().split('\n')));
    return { child, said };
  }

  it('are given to one at a time, in turn, and leave nothing behind', async () => {
    const locks = locksOf();
    const order: number[] = [];
    const first = await locks.take('a', never);
    const waiting: Promise<void>[] = [];
    for (const each of [1, 2, 3]) {
      waiting.push(
        locks.take('a', never).then((lease) => {
          order.push(each);
          lease.dispose();
        }),
      );
      await eventually('it queues', () => claims().filter((name) => !name.includes('choosing')).length === each + 1);
    }
    (await locks.take('b', never)).dispose();
    assert.deepEqual(order, []);
    first.dispose();
    first.dispose();
    await Promise.all(waiting);
    assert.deepEqual(order, [1, 2, 3]);
    assert.deepEqual(claims(), []);
  });

  it('are waited for only until aborted', async () => {
    const clock = new FakeClock();
    const locks = locksOf(clock);
    const lease = await locks.take('a', never);
    const abort = new AbortController();
    const waiting = locks.take('a', abort.signal);
    await eventually('it waits', () => clock.pending === 1);
    abort.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
    assert.deepEqual([clock.pending, claims().length], [0, 1]);
    lease.dispose();
    await assert.rejects(locks.take('a', AbortSignal.abort(new Error('never began'))), /never began/);
    assert.deepEqual(claims(), []);
  });

  it('keep out another process, and are free the moment it is killed', async () => {
    const { child, said } = start(0, 'hold');
    await eventually('it is held', () => said.includes('held'));
    const locks = locksOf();
    let taken = false;
    const waiting = locks.take('terminal', never).then((lease) => {
      taken = true;
      return lease;
    });
    await eventually('we queue', () => claims().filter((name) => !name.includes('choosing')).length === 2);
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(taken, false);
    child.kill('SIGKILL');
    (await waiting).dispose();
    assert.deepEqual(claims(), []);
  });

  it('take no heed of what dead processes left, whatever has their number now', async () => {
    mkdirSync(folder(), { recursive: true });
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'exit');
    const names: string[] = [];
    const lease = await locksOf().take('terminal', never);
    const queue = claims()[0]?.split('.')[0] ?? '';
    lease.dispose();
    const stale = [
      { number: 1, pid: gone.pid ?? 0, startedAt: '1' },
      { number: undefined, pid: gone.pid ?? 0, startedAt: '' },
      { number: 1, pid: process.pid, startedAt: '1' },
      { number: undefined, pid: process.ppid, startedAt: 'another' },
    ];
    for (const [index, each] of stale.entries()) names.push(claimName({ queue, id: `0${index}`, ...each }));
    names.push('a file of somebody else');
    for (const name of names) writeFileSync(join(folder(), name), '');
    (await locksOf().take('terminal', never)).dispose();
    assert.deepEqual(claims(), ['a file of somebody else']);
  });

  it('wait for who is still choosing its number, which may be the lower one', async () => {
    const clock = new FakeClock();
    const locks = locksOf(clock);
    const first = await locks.take('terminal', never);
    const queue = claims()[0]?.split('.')[0] ?? '';
    first.dispose();
    const other = { queue, pid: process.ppid, startedAt: '', id: '0' };
    const choosing = join(folder(), claimName({ ...other, number: undefined }));
    const chosen = join(folder(), claimName({ ...other, number: 1 }));
    writeFileSync(choosing, '');
    let taken = false;
    const waiting = locks.take('terminal', never).then((lease) => {
      taken = true;
      lease.dispose();
    });
    const looksAgain = async () => {
      await eventually('it waits', () => clock.pending === 1);
      clock.advance(1000);
      await eventually('it waits again', () => clock.pending === 1);
    };
    await looksAgain();
    // Equal to ours, and the other one has the lower id.
    writeFileSync(chosen, '');
    rmSync(choosing);
    await looksAgain();
    assert.equal(taken, false);
    rmSync(chosen);
    clock.advance(1000);
    await waiting;
  });

  it('are never held by two, while processes queue, choose, and are killed', async () => {
    const workers = [1, 2, 3].map(() => start(25, 'end'));
    let killed = 0;
    while (workers.some(({ said }) => !said.includes('done'))) {
      const { child, said } = start(1, 'hold');
      // Some are killed while they hold it, some wherever they are.
      if (killed % 2 === 0) await eventually('it is held', () => said.includes('held'), 20_000);
      else
        await eventually('it queues', () => claims().some((name) => name.split('.')[2] === String(child.pid)), 20_000);
      child.kill('SIGKILL');
      await once(child, 'exit');
      assert.deepEqual(
        said.filter((line) => line !== 'held'),
        [],
      );
      killed += 1;
    }
    for (const { said } of workers) assert.deepEqual(said, ['done']);
    assert.ok(killed >= 2, `${killed} killed`);
  });
});
