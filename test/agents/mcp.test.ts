import assert from 'node:assert/strict';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Bench, until } from '../support/bench/bench.ts';
import { source } from '../support/bench/wiring.ts';
import { McpTestClient } from '../support/mcpClient.ts';

/** A standalone server as an MCP client starts it, with the settings of a bench. */
async function connect({ wiring, workspace }: Bench, extra: Record<string, string> = {}): Promise<McpTestClient> {
  const { tiers, environment, binaries } = wiring.settings;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [source('mcpMain.ts')],
    cwd: workspace,
    env: {
      PATH: process.env.PATH ?? '',
      SALLYPORT_STATE_DIR: wiring.state,
      SALLYPORT_ALLOW_UNSANDBOXED: '1',
      SALLYPORT_TIERS: JSON.stringify(Object.fromEntries(tiers.map((tier, index) => [index + 1, tier]))),
      SALLYPORT_EXPLORE_MODEL: JSON.stringify(tiers[0]),
      SALLYPORT_ENVIRONMENT: JSON.stringify(environment),
      ...Object.fromEntries(
        Object.entries(binaries).map(([engine, path]) => [`SALLYPORT_${engine.toUpperCase()}_PATH`, path]),
      ),
      ...extra,
    },
    stderr: 'inherit',
  });
  return McpTestClient.connect(transport);
}

function sessionIn(text: string): string {
  return /^session_id: (\S+)$/m.exec(text)?.[1] ?? assert.fail(`no footer in: ${text}`);
}

describe('a standalone MCP server with real Codex', function () {
  this.timeout(60_000);
  let bench: Bench;
  let client: McpTestClient;

  before(async () => {
    bench = await Bench.open(['codex', 'grok']);
    client = await connect(bench);
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
      const next = await client.call('follow_up', { session_id: session, question: '[[scenario: remember]] And?', ...extra });
      assert.match(next.text, new RegExp(`I have seen ${turns} user turn`));
      assert.equal(sessionIn(next.text), session);
      session = sessionIn(next.text);
    }
    const failed = await client.call('follow_up', { session_id: session, question: '[[scenario: http401]] And?' });
    assert.equal(failed.isError, true);
    assert.match(failed.text, /codex login/);
    const after = await client.call('follow_up', { session_id: sessionIn(failed.text), question: '[[scenario: answer]] Again?' });
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

describe('an MCP client that leaves in the middle', function () {
  this.timeout(60_000);

  it('takes the worker along', () =>
    Bench.with(['codex'], async (bench) => {
      const client = await connect(bench);
      const call = client.call('delegate', { prompt: '[[scenario: grandchild]] Begin.' }).catch(() => undefined);
      await bench.appears('grandchild.pid');
      const runId = await bench.newestRun();
      assert.ok((await bench.processesOf(runId)).length >= 2);
      await client.close();
      await call;
      await until(async () => (await bench.processesOf(runId)).length === 0, 'the run is gone', 10_000);
    }));
});
