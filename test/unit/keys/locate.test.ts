import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { attachArguments } from '../../../src/keys/attach.ts';
import { createLocator, type LocatorSystem } from '../../../src/keys/locate.ts';
import type { OwnedTerminal } from '../../../src/keys/owned.ts';
import type { KeyTarget, Located } from '../../../src/keys/target.ts';
import { socketFolder, socketOf } from '../../../src/keys/tmuxServers.ts';
import { capture } from '../../../src/process/capture.ts';
import { createOpenFiles } from '../../../src/process/openFiles.ts';
import { createProcessStates } from '../../../src/process/processStates.ts';
import { useTemporaryFolder } from '../../support/cursorStore/temporaryFolder.ts';
import { eventually } from '../../support/processes/runs.ts';
import { createPrivateTmux, type PrivateTmux, tmuxFile } from '../../support/tmux/privateTmux.ts';

const never = new AbortController().signal;
const uid = process.getuid?.();
const sleeper = ['sleep', '1000'];
const noTmux = { ok: false, why: 'No program named tmux was found.' } as const;

describe('where a process is', () => {
  const servers: PrivateTmux[] = [];
  const listeners: Server[] = [];
  before(function () {
    if (tmuxFile === undefined || uid === undefined) this.skip();
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) server.end();
    for (const each of listeners.splice(0)) await new Promise((resolve) => each.close(resolve));
  });
  // After the servers have ended, whose sockets are in it.
  const folder = useTemporaryFolder();

  /** The folder of this user's sockets, as `env` below names it. */
  function sockets(): string {
    const path = socketFolder({ TMUX_TMPDIR: folder() }, uid ?? 0);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  }
  function server(name?: string): PrivateTmux {
    const created = createPrivateTmux(name === undefined ? undefined : sockets(), name);
    servers.push(created);
    return created;
  }
  /** Gives the pane once its program has begun: until then its process is a part of the server. */
  async function opened(tmux: PrivateTmux, argv: readonly string[]): Promise<string> {
    const pane = tmux.open(argv, { BEGUN: 'yes' });
    await eventually('it has begun', async () => (await variableOf(tmux.pid(pane), 'BEGUN')) === 'yes');
    return pane;
  }
  function locate(
    process: { pid: number; tty: string | undefined },
    extra: Partial<LocatorSystem> = {},
    signal = never,
  ) {
    const system: LocatorSystem = {
      owned: () => [],
      findTmux: () => Promise.resolve({ ok: true, file: tmuxFile ?? '' }),
      capture,
      states: createProcessStates(),
      env: { TMUX_TMPDIR: folder() },
      uid,
      ...extra,
    };
    return createLocator(system).locate(process, signal);
  }
  const whereIs = (tmux: PrivateTmux, pane: string, extra: Partial<LocatorSystem> = {}) =>
    locate({ pid: tmux.pid(pane), tty: tmux.tty(pane) }, extra);
  const placeOf = (found: Located) => (found.kind === 'target' ? found.place : found.why);
  const whyNot = (found: Located) => (found.kind === 'unreachable' ? found.why : found.place.kind);
  const owned = (pid: number): OwnedTerminal => ({ id: `terminal of ${pid}`, pid, target: notAsked });

  it('is the pane of the server that it names itself, wherever that has its socket', async () => {
    const tmux = server();
    const pane = await opened(tmux, sleeper);
    assert.deepEqual(placeOf(await whereIs(tmux, pane)), { kind: 'tmux', socket: tmux.socket, pane });
  });

  it('is found on any server of the user, among sockets without one', async () => {
    const [one, two] = [server('one'), server('two')];
    await opened(one, sleeper);
    await opened(two, sleeper);
    const pane = await opened(two, ['env', '-u', 'TMUX', ...sleeper]);
    writeFileSync(join(sockets(), 'no socket'), '');
    const gone = createPrivateTmux(sockets(), 'gone');
    gone.open(sleeper);
    process.kill(Number(gone.run('display-message', '-p', '#{pid}')), 'SIGKILL');
    await eventually('its variable is gone', async () => (await variableOf(two.pid(pane), 'TMUX')) === undefined);
    assert.deepEqual(placeOf(await whereIs(two, pane)), { kind: 'tmux', socket: two.socket, pane });
  });

  it('is one pane though that is in several sessions, and the same one for every window', async () => {
    const tmux = server();
    const pane = await opened(tmux, sleeper);
    tmux.run('new-session', '-d', '-t', tmux.run('display-message', '-p', '-t', pane, '#{session_name}'));
    tmux.run('link-window', '-s', pane, '-t', ':7');
    assert.ok(tmux.run('list-panes', '-a').split('\n').length > 1);
    const [one, two] = [await whereIs(tmux, pane), await whereIs(tmux, pane)];
    assert.ok(one.kind === 'target' && two.kind === 'target');
    assert.equal(one.target.id, two.target.id);
    assert.equal(one.target.title, `tmux ${pane}`);
  });

  it('is unknown when two servers claim its terminal', async () => {
    const tmux = server();
    const pane = await opened(tmux, ['env', '-u', 'TMUX', ...sleeper]);
    const line = `${pane} 1 ${tmux.pid(pane)} ${tmux.tty(pane)}\n`;
    for (const name of ['a', 'b']) await listen(join(sockets(), name));
    let asked = 0;
    const saying: LocatorSystem['capture'] = async (command) => {
      asked += 1;
      const said = await capture({ ...command, file: '/bin/echo', args: ['-n', line.replace(' 1 ', ` ${asked} `)] });
      return said;
    };
    await eventually('its variable is gone', async () => (await variableOf(tmux.pid(pane), 'TMUX')) === undefined);
    assert.match(whyNot(await whereIs(tmux, pane, { capture: saying })), /Several panes/);
    assert.equal(asked, 2);
  });

  it('is not the pane of a container, whose terminals have the same names', async () => {
    const tmux = server();
    const pane = await opened(tmux, sleeper);
    const line = `%0 1 ${tmux.pid(pane) + 1} ${tmux.tty(pane)}`;
    const saying: LocatorSystem['capture'] = (command) => capture({ ...command, file: '/bin/echo', args: [line] });
    assert.match(whyNot(await whereIs(tmux, pane, { capture: saying })), /cannot type into/);
  });

  it('is the terminal that Sallyport owns, and the pane within it when it runs in that', async () => {
    const tmux = server();
    const shell = await opened(tmux, ['sh', '-c', 'sleep 1000; true']);
    const [pid, tty] = [tmux.pid(shell), tmux.tty(shell)];
    const all = [owned(process.pid), owned(pid)];
    assert.deepEqual(placeOf(await locate({ pid, tty }, { owned: () => all })), { kind: 'owned', id: all[1]?.id });
    const [child = 0] = await childrenOf(pid);
    const found = await locate({ pid: child, tty }, { owned: () => all, findTmux: () => Promise.resolve(noTmux) });
    assert.deepEqual(placeOf(found), { kind: 'owned', id: all[1]?.id });
    // The owned terminal's tty is another one than that of the agent in tmux.
    const pane = await opened(tmux, sleeper);
    assert.deepEqual(placeOf(await whereIs(tmux, pane, { owned: () => all })), {
      kind: 'tmux',
      socket: tmux.socket,
      pane,
    });
  });

  it('is unreachable elsewhere: it says why, and which processes a terminal of the editor might have', async () => {
    const found = await locate({ pid: process.pid, tty: '/dev/pts/99999' });
    assert.ok(found.kind === 'unreachable' && found.place?.kind === 'process');
    assert.match(found.why, /\/dev\/pts\/99999.*cannot type into.*tmux/);
    assert.deepEqual(found.place.pids.slice(0, 2), [process.pid, process.ppid]);
    assert.match(whyNot(await locate({ pid: process.pid, tty: undefined })), /without a terminal/);
    assert.match(whyNot(await locate({ pid: process.pid, tty: '/dev/pts/1' }, { uid: undefined })), /On Windows/);
    const { pid } = spawnSync('true');
    assert.match(whyNot(await locate({ pid, tty: '/dev/pts/1' })), /has ended/);
  });

  it('says that tmux is missing only to who is in tmux', async () => {
    const tmux = server();
    const pane = await opened(tmux, sleeper);
    const findTmux = () => Promise.resolve(noTmux);
    assert.match(whyNot(await whereIs(tmux, pane, { findTmux })), /started in tmux.*No program named tmux/);
    assert.doesNotMatch(whyNot(await locate({ pid: process.pid, tty: '/dev/pts/99999' }, { findTmux })), /No program/);
  });

  it('says which server could not be asked', async () => {
    await listen(join(sockets(), 'mute'));
    const mute: LocatorSystem['capture'] = (command) => capture({ ...command, timeoutMs: 100 });
    const found = await locate({ pid: process.pid, tty: '/dev/pts/99999' }, { capture: mute });
    assert.match(whyNot(found), /could not be asked.*not answered/);
  });

  it('is not sought any longer once aborted', async () => {
    const aborted = AbortSignal.abort(new Error('enough'));
    await assert.rejects(locate({ pid: process.pid, tty: '/dev/pts/99999' }, {}, aborted), /enough/);
  });

  it('is shown by tmux in another terminal', async () => {
    const [inner, outer] = [server('inner'), server('outer')];
    const first = await opened(inner, sleeper);
    const second = inner.run('split-window', '-d', '-P', '-F', '#{pane_id}', '-t', first, 'echo this one; sleep 1000');
    await opened(inner, sleeper);
    const args = attachArguments({ kind: 'tmux', socket: inner.socket, pane: second });
    const viewer = await opened(outer, ['env', '-u', 'TMUX', tmuxFile ?? '', ...args]);
    await eventually('it is shown', () => outer.run('capture-pane', '-p', '-t', viewer).includes('this one'));
    assert.equal(inner.run('display-message', '-p', '-t', second, '#{window_active}#{pane_active}'), '11');
  });

  it('reads TMUX', () => {
    assert.equal(socketOf('/tmp/with, comma,123,0'), '/tmp/with, comma');
    for (const other of ['', 'default', '/tmp/x', '/tmp/x,1']) assert.equal(socketOf(other), undefined);
    assert.equal(socketFolder({}, 501), '/tmp/tmux-501');
    assert.equal(socketFolder({ TMUX_TMPDIR: '' }, 501), '/tmp/tmux-501');
  });

  async function listen(path: string): Promise<void> {
    // Reads what comes, so that it sees the end of the connection, and never answers.
    const listener = createServer((connection) => connection.on('error', () => undefined).resume());
    listeners.push(listener);
    await new Promise<void>((resolve) => listener.listen(path, resolve));
  }
});

const notAsked: KeyTarget = {
  id: 'owned',
  title: 'Sallyport terminal',
  onDidChange: undefined,
  look: () => Promise.reject(new Error('not asked')),
  send: () => Promise.reject(new Error('not asked')),
};

function variableOf(pid: number, name: string): Promise<string | undefined> {
  return createProcessStates().variable(pid, name);
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  return (await createOpenFiles().details(pid))?.children ?? [];
}
