import assert from 'node:assert/strict';
import * as z from 'zod';
import { createNormaliser } from '../../../scripts/fixtures/normalise.ts';
import type { Step } from '../../support/modelServer/scenario.ts';
import { startModelServer } from '../../support/modelServer/server.ts';
import type { ModelServer, ModelServerOptions } from '../../support/modelServer/server.ts';

const shellTool = { type: 'function', name: 'exec_command' };
const claudeTools = [{ name: 'Bash' }, { name: 'Write' }];
const grokTools = ['run_terminal_command', 'write'].map((name) => ({ type: 'function', function: { name } }));

describe('the model server', () => {
  let server: ModelServer;
  const start = async (options: ModelServerOptions = {}): Promise<void> => {
    server = await startModelServer(options);
  };
  afterEach(() => server.close());

  const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body), headers });

  describe('speaking Responses', () => {
    it('streams an answer that ends in a completed response', async () => {
      await start();
      const events = await eventsOf(await post('/s/answer/v1/responses', { model: 'm', stream: true, input: 'Hi' }));
      assert.equal(events[0]?.event, 'response.created');
      assert.equal(events.at(-1)?.event, 'response.completed');
      assert.equal(joined(events, 'response.output_text.delta'), 'The answer is forty-two.');
      assert.deepEqual(
        events.map(({ data }) => data.sequence_number),
        events.map((_, index) => index),
      );
    });

    it('calls the shell first and concludes once it has the result', async () => {
      await start();
      const input: unknown[] = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Edit' }] }];
      const body = { model: 'mock-edit', stream: true, tools: [shellTool], input };
      const first = JSON.stringify(await eventsOf(await post('/v1/responses', body)));
      assert.match(first, /"type":"function_call".*"name":"exec_command".*note\.txt/);

      input.push({ type: 'function_call', call_id: 'call_1_0', name: 'exec_command', arguments: '{}' });
      input.push({ type: 'function_call_output', call_id: 'call_1_0', output: 'a note' });
      const second = await eventsOf(await post('/v1/responses', body));
      assert.equal(joined(second, 'response.output_text.delta'), 'Done: note.txt:1 holds the note.');
      assert.doesNotMatch(JSON.stringify(second), /function_call/);
    });

    it('patches through apply_patch where it is offered, else through the shell', async () => {
      await start();
      const ask = async (tools: unknown[]): Promise<string> =>
        (await post('/s/fileChange/v1/responses', { model: 'm', input: 'Go', tools })).text();
      assert.match(await ask([{ type: 'custom', name: 'apply_patch' }]), /"custom_tool_call".*Add File: patched\.txt/);
      assert.match(await ask([shellTool]), /"function_call".*apply_patch <<'PATCH'/);
      assert.match(await ask([{ type: 'function', name: 'write' }]), /"name":"write".*patched\.txt/);
    });

    it('searches, and reads some lines only', async () => {
      const path = "it's.ts";
      const steps: readonly [Step, Step] = [
        { call: { kind: 'search', pattern: 'a|b', path } },
        { call: { kind: 'read', path, lines: [3, 9] } },
      ];
      await start({ scenarios: { reads: { about: 'reads', steps } } });
      const input: unknown[] = [{ type: 'message', role: 'user', content: 'Go' }];
      const ask = async (...tools: string[]): Promise<string> =>
        (await post('/s/reads/v1/responses', { model: 'm', input, tools: tools.map((name) => ({ name })) })).text();
      assert.match(await ask('exec_command'), /grep -rnE -e 'a\|b' 'it'\S+'s\.ts' \| head -n 80/);
      assert.match(await ask('Grep'), /"name":"Grep".*head_limit.*80/);
      input.push({ type: 'function_call_output', output: '3: a' });
      assert.match(await ask('exec_command'), /cat -n \S+ \| sed -n '3,9p'/);
      for (const tool of ['Read', 'read_file']) assert.match(await ask(tool), /offset\S+3,\S+limit\S+7/);
    });

    it('scripts its tools where the client offers nothing but scripts, and says so in an item of the input', async () => {
      await start();
      const input: unknown[] = [
        {
          type: 'additional_tools',
          role: 'developer',
          tools: [{ type: 'namespace', name: 'functions', tools: [{ type: 'custom', name: 'exec' }] }],
        },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go' }] },
      ];
      const ask = async (scenario: string): Promise<StreamedEvent[]> =>
        eventsOf(await post(`/s/${scenario}/v1/responses`, { model: 'm', stream: true, input }));
      assert.equal(
        scriptIn(await ask('sleep')),
        'text((await tools.exec_command({"cmd":"sleep 2; echo woke","yield_time_ms":30000})).output);\n',
      );
      assert.match(scriptIn(await ask('background')), /"yield_time_ms":250\}/);
      assert.match(
        scriptIn(await ask('fileChange')),
        /^text\(await tools\.apply_patch\("\*\*\* Begin Patch\\n.*"\)\);\n$/,
      );

      const output = [
        { type: 'input_text', text: 'Script completed\nOutput:\n' },
        { type: 'input_text', text: 'PATH HOME' },
      ];
      input.push({ type: 'custom_tool_call', call_id: 'call_1_0', name: 'exec', input: '' });
      input.push({ type: 'custom_tool_call_output', call_id: 'call_1_0', output });
      assert.match(
        joined(await ask('envDump'), 'response.output_text.delta'),
        /^Environment of the tool: .*PATH HOME$/s,
      );
      assert.equal(joined(await ask('remember'), 'response.output_text.delta'), 'I have seen 1 user turn(s).');
    });
  });

  describe('speaking Messages', () => {
    it('streams text and one tool use, with the path made absolute', async () => {
      await start();
      const events = await eventsOf(
        await post('/s/fileChange/v1/messages?beta=true', {
          model: 'opus',
          stream: true,
          system: ' - Primary working directory: /workspace\n - Platform: linux',
          messages: [{ role: 'user', content: [{ type: 'text', text: 'Write it' }] }],
          tools: claudeTools,
        }),
      );
      assert.equal(events[0]?.event, 'message_start');
      assert.equal(events.at(-1)?.event, 'message_stop');
      const input = JSON.stringify(events.find(({ data }) => 'delta' in data)?.data.delta);
      assert.match(input, /\/workspace\/patched\.txt/);
    });

    it('answers in one document when no stream is asked for', async () => {
      await start();
      const messages = [{ role: 'user', content: 'Hi' }];
      const reply = await post('/s/answer/v1/messages', { model: 'opus', messages });
      const { content, stop_reason } = z
        .object({ content: z.array(z.object({ text: z.string() })), stop_reason: z.string() })
        .parse(await reply.json());
      assert.deepEqual([content[0]?.text, stop_reason], ['The answer is forty-two.', 'end_turn']);
    });

    it('counts user turns, not tool results and not reminders', async () => {
      await start();
      const messages = [
        { role: 'user', content: 'One' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'Bash', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] },
        { role: 'assistant', content: 'Done' },
        { role: 'user', content: '<system-reminder>Some context</system-reminder>' },
        { role: 'user', content: 'Two' },
      ];
      const reply = await post('/v1/messages', { model: 'mock-remember', messages, tools: claudeTools });
      assert.match(await reply.text(), /I have seen 2 user turn/);
    });
  });

  describe('speaking chat completions', () => {
    it('streams a tool call and the final usage', async () => {
      await start();
      const body = {
        model: 'mock-edit',
        stream: true,
        messages: [{ role: 'user', content: 'Edit' }],
        tools: grokTools,
      };
      const text = await (await post('/v1/chat/completions', body)).text();
      assert.match(text, /"name":"run_terminal_command"/);
      assert.match(text, /"prompt_tokens":120/);
      assert.ok(text.endsWith('data: [DONE]\n\n'));
    });

    it('answers a side question in words', async () => {
      await start();
      const messages = [
        { role: 'user', content: 'Edit' },
        { role: 'user', content: '<system-reminder>Write a status line.</system-reminder>' },
      ];
      const reply = await post('/s/edit/v1/chat/completions', { model: 'm', messages, tools: grokTools });
      assert.doesNotMatch(await reply.text(), /tool_calls":\[/);
    });
  });

  describe('choosing the scenario', () => {
    const scenarioOf = async (path: string, model: string, input: string): Promise<string | undefined> => {
      await post(path, { model, input });
      return server.requests.at(-1)?.scenario;
    };

    it('takes the directive before the model before the path before the fallback', async () => {
      await start({ fallback: 'think' });
      assert.equal(await scenarioOf('/s/explore/v1/responses', 'mock-edit', 'Do\n[[scenario: remember]]'), 'remember');
      assert.equal(await scenarioOf('/s/explore/v1/responses', 'mock-edit', 'Do'), 'edit');
      assert.equal(await scenarioOf('/s/explore/v1/responses', 'gpt', 'Do'), 'explore');
      assert.equal(await scenarioOf('/v1/responses', 'gpt', 'Do'), 'think');
    });

    it('refuses an unknown scenario with the names of those there are', async () => {
      await start();
      const reply = await post('/s/nonsense/v1/responses', { model: 'm', input: 'Do' });
      assert.equal(reply.status, 400);
      assert.match(await reply.text(), /No scenario \\"nonsense\\".*answer, /);
    });

    it('plays scenarios of the caller', async () => {
      await start({ scenarios: { mine: { about: 'a test', steps: [{ say: 'Mine: {{prompt}}' }] } } });
      assert.match(await (await post('/v1/responses', { model: 'mock-mine', input: 'Do' })).text(), /Mine: Do/);
    });
  });

  it('pauses before each part as long as the scenario name says', async () => {
    const pauses: number[] = [];
    await start({ delayMs: 5, pause: (ms) => Promise.resolve(void pauses.push(ms)) });
    await (await post('/s/answer-70ms/v1/responses', { model: 'm', stream: true, input: 'Hi' })).text();
    await (await post('/s/answer/v1/responses', { model: 'm', stream: true, input: 'Hi' })).text();
    assert.deepEqual(pauses, [70, 70, 70, 5, 5, 5]);
  });

  it('refuses in the wording of each API', async () => {
    await start();
    const status = async (path: string): Promise<[number, string]> => {
      const reply = await post(path, { model: 'm', input: 'Hi', messages: [{ role: 'user', content: 'Hi' }] });
      return [reply.status, await reply.text()];
    };
    assert.deepEqual((await status('/s/http401/v1/responses'))[0], 401);
    assert.match((await status('/s/usageLimit/v1/responses'))[1], /"usage_limit_reached"/);
    assert.deepEqual((await status('/s/http529/v1/messages'))[0], 529);
    assert.match((await status('/s/http401/v1/messages'))[1], /"authentication_error"/);
    assert.deepEqual((await status('/s/quota/v1/chat/completions'))[0], 429);
  });

  it('cuts a stream in the middle of the answer, after what came before has arrived', async () => {
    await start();
    const reply = await post('/s/cut/v1/responses', { model: 'm', stream: true, input: 'Hi' });
    const chunks: string[] = [];
    const sink = new WritableStream<string>({ write: (chunk) => void chunks.push(chunk) });
    await assert.rejects(reply.body?.pipeThrough(new TextDecoderStream()).pipeTo(sink) ?? Promise.resolve());
    const received = chunks.join('');
    assert.match(received, /response\.output_text\.delta/);
    assert.doesNotMatch(received, /response\.completed/);
  });

  it('ends stalled and silent connections when it closes', async () => {
    await start();
    const stalled = await post('/s/stall/v1/messages', { model: 'm', stream: true, messages: [] });
    const silent = post('/s/hang/v1/messages', { model: 'm', messages: [] });
    await Promise.all([server.close(), assert.rejects(stalled.text()), assert.rejects(silent)]);
    await start();
  });

  it('records requests without their credentials', async () => {
    const seen: string[] = [];
    await start({ onRequest: ({ scenario }) => seen.push(scenario) });
    await post(
      '/s/answer/v1/responses',
      { model: 'm', input: 'Hi' },
      { authorization: 'Bearer abc', 'x-api-key': 'abc' },
    );
    assert.deepEqual(seen, ['answer']);
    assert.equal(server.requests[0]?.prompt, 'Hi');
    assert.equal(server.requests[0].headers.authorization, '(present)');
    assert.doesNotMatch(JSON.stringify(server.requests), /abc/);
  });

  it('streams two megabytes', async () => {
    await start();
    const body = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] };
    const events = await eventsOf(await post('/s/bigText/v1/messages', body));
    const lengths = events.map(({ data }) => z.looseObject({ text: z.string().optional() }).safeParse(data.delta));
    assert.equal(
      lengths.reduce((sum, { data }) => sum + (data?.text?.length ?? 0), 0),
      2_000_000,
    );
  });
});

