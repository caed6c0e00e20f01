import assert from 'node:assert/strict';
import { Bench } from '../support/bench/bench.ts';
import { serverFor, sessionIn } from '../support/bench/mcpServer.ts';
import { McpTestClient } from '../support/mcpClient.ts';
import type { Scenario } from '../support/modelServer/scenario.ts';

const readsNote: Scenario = {
  about: 'reads numbered lines by shell and returns them, one with a wrong number and one made up',
  steps: [
    { call: { kind: 'shell', command: 'grep -n . src/note.txt' } },
    { say: 'src/note.txt:2: beta\nsrc/note.txt:1: gamma\nsrc/note.txt:4: omega' },
  ],
};

describe('the reading tools with real Codex', function () {
  this.timeout(60_000);
  let bench: Bench;
  let client: McpTestClient;

  before(async () => {
    bench = await Bench.open(['codex'], { scenarios: { readsNote } });
    await bench.write('src/note.txt', 'alpha\nbeta\ngamma\n');
    client = await McpTestClient.connect(serverFor(bench));
  });

  after(async () => {
    await client.close();
    await bench.close();
  });

  it('read_slice returns lines that are in the file, and keeps them so', async () => {
    const { text, isError } = await client.call('read_slice', {
      files: ['src/note.txt'],
      want: '[[scenario: readsNote]] all but the first line',
    });
    assert.equal(isError, false, text);
    const lines = /\n\nsrc\/note\.txt:2: beta\nsrc\/note\.txt:3: gamma\n\nsession_id: codex:/;
    assert.match(text, /^Note: .*1 had a wrong number.*1 could not be found/);
    assert.match(text, lines);
    assert.match((await client.call('follow_up', { session_id: sessionIn(text) })).text, lines);
    const told = JSON.stringify(bench.lastRequest().body);
    assert.ok(
      told.includes('path:number: source') && told.includes('- src/note.txt'),
      'the worker knows form and files',
    );
  });

  it('read_slice starts nobody for a whole file', async () => {
    const before = bench.server.requests.length;
    const { isError } = await client.call('read_slice', { files: ['src/note.txt'], want: 'the whole file' });
    assert.deepEqual([isError, bench.server.requests.length], [true, before]);
  });
});
