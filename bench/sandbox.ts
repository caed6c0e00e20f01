import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureTool } from '../scripts/setup.ts';
import { findRepository } from '../src/git/repository.ts';
import { engines } from '../src/engines/registry.ts';
import { capture } from '../src/process/capture.ts';
import { createSandbox } from '../src/sandbox/sandbox.ts';
import { createAgentHome, type LoopbackEngine } from '../test/support/agentHomes.ts';
import { Bench, sandboxed, unsandboxed } from '../test/support/bench/bench.ts';
import { GitRepository } from '../test/support/gitRepository.ts';
import { fillHome, stateVariable } from '../test/support/heavyHome/heavyHome.ts';
import { startModelServer } from '../test/support/modelServer/server.ts';
import { realProbe } from '../test/support/sandbox.ts';
import type { Group, Row } from './row.ts';
import { byTurns, paired, timed } from './turns.ts';

export const sandbox: Group = {
  name: 'sandbox',
  about:
    'what it costs, and what it keeps out of the first request to the model (scripted): rules of 20,000 characters, 30 skills, a hook and an MCP server of 20 tools in the home of each CLI',
  async run(effort) {
    const answer = await realProbe();
    if (!answer.ok) throw new Error(answer.why);
    const rows = await measureSetUp(effort.rounds(40));
    for (const engine of ['codex', 'grok', 'claude'] as const) rows.push(...(await measureRequests(engine)));
    return rows;
  },
};

/** A program that does nothing, started by itself and in a sandbox of Codex's, looked up and made anew each time. */
async function measureSetUp(rounds: number): Promise<Row[]> {
  const repository = new GitRepository();
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-bench-'));
  try {
    repository.commit({ 'a.txt': 'a\n' });
    const env = { ...repository.env, PATH: process.env.PATH ?? '' };
    const made = createSandbox({
      probe: realProbe,
      settings: () => sandboxed,
      home: homedir(),
      uid: process.getuid?.(),
    });
    const state = engines.find(({ id }) => id === 'codex')?.state ?? { folders: [], files: [] };
    const cwd = repository.root;
    const start = async (file: string, args: readonly string[], environment: Readonly<Record<string, string>>) => {
      const { code, stderr } = await capture({ file, args, cwd, env: environment, timeoutMs: 10_000, maxBytes: 1000 });
      if (code !== 0) throw new Error(stderr);
    };
    const samples = await byTurns(rounds, {
      alone: () => timed(() => start('/bin/true', [], env)),
      sandboxed: async () => {
        const scratch = await mkdtemp(join(folder, 'run-'));
        return timed(async () => {
          const found = await findRepository(cwd);
          const prepared = await made.prepare({
            ...{ access: 'full', workspace: cwd, scratch, env, program: '/bin/true', state },
            ...(found && { repository: found }),
          });
          const program = prepared.confine({ file: '/bin/true', args: [], env });
          await start(program.file, program.args, program.env);
          await prepared.tidy();
        });
      },
    });
    const [alone, inside] = [samples.get('alone') ?? [], samples.get('sandboxed') ?? []];
    return [
      { what: 'a program that does nothing', unit: 'ms', samples: alone },
      { what: 'the sandbox adds to its run', unit: 'ms', samples: paired(inside, alone, (a, b) => a - b), atMost: 30 },
    ];
  } finally {
    repository.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The same prompt by the same flags. How much of it is the person's, an empty home tells. */
async function measureRequests(engine: LoopbackEngine): Promise<Row[]> {
  const asked = async (heavy: boolean, setting: typeof sandboxed): Promise<number> => {
    let chars = 0;
    await Bench.with(
      [engine],
      async (bench) => {
        const state = bench.wiring.settings.environment[stateVariable[engine]] ?? '';
        if (heavy) await fillHome(engine, state, join(bench.wiring.state, 'started'));
        const { status, text } = await bench.run('[[scenario: answer]] What is the answer?', { access: 'readOnly' });
        if (status !== 'completed') throw new Error(text);
        chars = JSON.stringify(bench.lastRequest().body).length;
      },
      { settings: { sandbox: setting } },
    );
    return chars;
  };
  const row = async (what: string, heavy: boolean, setting: typeof sandboxed): Promise<Row> => ({
    what: `${engine}: request ${what}`,
    unit: 'chars',
    samples: [await asked(heavy, setting)],
  });
  const rows = [
    await row('with an empty home, no sandbox', false, unsandboxed),
    await row('with a heavy home, no sandbox', true, unsandboxed),
    await row('with a heavy home, in the sandbox', true, sandboxed),
  ];
  return engine === 'claude' ? [...rows, await claudeByItself()] : rows;
}

/** Sallyport's flags keep much of it from Claude Code without a sandbox too; so here is what they save. */
async function claudeByItself(): Promise<Row> {
  const server = await startModelServer();
  const asked = async (heavy: boolean): Promise<number> => {
    const home = await createAgentHome('claude', server.url);
    try {
      if (heavy) await fillHome('claude', home.folder, join(home.folder, 'started'));
      const args = ['-p', 'What is the answer?'];
      const env = { PATH: process.env.PATH, ...home.env };
      const file = await ensureTool('claude');
      const ended = await capture({
        file,
        args,
        cwd: home.folder,
        env,
        input: '',
        timeoutMs: 60_000,
        maxBytes: 10_000,
      });
      if (ended.code !== 0) throw new Error(ended.stdout.toString());
      return Math.max(...server.requests.map(({ body }) => JSON.stringify(body).length));
    } finally {
      await home.dispose();
    }
  };
  try {
    const light = await asked(false);
    return {
      what: 'claude: a heavy home adds, without Sallyport',
      unit: 'chars',
      samples: [(await asked(true)) - light],
    };
  } finally {
    await server.close();
  }
}
