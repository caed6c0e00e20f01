import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createAgentHome } from '../test/support/agentHomes.ts';
import type { LoopbackEngine } from '../test/support/agentHomes.ts';
import { startModelServer } from '../test/support/modelServer/server.ts';
import { fixtureCases } from './fixtures/cases.ts';
import type { FixtureCase } from './fixtures/cases.ts';
import { invocationOf } from './fixtures/invocation.ts';
import { createNormaliser } from './fixtures/normalise.ts';
import type { Normaliser } from './fixtures/normalise.ts';
import { runCli } from './fixtures/runCli.ts';
import type { CliRun } from './fixtures/runCli.ts';
import { sweepMarked } from './fixtures/sweep.ts';
import { ensureTool } from './setup.ts';

const fixtureFolder = resolve(import.meta.dirname, '..', 'test', 'fixtures', 'engines');
const sessionId = /"(?:thread_id|session_id|sessionId)":"([0-9a-f-]{36})"/;

/** The CLI under test, and where it says which one it is. */
interface Cli {
  readonly executable: string;
  readonly version: string;
}

/** Records one case in a workspace, home and server of its own; everything is removed afterwards. */
async function record(fixture: FixtureCase, cli: Cli): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'sallyport-record-'));
  const marker = scratch;
  const server = await startModelServer();
  const home = await createAgentHome(fixture.engine, server.url);
  try {
    const cwd = join(scratch, 'workspace');
    await mkdir(join(cwd, 'src'), { recursive: true });
    await writeFile(join(cwd, 'src', 'greeting.js'), 'export const greeting = (name) => `Hello, ${name}!`;\n');
    const normaliser = createNormaliser(
      [
        [cwd, '/workspace'],
        [encodeURIComponent(cwd), encodeURIComponent('/workspace')],
        [cwd.replaceAll(/[^\w]/g, '-'), '-workspace'],
        [home.folder, `/home/dev/.${fixture.engine}`],
        [home.userHome, '/home/dev'],
        [scratch, '/scratch'],
        [server.url, 'http://127.0.0.1:8000'],
        [server.url.replace('http://', ''), '127.0.0.1:8000'],
      ],
      fixture.badSession === undefined ? [] : [fixture.badSession],
    );
    const env = {
      PATH: process.env.PATH ?? '',
      LANG: 'C.UTF-8',
      SALLYPORT_RECORDING: marker,
      ...home.env,
    };
    const turn = async (name: string, scenario: string, prompt: string, session: string | undefined) => {
      const promptFile = join(scratch, 'prompt.txt');
      const text = `${prompt}\n[[scenario: ${scenario}]]`;
      await writeFile(promptFile, text);
      const invocation = invocationOf(fixture.engine, { ...fixture, prompt: text, session, promptFile });
      const run = await runCli({ ...cli, cwd, env }, invocation, fixture.intervention);
      await save(fixture.engine, name, cli.version, invocation.args, run, normaliser);
      return run;
    };
    let session = fixture.badSession;
    if (fixture.after !== undefined) {
      const first = await turn(`${fixture.name}-first`, fixture.after, 'What is the answer?', undefined);
      session = sessionId.exec(first.lines.join('\n'))?.[1];
      if (session === undefined) throw new Error(`${fixture.engine} ${fixture.name}: the first turn named no session`);
    }
    await turn(fixture.name, fixture.scenario, fixture.prompt, session);
  } finally {
    await server.close();
    await sweepMarked(`SALLYPORT_RECORDING=${marker}`);
    await home.dispose();
    await rm(scratch, { recursive: true, force: true });
  }
}

async function save(
  engine: LoopbackEngine,
  name: string,
  version: string,
  args: readonly string[],
  run: CliRun,
  normaliser: Normaliser,
): Promise<void> {
  const folder = join(fixtureFolder, engine);
  await mkdir(folder, { recursive: true });
  const meta = {
    cli: version,
    argv: args.map((each) => normaliser.text(each)),
    stdin: run.sent.map((each) => normaliser.text(each)),
    exitCode: run.exitCode,
    signal: run.signal,
    stderrTail: normaliser.text(run.stderr).slice(-2_000),
  };
  await writeFile(join(folder, `${name}.jsonl`), run.lines.map((line) => `${normaliser.text(line)}\n`).join(''));
  await writeFile(join(folder, `${name}.meta.json`), `${JSON.stringify(meta, undefined, 2)}\n`);
  const how = run.signal ?? `exit ${String(run.exitCode)}`;
  console.log(`${engine}/${name}: ${run.lines.length} lines, ${how}, ${run.seconds.toFixed(1)} s`);
}

async function findCli(engine: LoopbackEngine): Promise<Cli> {
  const executable = await ensureTool(engine);
  const { stdout } = await promisify(execFile)(executable, ['--version']);
  return { executable, version: stdout.trim() };
}

/** `node scripts/recordFixtures.ts [engine][/case]...`: records the cases named, or all of them. */
async function main(wanted: readonly string[]): Promise<void> {
  const matches = ({ engine, name }: FixtureCase): boolean =>
    wanted.length === 0 || wanted.includes(engine) || wanted.includes(`${engine}/${name}`);
  const chosen = fixtureCases.filter(matches);
  if (chosen.length === 0) throw new Error(`no case matches ${wanted.join(', ')}`);
  const clis = new Map<LoopbackEngine, Cli>();
  for (const fixture of chosen) {
    const cli = clis.get(fixture.engine) ?? (await findCli(fixture.engine));
    clis.set(fixture.engine, cli);
    await record(fixture, cli);
  }
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
