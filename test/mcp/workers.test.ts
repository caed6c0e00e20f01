import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { systemClock } from '../../src/base/clock.ts';
import type { Assembly } from '../../src/delegation/assembly.ts';
import { assemble } from '../support/bench/wiring.ts';
import { GitRepository } from '../support/gitRepository.ts';
import { connectInMemory, type McpTestClient } from '../support/mcpClient.ts';
import { mcpDeps } from '../support/mcpDeps.ts';
import { sampleImages } from '../support/sampleImages.ts';

const startSchema = z.object({
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  stdin: z.string(),
  cwd: z.string(),
});
type Start = z.infer<typeof startSchema>;

interface Row {
  input: Record<string, unknown>;
  sandbox: 'read-only' | 'workspace-write';
  model: string;
  effort: string;
  web?: true;
  /** The worker's prompt, whole. */
  stdin: string;
  /** From what its tool tells it beside the prompt. */
  told: RegExp;
}

/** The ladder of levels, the quick ladder and the model for reading, told apart by their names. */
const rung = (model: string, effort: string) => ({ engine: 'codex', model, effort }) as const;
const tiers = [rung('one', 'low'), rung('two', 'medium'), rung('three', 'high')];
const fastTiers = [rung('quick', 'minimal')];
const reader = rung('reader', 'low');

/** Every tool that starts one worker, with all that reaches it. */
const rows: Record<string, Row> = {
  delegate: {
    input: { prompt: '-p mend it', level: 2 },
    ...{ sandbox: 'workspace-write', model: 'two', effort: 'medium' },
    stdin: '-p mend it',
    told: /what you ran to check it/,
  },
  fast_delegate: {
    input: { prompt: 'rename x' },
    ...{ sandbox: 'workspace-write', model: 'quick', effort: 'minimal' },
    stdin: 'rename x',
    told: /small mechanical task/,
  },
  explore: {
    input: { question: 'Where is one?', effort: 'high' },
    ...{ sandbox: 'read-only', model: 'reader', effort: 'high' },
    stdin: 'Where is one?',
    told: /You find things in the project/,
  },
  read_slice: {
    input: { files: ['src/a.ts'], want: 'one' },
    ...{ sandbox: 'read-only', model: 'reader', effort: 'low' },
    stdin: 'one\n\nIn these files:\n- src/a.ts',
    told: /path:number: source/,
  },
  web_lookup: {
    input: { query: 'What is one?', model: 'other' },
    ...{ sandbox: 'read-only', model: 'other', effort: 'low', web: true },
    stdin: 'What is one?',
    told: /look something up on the web/,
  },
  plan: {
    input: { task: 'Make it two.' },
    ...{ sandbox: 'read-only', model: 'three', effort: 'high' },
    stdin: 'Make it two.',
    told: /plan/,
  },
  build: {
    input: { plan: '1. Make it two.', agent: { prompt: 'You are a careful mason.' } },
    ...{ sandbox: 'workspace-write', model: 'one', effort: 'low' },
    stdin: '1. Make it two.',
    told: /^You are a careful mason\.\n\n/,
  },
  generate_image: {
    input: { description: '[[picture]] a gate', out_path: 'new.png', model: 'painter', effort: 'low' },
    ...{ sandbox: 'workspace-write', model: 'painter', effort: 'low' },
    stdin: '[[picture]] a gate\n\nPut it at this path in the current folder: new.png',
    told: /picture/,
  },
};

