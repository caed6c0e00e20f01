import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { McpTestClient } from '../support/mcpClient.ts';
import { type Child, endChildren, hello, message, startChild, until } from './child.ts';

const main = 'src/mcpMain.ts';
const standIn = 'test/mcp/standInServer.ts';

describe('a server over stdio', () => {
  let state: string;

  before(() => {
    state = mkdtempSync(join(tmpdir(), 'sallyport-stdio-'));
  });

  after(() => rmSync(state, { recursive: true, force: true }));

  let client: McpTestClient | undefined;

  afterEach(async () => {
    endChildren();
    await client?.close();
    client = undefined;
  });

  const callDelegate = (prompt: string, id: number) =>
    message('tools/call', { name: 'delegate', arguments: { prompt } }, id);

  /** Every line of standard output, which must all be protocol. */
  const answersOf = (child: Child) =>
    child
      .out()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { jsonrpc: string; id?: number; result?: { content?: { text: string }[] } });

  it('lists its tools to any client, and ends when the client has left', async () => {
    const child = startChild(main, [], { SALLYPORT_STATE_DIR: state });
    child.process.stdin.end(hello + message('tools/list', {}, 2));
    assert.equal(await child.exited, 0);
    assert.deepEqual(
      answersOf(child).map(({ id }) => id),
      [1, 2],
    );
    assert.equal(child.err(), '');
  });

  it('names bad settings on standard error and goes on', async () => {
    const file = join(state, 'settings.json');
    writeFileSync(file, '{ "sallyport.maxParallelRuns": "many" }');
    const child = startChild(main, [], { SALLYPORT_CONFIG: file, SALLYPORT_MAX_RUN_MINUTES: '0' });
    child.process.stdin.end(hello);
    assert.equal(await child.exited, 0);
    assert.match(child.err(), /sallyport\.maxRunMinutes/);
    assert.match(child.err(), /sallyport\.maxParallelRuns/);
    assert.equal(answersOf(child).length, 1);
  });

  it('ends on SIGTERM and SIGINT', async function () {
    if (process.platform === 'win32') this.skip();
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const child = startChild(main);
      child.process.stdin.write(hello);
      await until(() => child.out().includes('"id":1'), 'the session began');
      child.process.kill(signal);
      assert.equal(await child.exited, 0);
    }
  });

  it('refuses to start workers inside a worker', async function () {
    if (process.platform === 'win32') this.skip();
    const child = startChild(main, [], { SALLYPORT_DEPTH: '1' });
    child.process.stdin.write(hello + callDelegate('x', 2));
    await until(() => child.out().includes('"id":2'), 'the call was answered');
    assert.match(answersOf(child).at(-1)?.result?.content?.[0]?.text ?? '', /worker of Sallyport already/);
  });

  it('survives lines that are no protocol', async () => {
    const child = startChild(main);
    child.process.stdin.write(`nonsense\n{"jsonrpc":"2.0"}\n[]\n\n${hello}`);
    await until(() => child.out().includes('"id":1'), 'the session began');
    child.process.stdin.end(message('no/such/method', {}, 2));
    assert.equal(await child.exited, 0);
    assert.deepEqual(
      answersOf(child).map(({ id }) => id),
      [1, 2],
    );
  });

  it('lets the SDK’s client delegate, cancel, give up, and come back for the result', async () => {
    const transport = new StdioClientTransport({ command: process.execPath, args: [standIn], stderr: 'pipe' });
    let told = '';
    transport.stderr?.on('data', (chunk: Buffer) => (told += chunk.toString()));
    client = await McpTestClient.connect(transport);

    const done = await client.call('delegate', { prompt: 'done' });
    assert.match(done.text, /^Done\./);

    const abort = new AbortController();
    const cancelled = client.call(
      'delegate',
      { prompt: 'go on' },
      { signal: abort.signal, onprogress: () => undefined },
    );
    await until(() => told.includes('run-00000002 started'), 'the run started');
    abort.abort();
    await assert.rejects(cancelled);
    await until(() => told.includes('run-00000002 cancelled'), 'the run was cancelled');

    await assert.rejects(
      client.call('delegate', { prompt: 'go on' }, { timeout: 300, onprogress: () => undefined }),
      /timed out/i,
    );
    await until(() => told.includes('run-00000003 cancelled'), 'a time-out cancels');

    const long = await client.call('delegate', { prompt: 'go on' });
    assert.match(long.text, /^Still running/);
    const session_id = /session_id: (\S+)/.exec(long.text)?.[1];
    assert.match((await client.call('follow_up', { session_id })).text, /^Still running/);
    await client.close();
    await until(() => told.includes('run-00000004 cancelled'), 'the end of the session cancels what was left running');
  });

  it('stops its runs when standard input ends', async () => {
    const child = startChild(standIn);
    child.process.stdin.write(hello + callDelegate('go on', 2));
    await until(() => child.out().includes('"id":2'), 'it answers "still running"');
    child.process.stdin.write(callDelegate('go on', 3));
    await until(() => child.err().includes('run-00000002 started'), 'the second run started');
    child.process.stdin.end();
    assert.equal(await child.exited, 0);
    assert.match(child.err(), /run-00000001 cancelled/);
    assert.match(child.err(), /run-00000002 cancelled/);
    assert.match(answersOf(child).at(-1)?.result?.content?.[0]?.text ?? '', /Cancelled/);
  });
});
