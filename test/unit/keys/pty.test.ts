import assert from 'node:assert/strict';
import type { IPty } from 'node-pty';
import { Emitter } from '../../../src/base/event.ts';
import { type PtyEnd, type PtyPlatform, PtyUnavailable, startPty } from '../../../src/keys/pty.ts';
import { PtyTerminal } from '../../../src/keys/ptyTerminal.ts';
import { FakeClock } from '../../support/fakes/clock.ts';

const never = new AbortController().signal;
const program = { file: 'C:\\agent.exe', args: ['--resume'], cwd: 'C:\\', env: {}, size: { columns: 20, rows: 3 } };
const sight = {
  openFiles: { details: () => Promise.reject(new Error('Windows has no such thing.')) },
  table: { startTime: () => Promise.resolve(undefined), isAlive: () => Promise.resolve(false) },
};

/** node-pty as it is on Windows: the program has a number once it has said something, and `kill` ends it later. */
class FakeConsole {
  readonly #data = new Emitter<string>();
  readonly #exit = new Emitter<PtyEnd>();
  pid = 0;
  kills = 0;

  readonly platform: PtyPlatform = {
    name: 'win32',
    load: () => Promise.resolve({ spawn: () => this.#pty() }),
  };

  says(data: string): void {
    this.pid = 4711;
    this.#data.fire(data);
  }

  ends(exitCode: number): void {
    this.#exit.fire({ exitCode });
  }

  #pty(): IPty {
    const known: Partial<IPty> = {
      onData: this.#data.event,
      onExit: this.#exit.event,
      kill: () => void (this.kills += 1),
    };
    return Object.defineProperty(known, 'pid', { get: () => this.pid }) as IPty;
  }
}

describe('startPty', () => {
  const failing = (error: Error): PtyPlatform => ({
    name: 'linux',
    load: () => Promise.reject(error),
  });
  const refusal = async (platform: PtyPlatform) => {
    const error: unknown = await startPty(program, platform).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof PtyUnavailable);
    return error;
  };

  it('says when this installation has no library for terminals', async () => {
    const missing = Object.assign(new Error("Cannot find module './node-pty'"), { code: 'MODULE_NOT_FOUND' });
    assert.equal((await refusal(failing(missing))).isMissing, true);
  });

  it('says in one line why the library does not work', async () => {
    const { isMissing, message } = await refusal(failing(new Error('pty.node: wrong ELF class\n at load')));
    assert.equal(isMissing, false);
    assert.equal(message, 'pty.node: wrong ELF class');
  });

  it('refuses what the library throws when it starts a program, too', async () => {
    const spawn = () => {
      throw new Error('Failed to load native module: conpty.node');
    };
    const { message } = await refusal({ name: 'win32', load: () => Promise.resolve({ spawn }) });
    assert.match(message, /conpty/);
  });
});

describe('a terminal of our own on Windows', () => {
  const open = async () => {
    const shell = new FakeConsole();
    const clock = new FakeClock();
    const states = { of: () => Promise.reject(new Error('Nobody needs to be asked.')) };
    const pty = await startPty(program, shell.platform);
    const terminal = new PtyTerminal(pty, { program, title: 'Sallyport terminal', clock, states });
    return { shell, clock, terminal };
  };

  it('has the number of its program as soon as there is one', async () => {
    const { shell, terminal } = await open();
    assert.equal(terminal.pid, 0);
    shell.says('hello');
    assert.equal(terminal.pid, 4711);
  });

  it('can be read but takes no key: nobody knows who would get it', async () => {
    const { shell, terminal } = await open();
    shell.says('Run this command?');
    const look = await terminal.target.look(never);
    assert.ok(look.state === 'held');
    assert.deepEqual(look.rows[0], 'Run this command?');
    shell.ends(0);
    assert.equal((await terminal.target.look(never)).state, 'gone');
  });

  it('is closed by its console, and waits until its program has ended', async () => {
    const { shell, terminal } = await open();
    let isOver = false;
    const ending = terminal.hangUp(sight).then(() => (isOver = true));
    await Promise.resolve();
    assert.deepEqual([shell.kills, isOver], [1, false]);
    shell.ends(1);
    await ending;
    assert.equal(shell.kills, 1);
  });

  it('does not wait for ever for a program that does not end', async () => {
    const { clock, terminal } = await open();
    const ending = terminal.hangUp(sight);
    clock.advance(5000);
    await ending;
  });

  it('closes its console when the program ends by itself: a thread would be left', async () => {
    const { shell, terminal } = await open();
    shell.ends(0);
    assert.equal(shell.kills, 1);
    await terminal.hangUp(sight);
    assert.equal(shell.kills, 1);
  });
});
