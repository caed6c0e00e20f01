import assert from 'node:assert/strict';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { FakeClock } from '../support/fakes/clock.ts';
import { FakeDelegation, type FakeRun } from '../support/fakes/delegation.ts';
import { connectInMemory } from '../support/mcpClient.ts';
import { mcpDeps } from '../support/mcpDeps.ts';

describe('a call that waits', () => {
  async function connect() {
    const clock = new FakeClock();
    const delegation = new FakeDelegation({ now: () => clock.now() });
    const { client, server } = await connectInMemory(mcpDeps(delegation, { clock }));
    return { clock, delegation, client, server };
  }

  /** Lets every message that is under way arrive, in both directions. */
  const settle = async () => {
    for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
  };

  const first = async (delegation: FakeDelegation): Promise<FakeRun> => {
    while (delegation.runs[0]?.run.phase.kind === undefined || delegation.runs[0].run.phase.kind === 'waiting') {
      await settle();
    }
    return delegation.runs[0];
  };

  it('tells each step, and something at least every 10 s', async () => {
    const { clock, delegation, client } = await connect();
    const heard: Progress[] = [];
    const call = client.call('delegate', { prompt: 'x' }, { onprogress: (progress) => heard.push(progress) });
    const { run, finish } = await first(delegation);
    clock.advance(2_000);
    run.enter({ kind: 'running', step: 'npm test\u001b[2K\nrm -rf' });
    await settle();
    assert.match(heard.at(-1)?.message ?? '', /^codex: npm test\S+\[2K rm -rf, 2 s$/);
    assert.ok(!heard.at(-1)?.message?.includes('\u001b'));
    const before = heard.length;
    for (let second = 0; second < 60; second++) clock.advance(1_000);
    await settle();
    assert.ok(heard.length - before >= 6, `${heard.length - before} heartbeats in a minute`);
    assert.match(heard.at(-1)?.message ?? '', /, (5|6)\d s$/);
    run.enter({ kind: 'retrying', detail: '503' });
    await settle();
    assert.match(heard.at(-1)?.message ?? '', /retrying: 503/);
    const counts = heard.map(({ progress }) => progress);
    assert.ok(counts.every((count, index) => index === 0 || count > (counts[index - 1] ?? 0)));
    finish({ text: 'Found it.' });
    assert.match((await call).text, /Found it\./);
    assert.equal(clock.pending, 0);
  });

  it('does not flood the client when steps follow each other fast', async () => {
    const { clock, delegation, client } = await connect();
    const heard: Progress[] = [];
    const call = client.call('delegate', { prompt: 'x' }, { onprogress: (progress) => heard.push(progress) });
    const { run, finish } = await first(delegation);
    for (let i = 0; i < 500; i++) {
      run.enter({ kind: 'running', step: `step ${i}` });
      clock.advance(10);
    }
    await settle();
    assert.ok(heard.length <= 8, `${heard.length} messages in 5 s`);
    assert.match(heard.at(-1)?.message ?? '', /step (4\d\d)/);
    finish();
    await call;
  });

  it('answers "still running" to a client without a progress token, which fetches the result later', async () => {
    const { clock, delegation, client } = await connect();
    const call = client.call('delegate', { prompt: 'x' });
    const { run, beginSession, finish } = await first(delegation);
    clock.advance(49_000);
    await settle();
    assert.equal(await Promise.race([call, Promise.resolve('waiting')]), 'waiting');
    clock.advance(1_000);
    const answer = await call;
    assert.equal(answer.isError, false);
    assert.match(answer.text, /^Still running \(codex: thinking, 50 s\)/);
    assert.equal(run.signal.aborted, false);

    const session_id = /session_id: (\S+)/.exec(answer.text)?.[1];
    beginSession('late-1');
    const again = client.call('follow_up', { session_id });
    await settle();
    clock.advance(50_000);
    assert.match((await again).text, /Still running[^]*session_id: codex:late-1/);

    const last = client.call('follow_up', { session_id: 'codex:late-1' });
    await settle();
    finish({ text: 'Found it.' });
    assert.match((await last).text, /^Found it\.[^]*session_id: codex:late-1/);
    assert.match((await client.call('follow_up', { session_id })).text, /^Found it\./);
    assert.equal(clock.pending, 0);
  });

  it('cancels the run with the call', async () => {
    const { delegation, client } = await connect();
    const abort = new AbortController();
    const call = client.call('delegate', { prompt: 'x' }, { signal: abort.signal });
    const { run } = await first(delegation);
    abort.abort();
    await assert.rejects(call);
    await settle();
    assert.equal(run.signal.aborted, true);
    assert.deepEqual(delegation.returned, []);
  });

  it('takes a client that gives up for one that cancels', async () => {
    const { delegation, client } = await connect();
    await assert.rejects(
      client.call('delegate', { prompt: 'x' }, { timeout: 1_000, onprogress: () => undefined }),
      /timed out/i,
    );
    await settle();
    assert.equal((await first(delegation)).run.signal.aborted, true);
  });

  it('keeps a client awake that gives up in silence', async () => {
    const { clock, delegation, client } = await connect();
    const options = { timeout: 60_000, resetTimeoutOnProgress: true, onprogress: () => undefined };
    const call = client.call('delegate', { prompt: 'x' }, options);
    const { finish } = await first(delegation);
    clock.advance(600_000);
    await settle();
    finish({ text: 'At last.' });
    assert.match((await call).text, /At last/);
  });

  it('cancels a run with the call that came back for it, but not the run of somebody else', async () => {
    const { delegation, client } = await connect();
    const others = delegation.start({
      tool: 'palette',
      prompt: 'x',
      access: 'readOnly',
      cwd: process.cwd(),
      choice: { by: 'level', level: 1 },
    });
    await first(delegation);
    const abort = new AbortController();
    const call = client.call('follow_up', { session_id: others.handle }, { signal: abort.signal });
    await settle();
    abort.abort();
    await assert.rejects(call);
    await settle();
    assert.equal(delegation.runs[0]?.run.signal.aborted, false);
  });

  it('ends with the connection, the runs that were left running too', async () => {
    const { clock, delegation, client } = await connect();
    const detached = client.call('delegate', { prompt: 'x' });
    await first(delegation);
    clock.advance(50_000);
    await detached;
    const waiting = client.call('delegate', { prompt: 'y' }).catch(() => undefined);
    while (delegation.runs.length < 2) await settle();
    await client.close();
    await settle();
    await waiting;
    assert.deepEqual(
      delegation.runs.map(({ run }) => run.signal.aborted),
      [true, true],
    );
  });

  it('answers what is under way when the server closes', async () => {
    const { delegation, client, server } = await connect();
    const call = client.call('delegate', { prompt: 'x' });
    await first(delegation);
    await server.close();
    assert.match((await call).text, /^Cancelled\.$/);
  });
});
