import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { systemClock } from '../../src/base/clock.ts';
import { listenForRelays, type RelayListener } from '../../src/mcp/relayListener.ts';
import { createMcpServer } from '../../src/mcp/server.ts';
import { tools } from '../../src/mcp/toolList.ts';
import { FakeClock } from '../support/fakes/clock.ts';
import { FakeDelegation } from '../support/fakes/delegation.ts';
import { McpTestClient } from '../support/mcpClient.ts';
import { mcpDeps, silentLog } from '../support/mcpDeps.ts';
import { endChildren, hello, message, startChild, until } from './child.ts';

const main = 'src/mcpMain.ts';
const onWindows = process.platform === 'win32';

describe('relay', () => {
  let folder: string;
  let listeners: RelayListener[] = [];
  let clients: McpTestClient[] = [];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sp-'));
  });

  afterEach(async () => {
    for (const client of clients) await client.close();
    clients = [];
    for (const listener of listeners) listener.dispose();
    listeners = [];
    endChildren();
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  async function open(clock = systemClock) {
    const delegation = new FakeDelegation();
    const servers: number[] = [];
    const listener = await listenForRelays({
      folders: [folder],
      createServer: () => {
        servers.push(servers.length);
        return createMcpServer(mcpDeps(delegation));
      },
      clock,
      log: silentLog,
    });
    listeners.push(listener);
    const env = { SALLYPORT_SOCKET: listener.socket, SALLYPORT_TOKEN: listener.token };
    return { delegation, listener, servers, env };
  }

  /** The SDK's client over a relay of its own. */
  async function dialIn(env: Record<string, string>): Promise<McpTestClient> {
    const command = { command: process.execPath, args: [main], env, stderr: 'pipe' as const };
    const client = await McpTestClient.connect(new StdioClientTransport(command));
    clients.push(client);
    return client;
  }

  it('carries a whole session, large messages included', async () => {
    const { delegation, env } = await open();
    const client = await dialIn(env);
    assert.equal((await client.client.listTools()).tools.length, tools.length);
    const prompt = 'ü'.repeat(900_000);
    const call = client.call('delegate', { prompt });
    await until(() => delegation.runs.length === 1, 'the run started');
    assert.equal((delegation.runs[0]?.asked as { prompt: string }).prompt, prompt);
    delegation.runs[0]?.finish({ text: 'Found it.' });
    assert.match((await call).text, /Found it/);
  });

  it('removes what a killed window left behind, and nothing else', async function () {
    if (onWindows) this.skip();
    // No process has a number past the largest one Linux and macOS give out (2^22).
    const stale = join(folder, 'sallyport-99999999-abcdef');
    const kept = [join(folder, `sallyport-${process.pid}-abcdef`), join(folder, 'sallyport-notes')];
    for (const each of [stale, ...kept]) mkdirSync(each);
    await open();
    assert.equal(existsSync(stale), false);
    assert.deepEqual(kept.map(existsSync), [true, true]);
  });

  it('serves several clients at once, each with its own server', async () => {
    const { env, servers } = await open();
    const both = await Promise.all([dialIn(env), dialIn(env)]);
    await Promise.all(both.map((client) => client.client.listTools()));
    assert.equal(servers.length, 2);
  });

  it('ends with its client, and cancels its runs', async () => {
    const { delegation, env } = await open();
    const child = startChild(main, [], env);
    child.process.stdin.write(hello + message('tools/call', { name: 'delegate', arguments: { prompt: 'x' } }, 2));
    await until(() => delegation.runs.length === 1, 'the run started');
    child.process.stdin.end();
    assert.equal(await child.exited, 0);
    assert.equal(delegation.runs[0]?.run.signal.aborted, true);
    assert.equal(child.err(), '');
  });

  it('answers what was asked just before the client left', async () => {
    const { env } = await open();
    const child = startChild(main, [], env);
    child.process.stdin.end(hello + message('tools/list', {}, 2));
    assert.equal(await child.exited, 0);
    assert.match(child.out(), /"id":2[^]*/);
    assert.match(child.out(), /bridge_stats/);
  });

  it('cancels the runs of a client that is killed', async () => {
    const { delegation, env } = await open();
    const child = startChild(main, [], env);
    child.process.stdin.write(hello + message('tools/call', { name: 'delegate', arguments: { prompt: 'x' } }, 2));
    await until(() => delegation.runs.length === 1, 'the run started');
    child.process.kill('SIGKILL');
    await until(() => delegation.runs[0]?.run.signal.aborted === true, 'the run was cancelled', 2_000);
  });

  it('says so and ends within 2 s when the window is disposed, or killed', async () => {
    const window = startChild('test/mcp/standInServer.ts', ['window']);
    await until(() => window.out().includes('\n'), 'the window listens');
    const target = JSON.parse(window.out()) as { socket: string; token: string };
    const disposed = await open();
    const deaths: [Record<string, string>, () => void][] = [
      [{ SALLYPORT_SOCKET: target.socket, SALLYPORT_TOKEN: target.token }, () => window.process.kill('SIGKILL')],
      [disposed.env, () => disposed.listener.dispose()],
    ];
    for (const [env, die] of deaths) {
      const child = startChild(main, [], env);
      child.process.stdin.write(hello + message('tools/call', { name: 'delegate', arguments: { prompt: 'x' } }, 2));
      await until(() => child.out().includes('"id":1'), 'the session began');
      const before = child.out();
      const died = Date.now();
      die();
      assert.equal(await child.exited, 1);
      assert.ok(Date.now() - died < 2_000, `${Date.now() - died} ms`);
      assert.match(child.err(), /editor window .* has closed, reloaded/);
      assert.equal(child.out(), before);
    }
    assert.equal(disposed.delegation.live.length, 0);
    rmSync(dirname(target.socket), { recursive: true });
  });

  it('says so when there is no window, or the token is wrong', async () => {
    const { env, servers } = await open();
    for (const wrong of [
      { ...env, SALLYPORT_TOKEN: 'guess' },
      { ...env, SALLYPORT_TOKEN: `${env.SALLYPORT_TOKEN}x` },
      { ...env, SALLYPORT_SOCKET: join(folder, 'gone') },
    ]) {
      const child = startChild(main, [], wrong);
      child.process.stdin.write(hello);
      assert.equal(await child.exited, 1);
      assert.match(child.err(), /Sallyport: the editor window/);
      assert.equal(child.out(), '');
    }
    assert.equal(servers.length, 0);
  });

  describe('the private socket', () => {
    const dial = (path: string) => {
      const socket = connect(path);
      socket.on('error', () => undefined);
      socket.resume();
      return new Promise<Socket>((resolve) => socket.on('connect', () => resolve(socket)));
    };
    const closed = (socket: Socket) => new Promise<void>((resolve) => socket.on('close', () => resolve()));

    it('drops who sends no token, a wrong one, half of one, or an endless line', async () => {
      const clock = new FakeClock();
      const { listener, servers } = await open(clock);
      for (const greeting of ['\n', 'guess\n', `${listener.token.slice(1)}\n`, 'x'.repeat(100_000)]) {
        const socket = await dial(listener.socket);
        const gone = closed(socket);
        socket.write(greeting);
        await gone;
      }
      const silent = await dial(listener.socket);
      const gone = closed(silent);
      silent.write(listener.token.slice(0, 10));
      await new Promise((resolve) => setTimeout(resolve, 20));
      clock.advance(2_000);
      await gone;
      const quitter = await dial(listener.socket);
      const left = closed(quitter);
      quitter.end(listener.token);
      await left;
      assert.equal(servers.length, 0);
    });

    it('takes a token that comes in pieces', async () => {
      const { listener, servers } = await open();
      const socket = await dial(listener.socket);
      for (const character of `${listener.token}\n`) {
        socket.write(character);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await until(() => servers.length === 1, 'the session began');
      socket.destroy();
    });

    it('lies in a folder of its own for this person alone, and goes with it', async function () {
      if (onWindows) this.skip();
      const { listener } = await open();
      const own = dirname(listener.socket);
      assert.equal(statSync(own).mode & 0o777, 0o700);
      assert.ok(Buffer.byteLength(listener.socket) <= 100);
      listener.dispose();
      assert.equal(existsSync(own), false);
    });

    it('goes where there is room for its path', async function () {
      if (onWindows) this.skip();
      const deep = join(folder, 'x'.repeat(90));
      mkdirSync(deep);
      const deps = {
        createServer: () => createMcpServer(mcpDeps(new FakeDelegation())),
        clock: systemClock,
        log: silentLog,
      };
      const listener = await listenForRelays({ folders: [deep, join(folder, 'none'), folder], ...deps });
      listeners.push(listener);
      assert.equal(dirname(dirname(listener.socket)), folder);
      await assert.rejects(listenForRelays({ folders: [deep], ...deps }), /too long for a socket/);
    });

    it('has a new token every time', async () => {
      assert.notEqual((await open()).listener.token, (await open()).listener.token);
    });
  });
});
