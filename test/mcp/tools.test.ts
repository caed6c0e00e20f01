import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FollowUp, Task } from '../../src/delegation/task.ts';
import type { McpDeps } from '../../src/mcp/server.ts';
import { FakeDelegation, fakeRecord, type FakeOptions } from '../support/fakes/delegation.ts';
import { type Answer, connectInMemory, type McpTestClient } from '../support/mcpClient.ts';
import { mcpDeps } from '../support/mcpDeps.ts';

describe('the tools', () => {
  let root: string;
  let workspace: string;
  let open: McpTestClient[] = [];

  before(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-tools-')));
    workspace = join(root, 'workspace');
    mkdirSync(join(workspace, 'src'), { recursive: true });
    writeFileSync(join(workspace, 'src', 'a.ts'), '');
    writeFileSync(join(root, 'secret.txt'), '');
    symlinkSync(join(root, 'secret.txt'), join(workspace, 'leak.txt'));
    symlinkSync(root, join(workspace, 'up'));
    symlinkSync(workspace, join(root, 'alias'));
  });

  after(() => rmSync(root, { recursive: true, force: true }));

  afterEach(async () => {
    for (const client of open) await client.close();
    open = [];
  });

  const answering: FakeOptions = { answer: () => ({ sessionId: 'abc-123', text: 'It is done.' }) };

  async function connect(options: FakeOptions, given: Partial<McpDeps> = {}, roots?: string[]) {
    const delegation = new FakeDelegation(options);
    const inWindow = { workspace: { kind: 'window', folders: () => [workspace] } } as const;
    const { client, server } = await connectInMemory(mcpDeps(delegation, { ...inWindow, ...given }), roots);
    open.push(client);
    return { delegation, client, server };
  }

  /** A good call of every tool that starts a worker. */
  const workingCalls: Record<string, Record<string, unknown>> = {
    delegate: { prompt: 'x' },
    fast_delegate: { prompt: 'x' },
    explore: { question: 'x' },
    read_slice: { files: ['src/a.ts'], want: 'the word x' },
    web_lookup: { query: 'x' },
    plan: { task: 'x' },
    build: { plan: 'x' },
  };

  const refused = (answer: Answer, why: RegExp) => {
    assert.equal(answer.isError, true, answer.text);
    assert.match(answer.text, why);
  };

  describe('as clients see them', () => {
    it('cost little before the first call', async () => {
      const { client } = await connect({});
      const { tools } = await client.client.listTools();
      const size = JSON.stringify(tools).length + (client.client.getInstructions()?.length ?? 0);
      assert.deepEqual(
        tools.map(({ name }) => name),
        [
          'delegate',
          'fast_delegate',
          'explore',
          'read_slice',
          'web_lookup',
          'plan',
          'build',
          'follow_up',
          'bridge_stats',
        ],
      );
      // All twelve have 9,000 characters together.
      assert.ok(size <= 750 * tools.length, `schemas and instructions take ${size} characters`);
      for (const tool of tools) {
        const own = JSON.stringify(tool).length;
        assert.ok(own < 700, `${tool.name} takes ${own} characters`);
      }
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
        ['delegate', 'fast_delegate', 'build', 'follow_up'],
      );
      assert.deepEqual(
        having(({ _meta }) => _meta?.['anthropic/alwaysLoad'] === true),
        ['delegate', 'explore', 'read_slice', 'web_lookup'],
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
      assert.deepEqual(client.client.getServerVersion(), { name: 'sallyport', title: 'Sallyport', version: '9.9.9' });
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
      refused(await client.call('delegate', { prompt: 'x', agent: 'me' }), /agent/);
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

    it('names the pages of what it left out, which are the whole answer', async () => {
      const text = Array.from({ length: 9_000 }, (_, index) => `line ${index}\u202e`).join('\n');
      const { client, delegation } = await connect({ answer: () => ({ text, sessionId: 'abc' }) });
      const answer = await client.call('delegate', { prompt: 'x' });
      const [, uri = '', last] =
        /characters left out: read the resource (\S+) \(pages 1 to (\d+)\), or ask/.exec(answer.text) ?? [];
      const pages: string[] = [];
      for (let next: string | undefined = uri; next !== undefined;) {
        const page: string = await client.read(next);
        assert.ok(page.length <= 20_000);
        next = /\. Next: (\S+)\]$/.exec(page)?.[1];
        pages.push(page.replace(/\n\n\[Page \d+ of \d+\. [^\]]+\]$/, ''));
      }
      assert.equal(pages.length, Number(last));
      assert.equal(pages.join('\n'), text.replaceAll('\u202e', '\\u{202e}'));
      assert.equal(delegation.returned.length, 1 + pages.length);
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

  describe('fast_delegate', () => {
    it('takes its own ladder, a shorter prompt and five minutes', async () => {
      const { client, delegation } = await connect(answering);
      await client.call('fast_delegate', { prompt: 'Rename a to b.' });
      await client.call('fast_delegate', { prompt: 'x', level: 3, timeout_ms: 60_000 });
      await client.call('delegate', { prompt: 'x' });
      const [first, second, whole] = delegation.runs.map(({ asked }) => asked as Task);
      const { instructions = '', ...asked } = first ?? assert.fail('nothing was asked');
      assert.deepEqual(asked, {
        tool: 'fast_delegate',
        prompt: 'Rename a to b.',
        access: 'workspaceWrite',
        cwd: workspace,
        choice: { by: 'level', level: 1, fast: true },
        usualMs: 300_000,
      });
      assert.deepEqual([second?.choice, second?.timeoutMs], [{ by: 'level', level: 3, fast: true }, 60_000]);
      assert.ok(instructions.length < (whole?.instructions?.length ?? 0) / 1.5, 'the prompt is shorter');
    });

    it('says what is wrong with bad input', async () => {
      const { client, delegation } = await connect(answering);
      refused(await client.call('fast_delegate', {}), /prompt/);
      refused(await client.call('fast_delegate', { prompt: 'x', level: 4 }), /level: /);
      refused(await client.call('fast_delegate', { prompt: 'x', timeout_ms: 300_001 }), /timeout_ms: .*300000/);
      assert.equal(delegation.runs.length, 0);
    });
  });

  describe('the output of a run', () => {
    it('is offered as a resource of every run, and refused with the reason', async () => {
      const { client, delegation } = await connect({});
      const { resourceTemplates } = await client.client.listResourceTemplates();
      assert.deepEqual(
        resourceTemplates.map(({ uriTemplate }) => uriTemplate),
        ['sallyport://runs/{id}/output{?page}'],
      );
      assert.deepEqual((await client.client.listResources()).resources, []);
      const run = delegation.start({
        ...{ tool: 'x', prompt: 'x', access: 'readOnly', cwd: workspace },
        choice: { by: 'level', level: 1 },
      });
      await assert.rejects(client.read(`sallyport://runs/${run.id}/output`), /has not ended yet/);
      delegation.runs[0]?.finish({ text: 'Short.' });
      await run.result;
      assert.equal(
        await client.read(`sallyport://runs/${run.id}/output`),
        'Short.\n\n[Page 1 of 1. This is the last.]',
      );
      await assert.rejects(client.read(`sallyport://runs/${run.id}/output?page=2`), /has 1 page; there is no page 2/);
      await assert.rejects(client.read('sallyport://runs/00000000-0000/output'), /No output of such a run is kept/);
      for (const uri of ['sallyport://runs/../../etc/output', 'sallyport://runs/x/y', 'file:///etc/passwd']) {
        await assert.rejects(client.read(uri), /There is no such resource/);
      }
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

  describe('read_slice', () => {
    const source = ['one();', '', 'two();', '  three();', 'two();'];
    const answers = (text: string): FakeOptions => ({ answer: () => ({ sessionId: 'abc-123', text }) });

    before(() => {
      writeFileSync(join(workspace, 'src', 'long.ts'), `${source.join('\n')}\n`);
      writeFileSync(join(workspace, 'odd\nname.ts'), 'one();\n');
      writeFileSync(join(workspace, 'picture.png'), Buffer.from([0x89, 0x50, 0, 0]));
    });

    it('reads with the model for it, what was asked for in the files named', async () => {
      const { client, delegation } = await connect(answers('src/long.ts:1: one();'));
      const answer = await client.call('read_slice', {
        files: ['src/../src/long.ts', 'src/long.ts'],
        want: 'the call of one',
      });
      const { instructions, check, ...asked } = delegation.runs[0]?.asked as Task;
      assert.deepEqual(asked, {
        tool: 'read_slice',
        prompt: 'the call of one\n\nIn these files:\n- src/long.ts',
        access: 'readOnly',
        cwd: workspace,
        choice: { by: 'tier', tier: { engine: 'codex', model: 'reader', effort: 'low' } },
      });
      assert.match(instructions ?? '', /path:number: source/);
      assert.ok(check);
      assert.match(answer.text, /^src\/long\.ts:1: one\(\);\n\nsession_id: codex:abc-123\n/);
    });

    it('returns nothing that is not in the file, and says what it did', async () => {
      const claimed = [
        'Here you are:',
        ...['2: one();', '3: three();', '4: four();', '5: two();'].map((line) => `src/long.ts:${line}`),
        'not found: five',
      ];
      const { client } = await connect(answers(claimed.join('\n')));
      const { text, isError } = await client.call('read_slice', { files: ['src/long.ts'], want: 'all calls' });
      assert.equal(isError, false);
      assert.match(
        text,
        /^Note: Of the lines of the answer, checked against the files: 2 had a wrong number, which was corrected; 1 had other white space, which was corrected; 1 could not be found in the files and was left out; 1 was no line of a file and was left out\.\n\n/,
      );
      assert.match(
        text,
        /\n\nsrc\/long\.ts:1: one\(\);\nsrc\/long\.ts:4: {3}three\(\);\nsrc\/long\.ts:5: two\(\);\nnot found: five\n\nsession_id/,
      );
    });

    it('takes "not found" for an answer, and made-up lines for none', async () => {
      const { client } = await connect(answers('not found: the call of six'));
      const honest = await client.call('read_slice', { files: ['src/long.ts'], want: 'the call of six' });
      assert.deepEqual([honest.isError, honest.text.split('\n')[0]], [false, 'not found: the call of six']);
      for (const text of [
        'src/long.ts:6: six();',
        'It calls six on line 6.',
        '',
        'src/long.ts:6: six();\nnot found: x',
      ]) {
        const { client: other } = await connect(answers(text));
        const answer = await other.call('read_slice', { files: ['src/long.ts'], want: 'the call of six' });
        refused(answer, /^Failed \(badOutput\):\nNo line of the worker's answer is in the files/);
        assert.match(answer.text, /session_id: codex:abc-123/);
      }
    });

    it('refuses whole files, and what is no text file, before a worker starts', async () => {
      const { client, delegation } = await connect(answers(''));
      const files = ['src/long.ts'];
      for (const want of ['the whole file', 'src/long.ts', 'lines 1-5', 'everything']) {
        refused(await client.call('read_slice', { files, want }), /some lines, not whole files.*symbol.*explore/);
      }
      const bad: [Record<string, unknown>, RegExp][] = [
        [{ files, want: ' ' }, /want is empty/],
        [{ files: [], want: 'one' }, /files: /],
        [{ files: Array(21).fill('src/long.ts'), want: 'one' }, /files: .*20/],
        [{ files: ['src'], want: 'one' }, /"src" is a folder.*explore/],
        [{ files: ['picture.png'], want: 'one' }, /"picture\.png" is no text/],
        [{ files: ['odd\nname.ts'], want: 'one' }, /control character/],
        [{ files: ['leak.txt'], want: 'one' }, /outside/],
        [{ files: ['src/none.ts'], want: 'one' }, /does not exist/],
      ];
      for (const [args, why] of bad) refused(await client.call('read_slice', args), why);
      assert.equal(delegation.runs.length, 0);
    });
  });

  describe('web_lookup', () => {
    it('searches the web with the model for reading', async () => {
      const { client, delegation } = await connect({
        answer: () => ({ sessionId: 'abc-123', text: 'Node 24 is it: https://nodejs.org/en/about' }),
      });
      const answer = await client.call('web_lookup', { query: 'Which Node is LTS?', model: 'm' });
      const { instructions, check, ...asked } = delegation.runs[0]?.asked as Task;
      assert.deepEqual(asked, {
        tool: 'web_lookup',
        prompt: 'Which Node is LTS?',
        access: 'readOnly',
        web: true,
        cwd: workspace,
        choice: { by: 'tier', tier: { engine: 'codex', model: 'reader', effort: 'low' } },
        model: 'm',
      });
      assert.match(instructions ?? '', /full link/);
      assert.ok(check);
      assert.match(answer.text, /^Node 24 is it: https:\/\/nodejs\.org\/en\/about\n\nsession_id: /);
    });

    it('says so when the answer has no source', async () => {
      const { client } = await connect(answering);
      assert.match(
        (await client.call('web_lookup', { query: 'x' })).text,
        /^Note: The answer names no source.*\n\nIt is/,
      );
    });

    it('needs a question', async () => {
      const { client, delegation } = await connect(answering);
      refused(await client.call('web_lookup', { query: ' ' }), /query is empty/);
      refused(await client.call('web_lookup', {}), /query/);
      assert.equal(delegation.runs.length, 0);
    });
  });

  describe('plan and build', () => {
    it('think at level 3 without writing, and carry out at level 1', async () => {
      const { client, delegation } = await connect({
        answer: () => ({ sessionId: 'abc-123', text: '1. `src/a.ts:1`' }),
      });
      const planned = await client.call('plan', { task: 'Add b.' });
      await client.call('build', { plan: '1. Edit a.', level: 2, effort: 'low' });
      const [first, second] = delegation.runs.map(({ asked }) => asked as Task);
      const { instructions, check, ...plan } = first ?? assert.fail('no plan');
      assert.deepEqual(plan, {
        tool: 'plan',
        prompt: 'Add b.',
        access: 'readOnly',
        cwd: workspace,
        choice: { by: 'level', level: 3 },
      });
      assert.match(instructions ?? '', /change no file[^]*in backticks/);
      assert.ok(check);
      assert.match(planned.text, /^1\. `src\/a\.ts:1`\n\nsession_id/);
      const { instructions: told, ...build } = second ?? assert.fail('no build');
      assert.deepEqual(build, {
        tool: 'build',
        prompt: '1. Edit a.',
        access: 'workspaceWrite',
        cwd: workspace,
        choice: { by: 'level', level: 2 },
        effort: 'low',
      });
      assert.match(told ?? '', /Follow it step by step[^]*files you changed[^]*deviation/);
    });

    it('say when the plan rests on files that are not there', async () => {
      const text = '1. `src/a.ts`\n2. `src/none.ts:4`\n3. `src/b.ts` (new)';
      const { client } = await connect({ answer: () => ({ text }) });
      const answer = await client.call('plan', { task: 'x' });
      assert.match(answer.text, /^Note: The plan names files that are not there: src\/none\.ts\. Check .*\n\n1\. /);
    });

    it('say what is wrong with bad input', async () => {
      const { client, delegation } = await connect(answering);
      refused(await client.call('plan', { task: ' ' }), /empty/);
      refused(await client.call('build', { plan: '' }), /empty/);
      refused(await client.call('build', {}), /plan: /);
      for (const level of [0, 6, 1.5]) {
        refused(await client.call('plan', { task: 'x', level }), /level: /);
        refused(await client.call('build', { plan: 'x', level }), /level: /);
      }
      assert.equal(delegation.live.length, 0);
    });
  });

  describe('follow_up', () => {
    it('takes the footer of every kind of answer', async () => {
      const { client, delegation } = await connect(answering);
      const calls = { ...workingCalls, follow_up: { session_id: 'codex:abc-123', question: 'x' } };
      for (const [tool, args] of Object.entries(calls)) {
        const footer = /session_id: .*/.exec((await client.call(tool, args)).text)?.[0] ?? '';
        for (const session_id of [footer, footer.replace('session_id: ', '')]) {
          const fetched = await client.call('follow_up', { session_id });
          if (tool !== 'read_slice') assert.match(fetched.text, /^It is done\./m);
          assert.match(fetched.text, /\nsession_id: codex:abc-123\n/);
        }
      }
      const writing = delegation.runs
        .filter(({ run }) => run.record.access !== 'readOnly')
        .map(({ run }) => run.record.tool);
      assert.deepEqual(writing, ['delegate', 'fast_delegate', 'build', 'follow_up']);
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
