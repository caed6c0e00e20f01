import assert from 'node:assert/strict';
import { Bench } from '../support/bench/bench.ts';
import { serverFor, sessionIn } from '../support/bench/mcpServer.ts';
import { McpTestClient } from '../support/mcpClient.ts';
import type { Scenario } from '../support/modelServer/scenario.ts';
import { fakeSecrets } from '../support/modelServer/scenarios.ts';

const readsNote: Scenario = {
  about: 'reads numbered lines by shell and returns them, one with a wrong number and one made up',
  steps: [
    { call: { kind: 'shell', command: 'grep -n . src/note.txt' } },
    { say: 'src/note.txt:2: beta\nsrc/note.txt:1: gamma\nsrc/note.txt:4: omega' },
  ],
};

const plans: Scenario = {
  about: 'tries to write, then answers with a plan that names a file which is not there',
  steps: [
    { call: { kind: 'shell', command: 'echo breached > breach.txt' } },
    { say: '1. Write `note.txt` (new), as `readme.txt` says.\n2. Import it in `src/none.ts:4`.' },
  ],
};

/** What Codex 0.171 answers to a patch in a read-only run, as the model may pass it on. */
const rejected: Scenario = {
  about: 'tries to write by the file tool, and answers with what came back',
  steps: [
    { call: { kind: 'write', path: 'breach.txt', content: 'breached\n' } },
    { say: 'I could not: {{lastToolOutput}}' },
  ],
};

describe('a refusal that real Codex lays at the door of the user', function () {
  this.timeout(60_000);

  it('is warned of at the top', () =>
    Bench.with(
      ['codex'],
      async (bench) => {
        const client = await McpTestClient.connect(serverFor(bench));
        const { text } = await client.call('explore', { question: '[[scenario: rejected]] Try.' });
        await client.close();
        assert.match(
          text,
          /^Note: The answer tells of a decision of the user \(“rejected by user approval settings”\)/,
        );
      },
      { scenarios: { rejected } },
    ));
});

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

describe('the other tools with real Codex', function () {
  this.timeout(60_000);
  let bench: Bench;
  let client: McpTestClient;

  before(async () => {
    bench = await Bench.open(['codex'], { scenarios: { plans } });
    client = await McpTestClient.connect(serverFor(bench));
  });

  after(async () => {
    await client.close();
    await bench.close();
  });

  it('plan writes nothing and is checked against the folder; build carries out', async () => {
    const planned = await client.call('plan', { task: '[[scenario: plans]] Add a note.', level: 1 });
    assert.match(planned.text, /^Note: The plan names files that are not there: src\/none\.ts\./);
    assert.match(planned.text, /\n\n1\. Write `note\.txt` \(new\)/);
    assert.equal(await bench.has('breach.txt'), false);
    const built = await client.call('build', { plan: '[[scenario: edit]] 1. Write `note.txt` (new).' });
    assert.equal(built.isError, false, built.text);
    assert.match(built.text, /note\.txt/);
    assert.equal(await bench.read('note.txt'), 'a note\n');
    assert.match(JSON.stringify(bench.lastRequest().body), /Follow it step by step/);
  });

  it('fast_delegate asks the quick model for little, within five minutes', async () => {
    const { text, isError } = await client.call('fast_delegate', { prompt: '[[scenario: edit]] Write a note.' });
    assert.equal(isError, false, text);
    const { model, prompt, body } = bench.lastRequest();
    assert.equal(model, 'gpt-5.6-luna');
    assert.match(JSON.stringify(body), /"effort":"low"/);
    assert.match(prompt, /You have 5 min/);
  });

  it('what was left out of 2 MB can be read in pages, and no page holds a secret', async () => {
    const { text } = await client.call('explore', { question: '[[scenario: bigText]] Tell me all.' });
    const [, uri = '', last = ''] = /read the resource (\S+) \(pages 1 to (\d+)\)/.exec(text) ?? [];
    assert.ok(text.length <= 20_000 && Number(last) > 100, text.slice(-500));
    const end = await client.read(uri.replace(/\d+$/, last));
    assert.match(end, new RegExp(`long answer.*\\n\\n\\[Page ${last} of ${last}\\. This is the last\\.\\]$`));
    await client.call('explore', { question: '[[scenario: secrets]] Show it.' });
    const page = await client.read(`sallyport://runs/${await bench.newestRun()}/output`);
    assert.match(page, /^The configuration holds:[^]*\[redacted: /);
    for (const secret of Object.values(fakeSecrets)) assert.ok(!page.includes(secret));
  });
});

describe('web_lookup', function () {
  this.timeout(60_000);

  /** Whether the model may search the live web, by what the CLI offered it in its last request. */
  const isOn = {
    codex: (body: string) => body.includes('"type":"web_search"') && body.includes('"external_web_access":true'),
    claude: (body: string) => body.includes('"name":"WebSearch"') && body.includes('"name":"WebFetch"'),
    grok: (body: string) => body.includes('"name":"web_search"') || body.includes('"type":"web_search"'),
  };

  for (const engine of ['codex', 'claude', 'grok'] as const) {
    it(`has the live web switched on in real ${engine}, for its follow-ups too, and nobody else has`, () =>
      Bench.with([engine], async (bench) => {
        const client = await McpTestClient.connect(serverFor(bench));
        const searches = () => isOn[engine](JSON.stringify(bench.lastRequest().body));
        try {
          const looked = await client.call('web_lookup', { query: '[[scenario: answer]] What is new?' });
          assert.equal(looked.isError, false, looked.text);
          assert.match(looked.text, /^Note: The answer names no source.*\n\nThe answer is forty-two\./);
          assert.equal(searches(), true, JSON.stringify(bench.lastRequest().body).slice(-3000));
          const question = '[[scenario: answer]] And now?';
          const more = await client.call('follow_up', { session_id: sessionIn(looked.text), question });
          assert.equal(more.isError, false, more.text);
          assert.equal(searches(), true, 'in a follow-up');
          await client.call('explore', { question });
          assert.equal(searches(), false, 'exploring');
        } finally {
          await client.close();
        }
      }));
  }
});
