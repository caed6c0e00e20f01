import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import type { PtyEnd } from '../../../src/keys/pty.ts';
import { openPtyTerminal, type PtyTerminal } from '../../../src/keys/ptyTerminal.ts';
import type { Look } from '../../../src/keys/target.ts';
import { createOpenFiles } from '../../../src/process/openFiles.ts';
import { createProcessStates } from '../../../src/process/processStates.ts';
import { createProcessTable } from '../../../src/process/processTable.ts';
import { pidExists } from '../../../src/base/pidExists.ts';

const logger = resolve(import.meta.dirname, '..', '..', 'support', 'processes', 'byteLogger.ts');
const never = new AbortController().signal;
const posix = process.platform === 'win32' ? describe.skip : describe;

posix('a terminal of our own', function () {
  this.timeout(20_000);
  let folder: string;
  const opened: { terminal: PtyTerminal; ended: Promise<PtyEnd> }[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-pty-'));
  });

  afterEach(async () => {
    for (const { terminal, ended } of opened.splice(0)) {
      if (pidExists(terminal.pid)) process.kill(-terminal.pid, 'SIGKILL');
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  });

  async function open(file: string, args: readonly string[], size = { columns: 40, rows: 8 }) {
    const terminal = await openPtyTerminal({
      program: { file, args, cwd: folder, env: { ...process.env, LC_ALL: 'C.UTF-8' }, size },
      title: 'Sallyport terminal',
      clock: systemClock,
      states: createProcessStates(),
    });
    const output: string[] = [];
    terminal.onDidOutput((data) => output.push(data));
    const ended = new Promise<PtyEnd>((settle) => terminal.onDidEnd(settle));
    opened.push({ terminal, ended });
    return { terminal, ended, output };
  }

  const sh = (script: string, size?: { columns: number; rows: number }) => open('/bin/sh', ['-c', script], size);

  /** Looks again whenever the screen may have changed, until it is as wanted. */
  function lookUntil({ target }: PtyTerminal, fits: (look: Look) => boolean): Promise<Look> {
    return new Promise((settle, reject) => {
      const look = () => {
        target.look(never).then((found) => {
          if (!fits(found)) return;
          subscription?.dispose();
          settle(found);
        }, reject);
      };
      const subscription = target.onDidChange?.(look);
      look();
    });
  }

  const shows = (text: string) => (look: Look) => 'rows' in look && look.rows.join('\n').includes(text);

  async function screenOf(script: string, last: string, size?: { columns: number; rows: number }) {
    const { terminal } = await sh(`${script}; read answer`, size);
    const look = await lookUntil(terminal, shows(last));
    assert.ok('rows' in look);
    return look.rows;
  }

  async function openLogger() {
    const file = join(folder, 'bytes.jsonl');
    const logging = await open(process.execPath, [logger, file]);
    await lookUntil(logging.terminal, shows('ready to log'));
    const entries = () =>
      (existsSync(file) ? readFileSync(file, 'utf8') : '')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { atMs: number; text: string });
    return {
      ...logging,
      entries,
      /** Ends the logger, so that nothing more can come, and gives what it got before. */
      bytes: async () => {
        logging.terminal.type('\x04');
        await logging.ended;
        return entries()
          .map(({ text }) => text)
          .join('')
          .replace(/\x04$/, '');
      },
    };
  }

  describe('screen', () => {
    it('has what was drawn last after a clear', async () => {
      const rows = await screenOf(`printf 'old old old\\n'; printf '\\033[2J\\033[Hnew\\n'`, 'new');
      assert.deepEqual(rows.slice(0, 2), ['new', '']);
    });

    it('has the alternate screen while that is shown, and the other one after it', async () => {
      const { terminal } = await sh(
        `printf 'main'; printf '\\033[?1049h\\033[Hother'; read a; printf '\\033[?1049l'; read b`,
      );
      const other = await lookUntil(terminal, shows('other'));
      assert.ok('rows' in other && !other.rows.join('').includes('main'));
      terminal.type('\r');
      const main = await lookUntil(terminal, shows('main'));
      assert.ok('rows' in main && !main.rows.join('').includes('other'));
    });

    it('joins what the terminal wrapped, wide characters too', async () => {
      const text = `Run 日本語のコマンド ${'x'.repeat(7)} 終わり`;
      for (const columns of [10, 11, 12, 13]) {
        const rows = await screenOf(`printf '${text}'`, '終わり', { columns, rows: 8 });
        assert.equal(rows[0], text);
      }
    });

    it('shows the bottom of what is longer than it', async () => {
      const rows = await screenOf(`i=0; while [ $i -lt 50 ]; do echo line $i; i=$((i+1)); done; printf end`, 'end');
      assert.deepEqual(rows.slice(-2), ['line 49', 'end']);
    });

    it('follows a resize, and so does the program', async () => {
      const { terminal } = await sh(`trap 'stty size' WINCH; printf ready; while :; do read a; done`);
      await lookUntil(terminal, shows('ready'));
      terminal.resize({ columns: 100, rows: 5 });
      const look = await lookUntil(terminal, shows('5 100'));
      assert.ok('rows' in look && look.rows.length === 5);
    });

    it('is not answered for: a query of the program reaches the person’s terminal alone', async () => {
      const asking = await sh(
        `stty raw -echo; printf '\\033[6n'; dd bs=1 count=6 2>/dev/null | od -c | head -1; printf done; read a`,
      );
      await new Promise((settle) => setTimeout(settle, 200));
      assert.ok(asking.output.join('').includes('\x1b[6n'));
      assert.ok(!asking.output.join('').includes('done'), 'something answered by itself');
      asking.terminal.type('\x1b[1;1R');
      await lookUntil(asking.terminal, shows('done'));
    });
  });

  describe('sending', () => {
    it('types texts exactly as they are', async () => {
      const { terminal, bytes } = await openLogger();
      const texts = ['Enter', 'C-c', ';', '-n', 'a;', '$(x) `y` "z" \\n', 'žluťoučký 🐎 日本語'];
      for (const text of texts) await terminal.target.send({ text }, never);
      assert.equal(await bytes(), texts.join(''));
    });

    it('knows each key', async () => {
      const { terminal, bytes } = await openLogger();
      for (const key of ['y', 'n', 'Enter', 'Space', 'Up', 'Down'] as const) await terminal.target.send({ key }, never);
      assert.equal(await bytes(), 'yn\r \x1b[A\x1b[B');
    });

    it('sends arrows as the program wants them', async () => {
      const { terminal } = await sh(
        `stty raw -echo; printf '\\033[?1hready'; dd bs=1 count=3 2>/dev/null | od -An -c; read a`,
      );
      await lookUntil(terminal, shows('ready'));
      await terminal.target.send({ key: 'Down' }, never);
      await lookUntil(terminal, shows('033   O   B'));
    });

    it('lets nothing follow Escape within 150 ms', async () => {
      const { terminal, bytes, entries } = await openLogger();
      await terminal.target.send({ key: 'Escape' }, never);
      const lease = terminal.target.holdTyping?.();
      terminal.type('q');
      lease?.dispose();
      await terminal.target.send({ key: 'y' }, never);
      assert.match(await bytes(), /^\x1b(yq|qy)$/);
      const [escape, next] = entries();
      assert.ok(escape && next && escape.text === '\x1b');
      assert.ok(next.atMs - escape.atMs >= 140);
    });

    it('refuses a text with control characters in it', async () => {
      const { terminal, bytes } = await openLogger();
      for (const text of ['a\tb', 'a\n', '\x1b[Z', '\x03', '\x9b'])
        await assert.rejects(terminal.target.send({ text }, never), /control character/);
      assert.equal(await bytes(), '');
    });

    it('keeps what the person types until a delivery is over', async () => {
      const { terminal, bytes } = await openLogger();
      const lease = terminal.target.holdTyping?.();
      terminal.type('mi');
      await terminal.target.send({ key: 'y' }, never);
      terminal.type('ne');
      await terminal.target.send({ key: 'Enter' }, never);
      lease?.dispose();
      terminal.type('!');
      assert.equal(await bytes(), 'y\rmine!');
    });

    it('rejects once the program has ended, and says that it is gone', async () => {
      const { terminal, ended } = await sh('exit 3');
      assert.deepEqual((await ended).exitCode, 3);
      assert.equal((await terminal.target.look(never)).state, 'gone');
      await assert.rejects(terminal.target.send({ key: 'y' }, never), /ended/);
    });

    it('rejects when aborted', async () => {
      const { terminal, bytes } = await openLogger();
      await assert.rejects(terminal.target.send({ key: 'y' }, AbortSignal.abort()));
      await terminal.target.send({ key: 'Escape' }, never);
      const waiting = new AbortController();
      const sending = terminal.target.send({ key: 'y' }, waiting.signal);
      waiting.abort();
      await assert.rejects(sending);
      assert.equal(await bytes(), '\x1b');
    });
  });

  it('is held while another program is in the foreground', async () => {
    const { terminal } = await open('/bin/bash', ['-c', `set -m; printf ready; sleep 30; printf back; read a`]);
    const look = await lookUntil(terminal, ({ state }) => state === 'held');
    assert.ok(look.state === 'held' && look.why.includes('foreground'));
  });

  it('takes a flood without letting the host wait', async () => {
    const { terminal } = await sh(
      `yes 'a line of a flood that does not end' | head -c 20000000; printf '\\nover'; read a`,
    );
    let slowest = 0;
    let before = performance.now();
    const ticker = setInterval(() => {
      slowest = Math.max(slowest, performance.now() - before);
      before = performance.now();
    }, 5);
    await lookUntil(terminal, shows('over'));
    clearInterval(ticker);
    assert.ok(slowest < 500, `the host waited ${slowest} ms`);
  });

  it('ends at once, with words, when the program cannot be run', async () => {
    const { ended, output } = await open(join(folder, 'missing'), []);
    assert.notEqual((await ended).exitCode, 0);
    assert.match(output.join(''), /\w/);
  });

  it('has an id of its own and ends as a tree', async () => {
    const script = `trap '' HUP; (trap '' HUP TERM; exec setsid sleep 60) & sleep 60 & echo kids $!; wait; sleep 60`;
    const [first, second] = [await sh(script), await sh('read a')];
    assert.notEqual(first.terminal.id, second.terminal.id);
    await lookUntil(first.terminal, shows('kids'));
    const openFiles = createOpenFiles();
    const children = (await openFiles.details(first.terminal.pid))?.children ?? [];
    assert.ok(children.length >= 2);
    await first.terminal.hangUp({ openFiles, table: createProcessTable() });
    await first.ended;
    const states = await Promise.all(children.map((pid) => createProcessStates().of(pid)));
    assert.deepEqual([...new Set(states)], ['ended']);
    assert.ok(pidExists(second.terminal.pid));
  });
});