describe('the tools and a CLI that writes down how it was started', function () {
  this.timeout(60_000);
  let repository: GitRepository;
  let state: string;
  let assembly: Assembly;
  let client: McpTestClient;

  beforeEach(async () => {
    repository = new GitRepository();
    repository.commit({ 'src/a.ts': 'const one = 1; // see https://example.org/one\n' });
    state = await mkdtemp(join(tmpdir(), 'sallyport-workers-'));
    await open({ consent: false });
  });

  async function open({ consent }: { consent: boolean }): Promise<void> {
    const settings = {
      ...{ tiers, fastTiers, cursor: { allowFallback: false }, followUp: { allowWiden: false } },
      ...{ maxRunMinutes: 30, noEventMinutes: 5, maxParallelRuns: 4, terseWorkers: false, personas: { folders: [] } },
      sandbox: { mode: 'off', extraPaths: {}, allowGitConfig: false } as const,
      binaries: { codex: resolve(import.meta.dirname, '../support/fakes/recordingCodex.mjs') },
      environment: {
        ...{ RECORDING_FILE: join(state, 'starts.jsonl'), RECORDING_PICTURE: sampleImages.png.toString('base64') },
        OPENAI_API_KEY: 'sk-of-the-person',
      },
    };
    assembly = await assemble({ settings, consent, workspace: repository.root, state }, systemClock);
    const given = {
      workspace: { kind: 'window', folders: () => [repository.root] } as const,
      settings: () => ({ exploreModel: reader, maxWaitMs: 50_000, resultMaxChars: 20_000 }),
    };
    ({ client } = await connectInMemory(mcpDeps(assembly.delegation, given)));
  }

  async function close(): Promise<void> {
    await client.close();
    await assembly.dispose();
  }

  afterEach(async () => {
    await close();
    await rm(state, { recursive: true, force: true });
    repository.remove();
  });

  async function starts(): Promise<Start[]> {
    const lines = (await readFile(join(state, 'starts.jsonl'), 'utf8')).trim().split('\n');
    return lines.map((line) => startSchema.parse(JSON.parse(line)));
  }

  for (const [tool, row] of Object.entries(rows)) {
    it(`${tool} starts one with its arguments, its environment and its prompt, and follow_up goes on in its session`, async () => {
      const { text, isError } = await client.call(tool, row.input);
      assert.equal(isError, false, text);
      const session = /\nsession_id: (codex:(\S+))\n/.exec(text) ?? assert.fail(text);
      const followed = await client.call('follow_up', { session_id: session[1], question: '-- And then?' });
      assert.match(followed.text, /src\/a\.ts:1[\s\S]*\nsession_id: /);
      assert.ok(followed.text.includes(`session_id: ${session[1]}`), followed.text);
      const [first, second, ...more] = await starts();
      assert.ok(first && second && more.length === 0);
      isStartedAs(first, row, first.args.slice(-1));
      assert.equal(first.stdin.trimEnd().startsWith(row.stdin), true, first.stdin);
      assert.match(instructionsOf(first) ?? '', row.told);
      isStartedAs(second, row, ['resume', session[2] ?? '', '-']);
      assert.match(second.stdin, /^-- And then\?/);
    });
  }

  /** Flags in the order the CLI needs them, and nothing of the prompt in them, where everybody could read it. */
  function isStartedAs({ args, env, cwd }: Start, row: Row, end: string[], folder = repository.root): void {
    assert.deepEqual(args.slice(0, 5), ['exec', '--json', '--skip-git-repo-check', '-s', row.sandbox]);
    assert.deepEqual(args.slice(-2 - end.length), ['-m', row.model, ...end]);
    assert.ok(args.includes(`model_reasoning_effort="${row.effort}"`), args.join('\n'));
    assert.ok(args.includes(`web_search="${row.web ? 'live' : 'disabled'}"`), args.join('\n'));
    assert.equal(
      args.some((arg) => arg.includes(row.stdin)),
      false,
    );
    assert.equal(cwd, folder);
    assert.deepEqual(
      { depth: env.SALLYPORT_DEPTH, key: env.OPENAI_API_KEY, run: env.SALLYPORT_RUN !== undefined },
      { depth: '1', key: 'sk-of-the-person', run: true },
    );
    const foreign = Object.keys(env).filter((name) => /^(?:npm_|VSCODE_|ELECTRON_|NODE_OPTIONS)/.test(name));
    assert.deepEqual(foreign, []);
  }

  it('run_filtered runs the command itself, once, and starts one that may only read what it printed', async () => {
    await close();
    await open({ consent: true });
    const command = 'echo ran >> runs.txt; for each in $(seq 100); do cat src/a.ts; done; exit 3';
    const { text, isError } = await client.call('run_filtered', { command, want: 'where one is', effort: 'high' });
    assert.equal(isError, false, text);
    assert.match(text, /\[unsandboxed\][\s\S]*Exit code 3, [\s\S]*const one = 1/);
    assert.equal(await readFile(join(repository.root, 'runs.txt'), 'utf8'), 'ran\n');
    const session = /\nsession_id: (codex:(\S+))\n/.exec(text) ?? assert.fail(text);
    const followed = await client.call('follow_up', { session_id: session[1], question: '-- And then?' });
    assert.ok(followed.text.includes(`session_id: ${session[1]}`), followed.text);
    const [first, second, ...more] = await starts();
    assert.ok(first && second && more.length === 0);
    const row: Row = {
      ...{ input: {}, sandbox: 'read-only', model: 'reader', effort: 'high' },
      ...{ stdin: 'where one is', told: /never run it/ },
    };
    assert.match(first.cwd, new RegExp(`^${state}/runs/[^/]+/log$`));
    isStartedAs(first, row, first.args.slice(-1), first.cwd);
    assert.ok(first.stdin.includes(command) && first.stdin.includes('Wanted: where one is'), first.stdin);
    assert.match(instructionsOf(first) ?? '', row.told);
    isStartedAs(second, row, ['resume', session[2] ?? '', '-'], first.cwd);
  });

  it('fan_out starts one for each level, elsewhere than in the checkout, and an arbiter that may only read', async () => {
    const input = { prompt: 'mend it', levels: [1, 3], mode: 'consensus' };
    const { text, isError } = await client.call('fan_out', input);
    assert.equal(isError, false, text);
    const all = await starts();
    const models = all.map(({ args }) => args[args.indexOf('-m') + 1] ?? '');
    assert.deepEqual([...models.slice(0, 2).sort(), ...models.slice(2)], ['one', 'three', 'reader']);
    assert.deepEqual(
      all.map(({ args, cwd }) => [args[4], cwd === repository.root]),
      [
        ['workspace-write', false],
        ['workspace-write', false],
        ['read-only', true],
      ],
    );
    assert.match(all[2]?.stdin ?? '', /mend it[\s\S]*src\/a\.ts:1/);
  });

  it('100 MB of what a worker read reach nobody, and its answer of 500 KB is bounded and in pages', async () => {
    const { text, isError } = await client.call('delegate', { prompt: '[[flood]] [[long answer]]' });
    assert.equal(isError, false, text.slice(0, 500));
    assert.ok(text.length <= 20_000, `${text.length}`);
    assert.match(text, /^head \.[\s\S]*read the resource (sallyport:\S+) [\s\S]* tail\n\nsession_id: codex:/);
  });

  it('an answer of 100 MB in one line ends in a bounded result that keeps the session', async () => {
    const { text } = await client.call('delegate', { prompt: '[[long line]]' });
    assert.ok(text.length <= 20_000, `${text.length}`);
    assert.match(text, /\nsession_id: codex:/);
  });
});

function instructionsOf({ args }: Start): string | undefined {
  const given = args.find((arg) => arg.startsWith('developer_instructions='));
  return given === undefined ? undefined : z.string().parse(JSON.parse(given.slice(given.indexOf('=') + 1)));
}