describe('the fixture normaliser', () => {
  it('keeps the identity of ids and hides paths, times and durations', () => {
    const normaliser = createNormaliser(
      [
        ['/tmp/x/ws', '/workspace'],
        ['/tmp/x', '/scratch'],
      ],
      [],
    );
    const a = '01a22db4-3c56-7433-9a7e-640370236898';
    const b = '01a22db4-3e3a-7920-9461-00e232c28f47';
    const line = `{"a":"${a}","b":"${b}","cwd":"/tmp/x/ws","other":"/tmp/x/p","duration_ms":31,"n":31,"again":"${a}"}`;
    assert.equal(
      normaliser.text(line),
      '{"a":"00000000-0000-7000-8000-000000000001","b":"00000000-0000-7000-8000-000000000002","cwd":"/workspace",' +
        '"other":"/scratch/p","duration_ms":0,"n":31,"again":"00000000-0000-7000-8000-000000000001"}',
    );
    assert.equal(normaliser.text('"2026-11-30T18:25:18.245Z"'), '"2026-01-01T00:00:00.000Z"');
  });
});

const scriptCall = z.object({ type: z.literal('custom_tool_call'), name: z.literal('exec'), input: z.string() });

/** The script that a streamed response ends in. */
function scriptIn(events: readonly StreamedEvent[]): string {
  const done = events.findLast(({ event }) => event === 'response.output_item.done');
  return scriptCall.parse(done?.data.item).input;
}

interface StreamedEvent {
  readonly event: string | undefined;
  readonly data: Record<string, unknown>;
}

async function eventsOf(response: Response): Promise<StreamedEvent[]> {
  assert.equal(response.status, 200);
  const blocks = (await response.text()).split('\n\n').filter((block) => block !== '');
  return blocks.map((block) => {
    const data = /^data: (.*)$/m.exec(block)?.[1] ?? '{}';
    return {
      event: /^event: (.*)$/m.exec(block)?.[1],
      data: z.record(z.string(), z.unknown()).parse(JSON.parse(data)),
    };
  });
}

function joined(events: readonly StreamedEvent[], name: string): string {
  return events
    .filter(({ event }) => event === name)
    .map(({ data }) => String(data.delta))
    .join('');
}
