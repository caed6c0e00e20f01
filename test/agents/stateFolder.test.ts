import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bench, unsandboxed, until } from '../support/bench/bench.ts';
import { fromSource, serverFor, sessionIn } from '../support/bench/mcpServer.ts';
import { McpTestClient } from '../support/mcpClient.ts';
import { needsSandbox } from '../support/sandbox.ts';

const edit = { prompt: '[[scenario: edit]] Write a note.' };
const done = /Done: note\.txt:1 holds the note\./;
const notKept = (code: string) => new RegExp(`not kept for later \\(${code}.*gone when Sallyport ends\\. Free space`);

describe('a state folder that takes nothing', function () {
  this.timeout(90_000);
  let bench: Bench;
  let client: McpTestClient | undefined;

  before(needsSandbox);

  beforeEach(async () => {
    bench = await Bench.open(['codex'], { settings: { sandbox: unsandboxed } });
  });

  afterEach(async () => {
    await client?.close();
    await bench.close();
  });

  /** A server that sees its state folder as bubblewrap's arguments have it. */
  async function connect(mounts: readonly string[], then: readonly string[] = []): Promise<McpTestClient> {
    const around = ['bwrap', '--die-with-parent', '--dev-bind', '/', '/', ...mounts, '--', ...then];
    client = await McpTestClient.connect(serverFor(bench, fromSource, around));
    return client;
  }

  async function leftInTemporaryFolder(): Promise<string[]> {
    return (await readdir(tmpdir())).filter((name) => name.startsWith('sallyport-run-'));
  }

  it('because the disk is full: runs go on, say so, and all is kept as soon as there is room', async () => {
    const { state } = bench.wiring;
    const outside = await mkdtemp(join(tmpdir(), 'sallyport-full-'));
    const makeRoom = join(outside, 'make-room');
    // The script's child holds the disk full until that file is there, and then shows outside what has been written.
    const fill = `
      cat /dev/zero > "$0/ballast"
      (until [ -e "$1" ]; do sleep 0.1; done; rm "$0/ballast"; rm "$1"
       until [ -e "$1" ]; do sleep 0.1; done; cat "$0"/journal/*.jsonl > "$2") >&- 2>&- <&- &
      shift 2
      exec "$@"`;
    const shown = join(outside, 'journal');
    try {
      const connected = await connect(
        ['--size', String(1024 * 1024), '--tmpfs', state],
        ['sh', '-c', fill, state, makeRoom, shown],
      );
      const full = await connected.call('delegate', edit);
      assert.equal(full.isError, false, full.text);
      assert.match(full.text, done);
      assert.match(full.text, notKept('ENOSPC'));
      assert.match(full.text, /note\.txt/);
      const again = await connected.call('follow_up', { session_id: sessionIn(full.text) });
      assert.match(again.text, done);
      const followed = await connected.call('follow_up', {
        session_id: sessionIn(full.text),
        question: '[[scenario: remember]] And?',
      });
      assert.match(followed.text, /I have seen 2 user turn/);
      await writeFile(makeRoom, '');
      await until(async () => !(await readdir(outside)).includes('make-room'), 'there is room');
      const roomy = await connected.call('delegate', edit);
      assert.match(roomy.text, done);
      assert.doesNotMatch(roomy.text, /not kept/);
      await writeFile(makeRoom, '');
      await until(async () => (await readdir(outside)).includes('journal'), 'the journal is shown');
      const entries = (await readFile(shown, 'utf8')).split('\n').filter((line) => line.includes('"type":"ended"'));
      assert.equal(entries.length, 3, 'what could not be written was written then');
    } finally {
      await writeFile(makeRoom, '');
      await client?.close();
      await rm(outside, { recursive: true, force: true });
    }
  });

  it('because it is read-only: runs go on and say so, and nothing of them is left', async () => {
    const { state } = bench.wiring;
    const before = await leftInTemporaryFolder();
    const connected = await connect(['--ro-bind', state, state]);
    const { text, isError } = await connected.call('delegate', edit);
    assert.equal(isError, false, text);
    assert.match(text, done);
    assert.match(text, notKept('EROFS'));
    const again = await connected.call('follow_up', { session_id: sessionIn(text) });
    assert.match(again.text, done);
    await connected.close();
    client = undefined;
    await until(async () => (await leftInTemporaryFolder()).length === before.length, 'nothing is left');
  });

  it('because it cannot be made: the same', async () => {
    const nowhere = join(bench.wiring.state, 'file');
    await writeFile(nowhere, '');
    const connected = await connect(['--ro-bind', nowhere, nowhere, '--setenv', 'SALLYPORT_STATE_DIR', nowhere]);
    const { text, isError } = await connected.call('delegate', edit);
    assert.equal(isError, false, text);
    assert.match(text, done);
    assert.match(text, notKept('E'));
  });
});
