import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseStat } from '../../../src/process/linuxStat.ts';
import { createProcessStates, type ProcessStates } from '../../../src/process/processStates.ts';
import { createPsStates, lineAbove, parsePsState, variableIn } from '../../../src/process/psStates.ts';
import { eventually } from '../../support/processes/runs.ts';

function describeStates(title: string, create: () => ProcessStates): void {
  describe(title, () => {
    it('see a process, its suspension and its end', async () => {
      const child = spawn('sleep', ['60'], { stdio: 'ignore' });
      const pid = child.pid ?? 0;
      const states = create();
      const running = await states.of(pid);
      assert.ok(typeof running === 'object');
      assert.equal(running.parent, process.pid);
      assert.equal(running.stopped, false);
      child.kill('SIGSTOP');
      await eventually('it is suspended', async () => {
        const state = await states.of(pid);
        return typeof state === 'object' && state.stopped && state.startedAt === running.startedAt;
      });
      child.kill('SIGKILL');
      await once(child, 'exit');
      assert.equal(await states.of(pid), 'ended');
    });

    it('take a process that has ended and was not reaped for ended', async () => {
      // It does nothing any more once it has said the number, so it never waits for its child.
      const script = `
        const { pid } = require('node:child_process').spawn('sleep', ['60'], { stdio: 'ignore' });
        require('node:fs').writeSync(1, String(pid));
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`;
      const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(line.toString());
      process.kill(pid, 'SIGKILL');
      await eventually('it is seen as ended', async () => (await create().of(pid)) === 'ended');
      assert.equal(process.kill(pid, 0), true);
      parent.kill('SIGKILL');
      await once(parent, 'exit');
    });

    it('name the ancestors, the parent first', async () => {
      const [parent] = await create().ancestors(process.pid);
      assert.equal(parent, process.ppid);
      assert.deepEqual(await create().ancestors(2 ** 22 + 1), []);
    });
  });
}

describe('states of processes', () => {
  if (process.platform === 'linux') describeStates('read from /proc', () => createProcessStates());
  describeStates('asked of ps', createPsStates);

  it('know a variable a process was started with', async function () {
    if (process.platform === 'win32') this.skip();
    const child = spawn('sleep', ['60'], { stdio: 'ignore', env: { TMUX: '/tmp/größe,1,0', TMUX_PANE: '%1' } });
    const states = createProcessStates();
    const pid = child.pid ?? 0;
    await eventually('it has begun', async () => (await states.variable(pid, 'TMUX_PANE')) === '%1');
    assert.equal(await states.variable(pid, 'TMUX'), '/tmp/größe,1,0');
    assert.equal(await states.variable(pid, 'MUX'), undefined);
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.equal(await states.variable(pid, 'TMUX'), undefined);
  });

  it('read what macOS says', () => {
    assert.deepEqual(parsePsState('  812   901   901 S+   ttys003  Mon Nov 30 21:22:00 2026    '), {
      parent: 812,
      group: 901,
      session: undefined,
      tty: '/dev/ttys003',
      foreground: 901,
      stopped: false,
      startedAt: 'Mon Nov 30 21:22:00 2026',
    });
    const suspended = parsePsState('  812   901   812 T    ttys003  Mon Nov 30 21:22:00 2026');
    assert.ok(typeof suspended === 'object' && suspended.stopped && suspended.foreground === 812);
    const daemon = parsePsState('    1   400     0 Ss   ??       Mon Nov  2 21:22:00 2026');
    assert.ok(typeof daemon === 'object' && daemon.tty === undefined && daemon.foreground === undefined);
    assert.equal(parsePsState('  812   901   812 Z+   ttys003  Mon Nov 30 21:22:00 2026'), 'ended');
    assert.equal(parsePsState(''), undefined);
    assert.deepEqual(lineAbove(30, ['   30    20', '   20     1', '    1     0', '  400    30']), [20, 1]);
    const row = 'node agent.js TMUX=no --x HOME=/Users/x TMUX=/private/tmp/tmux-501/default,812,0 TERM=tmux';
    assert.equal(variableIn(row, 'TMUX'), '/private/tmp/tmux-501/default,812,0');
    assert.equal(variableIn(row, 'TMUX_PANE'), undefined);
  });

  it('read a line of /proc, whatever the program is called', () => {
    const fields = '41 44 41 34819 44 4194304 1 0 0 0 0 0 0 0 20 0 7 0 987654 1 1';
    const expected = {
      state: 'S',
      parent: 41,
      group: 44,
      session: 41,
      tty: '/dev/pts/3',
      foreground: 44,
      startTime: '987654',
    };
    assert.deepEqual(parseStat(`44 (a) Z 1 (b) S ${fields}\n`), expected);
    assert.deepEqual(parseStat(`44 (x) S ${fields.replace('34819 44', '0 -1')}`), {
      ...expected,
      tty: undefined,
      foreground: undefined,
    });
    assert.equal(parseStat(''), undefined);
  });

  it('are unknown where it is not known how to look', async () => {
    const states = createProcessStates('win32');
    assert.equal(await states.of(process.pid), 'unknown');
    assert.equal(await states.of(2 ** 22 + 1), 'ended');
    assert.deepEqual(await states.ancestors(process.pid), []);
    assert.equal(await states.variable(process.pid, 'PATH'), undefined);
  });
});
