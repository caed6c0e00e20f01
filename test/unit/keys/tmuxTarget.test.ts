import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLocator } from '../../../src/keys/locate.ts';
import type { Input, KeyTarget, Look } from '../../../src/keys/target.ts';
import { capture } from '../../../src/process/capture.ts';
import { createOpenFiles } from '../../../src/process/openFiles.ts';
import { createProcessStates } from '../../../src/process/processStates.ts';
import { useTemporaryFolder } from '../../support/cursorStore/temporaryFolder.ts';
import { eventually, isRunning } from '../../support/processes/runs.ts';
import { createPrivateTmux, type PrivateTmux, tmuxFile } from '../../support/tmux/privateTmux.ts';

const byteLogger = fileURLToPath(new URL('../../support/tmux/byteLogger.ts', import.meta.url));
const never = new AbortController().signal;

describe('an agent in tmux', function () {
  const folder = useTemporaryFolder();
  let tmux: PrivateTmux;
  let log: string;
  before(function () {
    if (tmuxFile === undefined) this.skip();
  });
  beforeEach(() => {
    tmux = createPrivateTmux();
    log = join(folder(), 'bytes');
  });
  afterEach(() => tmux.end());

  const logger = (screen = 'ready') => [process.execPath, byteLogger, log, screen];
  const bytes = () => readFileSync(log);
  const logged = () => eventually('the program listens', () => existsSync(log));

  /** Of the process that is found in a pane, which may be a child of the pane's own. */
  async function targetOf(pid: number, tty: string): Promise<KeyTarget> {
    const locator = createLocator({
      owned: () => [],
      findTmux: () => Promise.resolve({ ok: true, file: tmuxFile ?? '' }),
      capture,
      states: createProcessStates(),
      env: {},
      uid: process.getuid?.(),
    });
    const found = await locator.locate({ pid, tty }, never);
    assert.ok(found.kind === 'target', JSON.stringify(found));
    return found.target;
  }
  async function open(screen?: string): Promise<{ pane: string; target: KeyTarget }> {
    rmSync(log, { force: true });
    const pane = tmux.open(logger(screen));
    await logged();
    return { pane, target: await targetOf(tmux.pid(pane), tmux.tty(pane)) };
  }
  async function stateOf(target: KeyTarget): Promise<string> {
    const look = await target.look(never);
    return look.state === 'ready' ? 'ready' : `${look.state}: ${look.why}`;
  }
  async function lookUntil(target: KeyTarget, state: Look['state']): Promise<Look> {
    let look = await target.look(never);
    await eventually(`it is ${state}`, async () => {
      look = await target.look(never);
      return look.state === state;
    });
    return look;
  }
  async function refuses(target: KeyTarget, input: Input, why: RegExp): Promise<void> {
    const before = bytes();
    await assert.rejects(target.send(input, never), why);
    assert.deepEqual(bytes(), before);
  }

  it('shows the screen, with lines that the terminal has wrapped joined', async () => {
    const long = 'w'.repeat(150);
    const { target } = await open(`größe → Run (y) 🚀\n\n${long}`);
    const look = await lookUntil(target, 'ready');
    assert.ok(look.state === 'ready');
    assert.deepEqual(look.rows.slice(0, 3), ['größe → Run (y) 🚀', '', long]);
  });

  it('sends each key as what it is', async () => {
    const { target } = await open();
    for (const key of ['y', 'n', 'Escape', 'Enter', 'Space', 'Up', 'Down'] as const) await target.send({ key }, never);
    const expected = 'yn\x1b\r \x1b[A\x1b[B';
    await eventually('all keys have come', () => bytes().length >= expected.length);
    assert.equal(bytes().toString(), expected);
  });

  it('types any text literally', async () => {
    const { target } = await open();
    const texts = [
      ...[
        'Enter',
        'C-c',
        '-n',
        '--',
        '-l',
        'a;',
        ';',
        ';;',
        '\\;',
        '$(touch /x)',
        '`id`',
        '#{pane_pid}',
        '#(id)',
        '%3',
      ],
      ...['"', "'", '{', '}', '~', ' ', '  two  ', 'größe', '漢字', '👩‍👩‍👧‍👦 é', 'M-x', '^C', '\\', '#', '0x0a', 'Escape'],
      'x'.repeat(4999) + ';',
      '🚀é漢'.repeat(1700),
    ];
    let expected = '';
    for (const text of texts) {
      await target.send({ text }, never);
      expected += text;
      await eventually(`${text.slice(0, 20)} has come`, () => bytes().length >= Buffer.byteLength(expected));
      assert.equal(bytes().toString(), expected);
    }
  });

  it('refuses a text that would act', async () => {
    const { target } = await open();
    for (const text of ['a\tb', '\x1b[Z', 'a\nb', 'a\r', '\x7f', '\u0085', '\u0000', 'a\ud800b']) {
      await refuses(target, { text }, /control character/);
    }
  });

  it('sends nothing while the pane is in copy mode, and does not end it', async () => {
    const { pane, target } = await open('on the screen');
    tmux.run('copy-mode', '-t', pane);
    const look = await lookUntil(target, 'held');
    assert.ok(look.state === 'held');
    assert.match(look.why, /copy mode.*press q/i);
    assert.equal(look.rows[0], 'on the screen');
    await refuses(target, { key: 'y' }, /copy mode/);
    assert.equal(tmux.run('display-message', '-p', '-t', pane, '#{pane_in_mode}'), '1');
    tmux.run('send-keys', '-t', pane, 'q');
    assert.equal(await stateOf(target), 'ready');
    await target.send({ key: 'y' }, never);
    await eventually('it has come', () => bytes().toString() === 'y');
  });

  it('sends nothing while what is typed goes to other panes too, or nowhere', async () => {
    const { pane, target } = await open();
    tmux.run('set-option', '-w', '-t', pane, 'synchronize-panes', 'on');
    assert.match(await stateOf(target), /held.*all panes/);
    await refuses(target, { key: 'y' }, /took no key/);
    tmux.run('set-option', '-w', '-t', pane, 'synchronize-panes', 'off');
    tmux.run('select-pane', '-d', '-t', pane);
    assert.match(await stateOf(target), /held.*switched off/);
    await refuses(target, { key: 'y' }, /took no key/);
  });

  it('is gone when the pane is closed, dead, taken by another program, or the server has ended', async () => {
    const gone = /took no key|agent has ended|server has ended|in the foreground/;
    const closed = await open();
    tmux.open(['sleep', '100']);
    tmux.run('kill-pane', '-t', closed.pane);
    assert.match(await stateOf(closed.target), /gone.*closed/);
    await refuses(closed.target, { key: 'y' }, gone);

    const dead = await open();
    tmux.run('set-option', '-p', '-t', dead.pane, 'remain-on-exit', 'on');
    process.kill(tmux.pid(dead.pane), 'SIGKILL');
    await lookUntil(dead.target, 'gone');
    await refuses(dead.target, { key: 'y' }, gone);
    const isDead = () => tmux.run('display-message', '-p', '-t', dead.pane, '#{pane_dead}') === '1';
    await eventually('tmux has seen it', isDead);
    tmux.run('respawn-pane', '-t', dead.pane, ...logger().map((word) => `'${word}'`));
    assert.match(await stateOf(dead.target), /gone.*another/);
    await refuses(dead.target, { key: 'y' }, gone);

    const orphan = await open();
    tmux.run('kill-server');
    assert.match(await stateOf(orphan.target), /gone/);
    await assert.rejects(orphan.target.send({ key: 'y' }, never), gone);
  });

  it('sends nothing to a pane of the same name on another server behind the same socket', async () => {
    const gone = /took no key|agent has ended|in the foreground/;
    const { pane, target } = await open();
    const serverPid = Number(tmux.run('display-message', '-p', '#{pid}'));
    tmux.run('kill-server');
    await eventually('the server has ended', async () => !(await isRunning(serverPid)));
    const again = tmux.run('new-session', '-d', '-P', '-F', '#{pane_id}', ...logger());
    assert.equal(again, pane);
    assert.match(await stateOf(target), /gone.*another/);
    await refuses(target, { key: 'y' }, gone);
  });

  async function childOf(pane: string): Promise<number> {
    const [child = 0] = (await createOpenFiles().details(tmux.pid(pane)))?.children ?? [];
    return child;
  }

  /** A shell with job control that starts the program and says its pid. */
  async function underShell(): Promise<{ target: KeyTarget; pid: number }> {
    const pane = tmux.open(['bash', '--norc', '--noprofile', '-i']);
    tmux.run(
      'send-keys',
      '-t',
      pane,
      '-l',
      logger()
        .map((word) => `'${word}'`)
        .join(' '),
    );
    tmux.run('send-keys', '-t', pane, 'Enter');
    await logged();
    const pid = await childOf(pane);
    return { pid, target: await targetOf(pid, tmux.tty(pane)) };
  }

  it('tells the agent from the shell that started it', async () => {
    const { target, pid } = await underShell();
    assert.equal(await stateOf(target), 'ready');
    process.kill(pid, 'SIGSTOP');
    await eventually('it is suspended', async () => /^held: .*suspended/.test(await stateOf(target)));
    process.kill(pid, 'SIGCONT');
    await eventually('it runs behind the shell', async () =>
      (await stateOf(target)).startsWith('held: Another program'),
    );
    process.kill(pid, 'SIGKILL');
    await eventually('it has ended', async () => (await stateOf(target)).startsWith('gone: The agent has ended'));
  });

  it('is not confused by a script that has started the agent', async () => {
    const pane = tmux.open(['sh', '-c', `"$@"; true`, 'wrapper', ...logger()]);
    await logged();
    const target = await targetOf(await childOf(pane), tmux.tty(pane));
    assert.equal(await stateOf(target), 'ready');
    await target.send({ key: 'y' }, never);
    await eventually('it has come', () => bytes().toString() === 'y');
  });

  it('stops when aborted', async () => {
    const { target } = await open();
    const aborted = AbortSignal.abort(new Error('no longer wanted'));
    await assert.rejects(target.look(aborted), /no longer wanted/);
    await assert.rejects(target.send({ key: 'y' }, aborted), /no longer wanted/);
    assert.equal(bytes().length, 0);
  });
});
