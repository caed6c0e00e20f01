import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { Bench, until } from '../support/bench/bench.ts';
import { fromSource, serverFor, sessionIn } from '../support/bench/mcpServer.ts';
import { source } from '../support/bench/wiring.ts';
import { McpTestClient } from '../support/mcpClient.ts';
import { fakeSecrets } from '../support/modelServer/scenarios.ts';

const bundle = source('../dist/mcp.cjs');

describe('a standalone MCP server with real Codex', function () {
  this.timeout(60_000);
  let bench: Bench;
  let client: McpTestClient;

  before(async () => {
    bench = await Bench.open(['codex', 'grok']);
    client = await McpTestClient.connect(serverFor(bench, fromSource));
  });

  after(async () => {
    await client.close();
    await bench.close();
  });

  it('delegates an edit, and tells the files and how to follow up', async () => {
    const { text, isError } = await client.call('delegate', { prompt: '[[scenario: edit]] Write a note.' });
    assert.equal(isError, false, text);
    assert.match(text, /Done: note\.txt:1 holds the note\./);
    assert.match(text, /note\.txt/);
    assert.equal(await bench.read('note.txt'), 'a note\n');
    assert.match(sessionIn(text), /^codex:/);
  });

  it('follows up by the footer of every answer, failed ones too', async () => {
    const first = await client.call('delegate', { prompt: '[[scenario: remember]] Begin.' });
    let session = sessionIn(first.text);
    for (const [turns, extra] of [
      [2, {}],
      [3, { mode: 'ask' }],
      [4, { mode: 'plan' }],
    ] as const) {
      const next = await client.call('follow_up', {
        session_id: session,
        question: '[[scenario: remember]] And?',
        ...extra,
      });
      assert.match(next.text, new RegExp(`I have seen ${turns} user turn`));
      assert.equal(sessionIn(next.text), session);
      session = sessionIn(next.text);
    }
    const failed = await client.call('follow_up', { session_id: session, question: '[[scenario: http401]] And?' });
    assert.equal(failed.isError, true);
    assert.match(failed.text, /codex login/);
    const after = await client.call('follow_up', {
      session_id: sessionIn(failed.text),
      question: '[[scenario: answer]] Again?',
    });
    assert.match(after.text, /forty-two/);
    const fetched = await client.call('follow_up', { session_id: session });
    assert.match(fetched.text, /forty-two/);
  });

  it('explores without writing, and so do its follow-ups', async () => {
    const first = await client.call('explore', { question: '[[scenario: writeAttempt]] Where is it?' });
    assert.match(first.text, /I tried to write breach\.txt twice\./);
    const second = await client.call('follow_up', {
      session_id: sessionIn(first.text),
      question: '[[scenario: writeAttempt]] And now?',
    });
    assert.match(second.text, /I tried to write breach\.txt twice\./);
    assert.equal(await bench.has('breach.txt'), false);
  });

  it('delegates to Grok by level', async () => {
    const { text, isError } = await client.call('delegate', { prompt: '[[scenario: edit]] Write.', level: 2 });
    assert.equal(isError, false, text);
    assert.match(sessionIn(text), /^grok:/);
  });

  it('ends the worker of a cancelled call', async () => {
    const stopping = new AbortController();
    const call = client.call('delegate', { prompt: '[[scenario: grandchild]] Begin.' }, { signal: stopping.signal });
    await bench.appears('grandchild.pid');
    const runId = await bench.newestRun();
    assert.ok((await bench.processesOf(runId)).length >= 2);
    stopping.abort();
    await assert.rejects(call);
    await until(async () => (await bench.processesOf(runId)).length === 0, 'the run is gone', 10_000);
  });

  it('counts what it did', async () => {
    const { text } = await client.call('bridge_stats');
    assert.match(text, /delegate +codex +3/);
    assert.match(text, /follow_up +codex +6/);
  });
});

for (const program of [fromSource, bundle]) {
  describe(`the standalone server ${basename(program)}`, function () {
    this.timeout(60_000);

    /** Has a worker at work on a command that will not end, by a call that nobody waits for. */
    async function begin(bench: Bench, client: McpTestClient): Promise<string> {
      client.call('delegate', { prompt: '[[scenario: grandchild]] Begin.' }).catch(() => undefined);
      await bench.appears('grandchild.pid');
      const runId = await bench.newestRun();
      assert.ok((await bench.processesOf(runId)).length >= 2);
      return runId;
    }

    it('lets no secret through', () =>
      Bench.with(['codex'], async (bench) => {
        const client = await McpTestClient.connect(serverFor(bench, program));
        const { text } = await client.call('delegate', { prompt: '[[scenario: secrets]] Show it.' });
        await client.close();
        assert.match(text, /The configuration holds/);
        for (const secret of Object.values(fakeSecrets)) assert.ok(!text.includes(secret));
      }));

    it('takes its worker along when its client leaves', () =>
      Bench.with(['codex'], async (bench) => {
        const client = await McpTestClient.connect(serverFor(bench, program));
        const runId = await begin(bench, client);
        await client.close();
        await until(async () => (await bench.processesOf(runId)).length === 0, 'the run is gone', 10_000);
      }));

    it('takes its worker along when it is killed with SIGKILL', () =>
      Bench.with(['codex'], async (bench) => {
        const transport = serverFor(bench, program);
        const client = await McpTestClient.connect(transport);
        const runId = await begin(bench, client);
        process.kill(transport.pid ?? assert.fail('the server has gone'), 'SIGKILL');
        await until(async () => (await bench.processesOf(runId)).length === 0, 'the run is gone', 10_000);
        await client.close();
      }));
  });
}
