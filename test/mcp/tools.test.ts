import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FollowUp, Task } from '../../src/delegation/task.ts';
import type { McpDeps } from '../../src/mcp/server.ts';
import { fakeRecord } from '../support/fakes/delegation.ts';
import { answering, refused, useToolBench } from '../support/toolBench.ts';

/** What a client draws: an icon's size as the PNG itself has it (PNG specification, 11.2.2). */
function iconSize({ src, mimeType }: { src: string; mimeType?: string | undefined }): string {
  const prefix = 'data:image/png;base64,';
  assert.equal(mimeType, 'image/png');
  assert.ok(src.startsWith(prefix) && src.length < 1_200);
  const bytes = Buffer.from(src.slice(prefix.length), 'base64');
  assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
}

describe('the tools', () => {
  const bench = useToolBench();
  const connect: typeof bench.connect = (...how) => bench.connect(...how);
  let root: string;
  let workspace: string;
  before(() => ({ root, workspace } = bench));

  /** A good call of every tool that starts a worker. */
  const workingCalls: Record<string, Record<string, unknown>> = {
    delegate: { prompt: 'x' },
    fast_delegate: { prompt: 'x' },
    explore: { question: 'x' },
    read_slice: { files: ['src/a.ts'], want: 'the word x' },
    web_lookup: { query: 'x' },
    plan: { task: 'x' },
    build: { plan: 'x' },
    generate_image: { description: 'x', out_path: 'new.png' },
  };

  describe('as clients see them', () => {
    it('are these', async () => {
      const { client } = await connect({});
      const { tools } = await client.client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        [
          'delegate',
          'fast_delegate',
          'explore',
          'read_slice',
          'run_filtered',
          'web_lookup',
          'plan',
          'build',
          'fan_out',
          'generate_image',
          'follow_up',
          'bridge_stats',
        ],
      );
    });

    it('say truly what they may do', async () => {
      const { client } = await connect({});
      const { tools } = await client.client.listTools();
      const having = (test: (tool: (typeof tools)[number]) => boolean) => tools.filter(test).map(({ name }) => name);
      assert.deepEqual(
        having(({ annotations }) => annotations?.readOnlyHint === true),
        ['explore', 'read_slice', 'web_lookup', 'plan', 'bridge_stats'],
      );
      assert.deepEqual(
        having(({ annotations }) => annotations?.readOnlyHint === false),
        ['delegate', 'fast_delegate', 'run_filtered', 'build', 'fan_out', 'generate_image', 'follow_up'],
      );
      assert.deepEqual(
        having(({ _meta }) => _meta?.['anthropic/alwaysLoad'] === true),
        ['delegate', 'explore', 'read_slice', 'run_filtered', 'web_lookup'],
      );
      for (const tool of tools) {
        assert.ok(tool.title && tool.description);
        for (const [name, property] of Object.entries(tool.inputSchema.properties ?? {})) {
          assert.ok('description' in property && String(property.description).length > 5, `${tool.name}.${name}`);
        }
      }
    });

    it('name server and version', async () => {
      const { client } = await connect({});
      const { icons = [], ...server } = client.client.getServerVersion() ?? assert.fail('no server');
      assert.deepEqual(server, { name: 'sallyport', title: 'Sallyport', version: '9.9.9' });
      assert.deepEqual(icons.map(iconSize), [icons[0]?.sizes?.[0]]);
    });
  });

  describe('delegate', () => {
    it('hands the task on as it was given and returns the conclusion', async () => {
      const { client, delegation } = await connect({
        answer: () => ({
          sessionId: 'abc-123',
          text: 'It is done.',
          notes: ['Codex could not take this.'],
          files: [{ path: 'src/a.ts', kind: 'modified' }],
        }),
      });
      const prompt = '-- `rm` $(id); "quoted"\n--help';
      const answer = await client.call('delegate', { prompt, level: 3, model: 'm', effort: 'low', timeout_ms: 5000 });
      const { instructions, ...asked } = delegation.runs[0]?.asked as Task;
      assert.deepEqual(asked, {
        tool: 'delegate',
        prompt,
        access: 'workspaceWrite',
        cwd: workspace,
        choice: { by: 'level', level: 3 },
        model: 'm',
        effort: 'low',
        timeoutMs: 5000,
      });
      assert.match(instructions ?? '', /files you changed/);
      assert.match(
        answer.text,
        /^Note: Codex could not take this\.\n\nIt is done\.\n\nFiles changed \(1\):\n- modified src\/a\.ts\n/,
      );
      assert.match(answer.text, /\nsession_id: codex:abc-123\n.*follow_up.*$/);
      assert.deepEqual(delegation.returned, [{ runId: delegation.runs[0]?.run.id, chars: answer.text.length }]);
    });

    it('takes the cheapest level when none is given', async () => {
      const { client, delegation } = await connect(answering);
      await client.call('delegate', { prompt: 'x' });
      assert.deepEqual((delegation.runs[0]?.asked as Task).choice, { by: 'level', level: 1 });
    });

    it('takes a prompt of 1 MB and refuses a longer one', async () => {
      const { client } = await connect(answering);
      assert.equal((await client.call('delegate', { prompt: 'x'.repeat(1_000_000) })).isError, false);
      refused(await client.call('delegate', { prompt: 'x'.repeat(1_000_001) }), /1000000 at most/);
    });

    it('says what is wrong with bad input', async () => {
      const { client, delegation } = await connect(answering);
      refused(await client.call('delegate', {}), /prompt/);
      refused(await client.call('delegate', { prompt: 5 }), /prompt: .*string/);
      for (const prompt of ['', ' \n\t ']) refused(await client.call('delegate', { prompt }), /empty/);
      for (const level of [0, 6, 1.5, '3']) refused(await client.call('delegate', { prompt: 'x', level }), /level: /);
      refused(await client.call('delegate', { prompt: 'x', persona: 'me' }), /persona/);
      refused(await client.call('delegate', { prompt: 'x', model: '--flag' }), /model/);
      refused(await client.call('delegate', { prompt: 'x', timeout_ms: -1 }), /limit/);
      refused(await client.call('no_such_tool'), /no tool "no_such_tool"/);
      assert.equal(delegation.live.length, 0);
    });

    it('returns a failure with its reason', async () => {
      const { client } = await connect({
        answer: () => ({
          status: 'failed',
          reason: 'rateLimited',
          text: 'Codex is at its limit. Try again at 5 pm.',
          sessionId: 's-1',
        }),
      });
      const answer = await client.call('delegate', { prompt: 'x' });
      refused(answer, /^Failed \(rateLimited\):\nCodex is at its limit/);
      assert.match(answer.text, /session_id: codex:s-1/);
    });

    it('keeps within the limit, footer included', async () => {
      const text = `head${'.'.repeat(500_000)}tail`;
      const files = Array.from({ length: 300 }, (_, i) => ({ path: `src/${i}.ts`, kind: 'added' as const }));
      const { client } = await connect({ answer: () => ({ text, files, sessionId: 'abc' }) });
      const answer = await client.call('delegate', { prompt: 'x' });
      assert.ok(answer.text.length <= 20_000 && answer.text.length > 15_000, `${answer.text.length}`);
      assert.match(answer.text, /^head/);
      assert.match(answer.text, /and 260 more/);
      assert.match(answer.text, /session_id: codex:abc\n/);
    });

    it('is refused inside a worker, and before anything is loaded', async () => {
      let loaded = false;
      const { client } = await connect(answering, {
        recursion: () => Promise.resolve('You are a worker already.'),
        delegation: () => {
          loaded = true;
          return Promise.reject(new Error('loaded'));
        },
      });
      for (const [tool, args] of Object.entries(workingCalls)) {
        refused(await client.call(tool, args), /worker already/);
      }
      assert.equal(loaded, false);
    });

    it('reports what it did not expect as an error of its own', async () => {
      const { client } = await connect({}, { delegation: () => Promise.reject(new Error('disk full')) });
      refused(await client.call('delegate', { prompt: 'x' }), /could not carry this out: disk full/);
    });
  });

  describe('cwd', () => {
    it('may be any folder of the window, through links too', async () => {
      const { client, delegation } = await connect(answering);
      for (const cwd of [join(workspace, 'src'), join(root, 'alias', 'src'), `${workspace}/src/../src`]) {
        assert.equal((await client.call('delegate', { prompt: 'x', cwd })).isError, false, cwd);
      }
      assert.equal((delegation.runs[2]?.asked as Task).cwd, join(workspace, 'src'));
    });

    it('is refused when it is none, or outside', async () => {
      const { client, delegation } = await connect(answering);
      const bad: [string, RegExp][] = [
        [join(workspace, 'gone'), /does not exist/],
        [join(workspace, 'src', 'a.ts'), /is a file/],
        ['src', /must be an absolute path/],
        ['', /must be an absolute path/],
        [root, /outside the workspace/],
        [join(workspace, '..'), /outside the workspace/],
        [join(workspace, 'up'), /outside the workspace/],
        [`${workspace}\0`, /does not exist/],
      ];
      for (const [cwd, why] of bad) {
        refused(await client.call('delegate', { prompt: 'x', cwd }), why);
        refused(await client.call('explore', { question: 'x', cwd }), why);
        refused(await client.call('follow_up', { session_id: 'codex:abc', question: 'x', cwd }), why);
      }
      assert.equal(delegation.runs.length, 0);
    });

    it('needs an open folder in a window', async () => {
      const { client } = await connect(answering, { workspace: { kind: 'window', folders: () => [] } });
      refused(await client.call('delegate', { prompt: 'x' }), /No folder is open/);
    });

    it('follows the roots of a client outside an editor', async () => {
      const standalone: McpDeps['workspace'] = { kind: 'standalone', cwd: root };
      const { client, delegation } = await connect(answering, { workspace: standalone }, [
        pathToFileURL(workspace).href,
      ]);
      await client.call('delegate', { prompt: 'x' });
      assert.equal((delegation.runs[0]?.asked as Task).cwd, workspace);
      refused(await client.call('delegate', { prompt: 'x', cwd: root }), /outside/);
    });

    it('keeps to the roots it can read when others are on no disk of this machine', async () => {
      const standalone: McpDeps['workspace'] = { kind: 'standalone', cwd: root };
      const elsewhere = ['file://another-machine/x', 'file:///%2Fx'];
      const { client } = await connect(answering, { workspace: standalone }, [
        ...elsewhere,
        pathToFileURL(workspace).href,
      ]);
      refused(await client.call('delegate', { prompt: 'x', cwd: root }), /outside/);
    });

    it('may be anywhere when nobody drew a boundary', async () => {
      const { client, delegation } = await connect(answering, { workspace: { kind: 'standalone', cwd: root } });
      await client.call('delegate', { prompt: 'x' });
      assert.equal((delegation.runs[0]?.asked as Task).cwd, root);
      assert.equal((await client.call('delegate', { prompt: 'x', cwd: workspace })).isError, false);
      refused(await client.call('delegate', { prompt: 'x', cwd: join(root, 'gone') }), /does not exist/);
    });
  });

  it('shows what would act or hide in an answer', async () => {
    const text = 'Done.\u001b[2K\u202e\nSecond line.';
    const { client } = await connect({ answer: () => ({ text }) });
    const answer = await client.call('delegate', { prompt: 'x' });
    assert.match(answer.text, /^Done\.\\x1b\[2K\\u\{202e\}\nSecond line\./);
  });

  describe('explore', () => {
    it('reads with the model for it, beginning where it was told', async () => {
      const { client, delegation } = await connect(answering);
      await client.call('explore', { question: 'Where is a?', files: ['src/a.ts', 'src/../src'], breadth: 'thorough' });
      const { instructions, ...asked } = delegation.runs[0]?.asked as Task;
      assert.deepEqual(asked, {
        tool: 'explore',
        prompt: 'Where is a?\n\nBegin with:\n- "src/a.ts"\n- "src"',
        access: 'readOnly',
        cwd: workspace,
        choice: { by: 'tier', tier: { engine: 'codex', model: 'reader', effort: 'low' } },
      });
      assert.match(instructions ?? '', /path:line/);
      assert.match(instructions ?? '', /Search widely/);
    });

    it('draws a map without a question', async () => {
      const { client, delegation } = await connect(answering);
      await client.call('explore');
      assert.match((delegation.runs[0]?.asked as Task).prompt, /map of this project/);
    });

    it('keeps files inside cwd', async () => {
      const { client, delegation } = await connect(answering);
      const bad: [string, RegExp][] = [
        ['../secret.txt', /outside/],
        [join(root, 'secret.txt'), /outside/],
        ['leak.txt', /outside/],
        ['up/secret.txt', /outside/],
        ['src/none.ts', /does not exist/],
        ['a\0b', /does not exist/],
      ];
      for (const [file, why] of bad) refused(await client.call('explore', { files: ['src/a.ts', file] }), why);
      refused(await client.call('explore', { files: Array(51).fill('src/a.ts') }), /files: .*50/);
      refused(await client.call('explore', { question: '  ' }), /empty/);
      refused(await client.call('explore', { question: 'x', breadth: 'wide' }), /breadth/);
      assert.equal(delegation.runs.length, 0);
    });
  });

  describe('follow_up', () => {
    it('takes the footer of every kind of answer', async () => {
      const { client, delegation } = await connect(answering);
      // What these return is no word of the worker's, and this worker did nothing.
      const checked = ['read_slice', 'generate_image'];
      const calls = { ...workingCalls, follow_up: { session_id: 'codex:abc-123', question: 'x' } };
      for (const [tool, args] of Object.entries(calls)) {
        const footer = /session_id: .*/.exec((await client.call(tool, args)).text)?.[0] ?? '';
        for (const session_id of [footer, footer.replace('session_id: ', '')]) {
          const fetched = await client.call('follow_up', { session_id });
          if (!checked.includes(tool)) assert.match(fetched.text, /^It is done\./m);
          assert.match(fetched.text, /\nsession_id: codex:abc-123\n/);
        }
      }
      const writing = delegation.runs
        .filter(({ run }) => run.record.access !== 'readOnly')
        .map(({ run }) => run.record.tool);
      assert.deepEqual(writing, ['delegate', 'fast_delegate', 'build', 'generate_image', 'follow_up']);
    });

    it('passes question and mode on, and the folder only when asked', async () => {
      const { client, delegation } = await connect(answering);
      await client.call('delegate', { prompt: 'x' });
      await client.call('follow_up', { session_id: 'codex:abc-123', question: 'why?', mode: 'plan' });
      const plan = (delegation.runs[1]?.asked as FollowUp).question;
      assert.match(plan, /^why\?\n\nAnswer with a plan/);
      assert.deepEqual(delegation.runs[1]?.asked, {
        tool: 'follow_up',
        handle: 'codex:abc-123',
        question: plan,
        mode: 'plan',
      });
      await client.call('follow_up', { session_id: 'grok:unknown-1', question: 'why?' });
      assert.deepEqual(delegation.runs[2]?.asked, {
        tool: 'follow_up',
        handle: 'grok:unknown-1',
        question: 'why?',
        cwd: workspace,
      });
    });

    it('refuses what is no session and what nobody knows', async () => {
      const { client } = await connect(answering);
      for (const session_id of [
        '',
        'abc',
        'gpt:abc',
        'codex:',
        'codex:--help',
        'codex:a b',
        'codex:../x',
        'x'.repeat(9999),
      ]) {
        const answer = await client.call('follow_up', { session_id });
        refused(answer, /session_id .* is not a session id/);
        assert.ok(answer.text.length < 300);
      }
      refused(await client.call('follow_up', { session_id: 'codex:nobody' }), /No run of codex:nobody is known/);
      refused(await client.call('follow_up', { session_id: 'codex:abc', question: ' ' }), /question is empty/);
      refused(await client.call('follow_up', { session_id: 'codex:abc', question: 'x', mode: 'write' }), /mode/);
    });

    it('tells of runs in other processes', async () => {
      const { client, delegation } = await connect(answering);
      delegation.records.push(
        fakeRecord({ runId: 'r1', sessionId: 'far', owner: { pid: 42, startedAt: 't', kind: 'window' } }),
        fakeRecord({ runId: 'r2', sessionId: 'dead', status: 'lost' }),
        fakeRecord({ runId: 'r3', sessionId: 'old', status: 'failed', reason: 'exited', message: 'It broke.' }),
        fakeRecord({ runId: 'r4', sessionId: 'pruned', status: 'completed' }),
      );
      const far = await client.call('follow_up', { session_id: 'codex:far' });
      assert.equal(far.isError, false);
      assert.match(far.text, /another editor window \(pid 42\)[^]*session_id: codex:far/);
      refused(
        await client.call('follow_up', { session_id: 'codex:dead' }),
        /process that ran it ended[^]*session_id: codex:dead/,
      );
      refused(await client.call('follow_up', { session_id: 'codex:old' }), /Failed \(exited\):\nIt broke\./);
      assert.match((await client.call('follow_up', { session_id: 'codex:pruned' })).text, /no longer kept/);
    });

    it('does not continue the session of another workspace', async () => {
      const { client, delegation } = await connect(answering);
      delegation.records.push(fakeRecord({ sessionId: 'far', status: 'completed', cwd: root }));
      refused(await client.call('follow_up', { session_id: 'codex:far', question: 'go on' }), /outside the workspace/);
    });
  });

  describe('bridge_stats', () => {
    it('shows what was measured over the period asked for', async () => {
      const asked: string[] = [];
      const row = {
        runs: 3,
        completed: 2,
        failed: 1,
        cancelled: 0,
        running: 0,
        charsRead: 12_345,
        charsReturned: 678,
        charsKeptOut: 11_667,
      };
      const measured = { ...row, medianMs: 1234, maxMs: 60_000, runsWithoutTokens: 1 };
      const tokens = { tokensIn: 4000, tokensOut: 50 };
      const { client } = await connect(
        {},
        {
          readStats: (period) => {
            asked.push(period);
            return Promise.resolve({ rows: [{ tool: 'delegate', engine: 'codex', ...measured, ...tokens }] });
          },
        },
      );
      const answer = await client.call('bridge_stats', { period: 'month' });
      await client.call('bridge_stats');
      assert.deepEqual(asked, ['month', 'week']);
      assert.match(
        answer.text,
        /delegate +codex +3 +2 +1 +0 +0 +1\.2 s +60\.0 s +12,345 +678 +11,667 +4,000\/50 \(without 1 runs\)\n/,
      );
      refused(await client.call('bridge_stats', { period: 'ever' }), /period/);
    });

    it('adds up what can be added, and calls an estimate one', async () => {
      const counts = { runs: 2, completed: 1, failed: 1, cancelled: 0, running: 0, runsWithoutTokens: 1 };
      const rows = [
        { ...counts, tool: 'explore', engine: 'codex', charsRead: 9000, charsReturned: 1000, charsKeptOut: 8000 },
        { ...counts, tool: 'delegate', engine: 'grok', charsRead: 100, charsReturned: 400, charsKeptOut: -300 },
      ] as const;
      const tokens = [{ tokensIn: 50, tokensOut: 5 }, {}];
      const all = rows.map((row, index) => ({ ...row, ...tokens[index] }));
      const { client } = await connect({}, { readStats: () => Promise.resolve({ rows: all }) });
      const { text } = await client.call('bridge_stats');
      assert.match(text, /\ndelegate +grok +2 .* 100 +400 +-300 +-\n/);
      assert.match(text, /\nall +4 +2 +2 +0 +0 +- +- +9,100 +1,400 +7,700 +50\/5 \(without 2 runs\)\n/);
      assert.match(text, /\nAn estimate, not measured: .* about 1,925 tokens\./);
      const { client: other } = await connect({}, { readStats: () => Promise.resolve({ rows: all.slice(1) }) });
      assert.doesNotMatch((await other.call('bridge_stats')).text, /\nall|estimate/);
    });

    it('says so when there is nothing', async () => {
      const { client } = await connect({});
      assert.match((await client.call('bridge_stats')).text, /No runs were recorded in the last week/);
    });
  });
});
