import assert from 'node:assert/strict';
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureTool } from '../../../scripts/setup.ts';
import type { Assembly, AssemblySettings } from '../../../src/delegation/assembly.ts';
import type { FollowUp, LiveRun, RunResult, Task } from '../../../src/delegation/task.ts';
import type { RunRecord } from '../../../src/journal/entry.ts';
import { sweep } from '../../../src/process/killTree.ts';
import { runMarker } from '../../../src/process/marker.ts';
import { createProcessTable } from '../../../src/process/processTable.ts';
import { type AgentHome, createAgentHome, type LoopbackEngine } from '../agentHomes.ts';
import { JumpingClock } from '../fakes/jumpingClock.ts';
import { GitRepository } from '../gitRepository.ts';
import type { Scenario } from '../modelServer/scenario.ts';
import { type ModelServer, type RecordedRequest, startModelServer } from '../modelServer/server.ts';
import { assemble, type Wiring } from './wiring.ts';

/** How a bench differs from the usual one. */
export interface BenchOptions {
  /** More scenarios for the model server. */
  readonly scenarios?: Readonly<Record<string, Scenario>>;
  readonly settings?: Partial<AssemblySettings>;
  /** More files of the workspace (text by path), committed. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether the person has agreed to workers without a sandbox; they have when left out. */
  readonly consent?: boolean;
}

const table = createProcessTable();

/** The settings of the sandbox as they are by default, and with the sandbox switched off. */
export const sandboxed: AssemblySettings['sandbox'] = { mode: 'auto', extraPaths: {}, allowGitConfig: false };
export const unsandboxed: AssemblySettings['sandbox'] = { ...sandboxed, mode: 'off' };

/**
 * Delegation to real CLIs with everything it touches in folders of its own: a workspace under git, Sallyport's state,
 * the homes of the CLIs, and a scripted model. Its owner closes it.
 */
export class Bench {
  readonly server: ModelServer;
  readonly clock: JumpingClock;
  readonly wiring: Wiring;
  readonly #engine: LoopbackEngine;
  readonly #homes: readonly AgentHome[];
  readonly #repository: GitRepository;
  readonly #assembly: Assembly;
  readonly #runs = new Set<string>();

  private constructor(parts: {
    server: ModelServer;
    clock: JumpingClock;
    wiring: Wiring;
    engine: LoopbackEngine;
    homes: readonly AgentHome[];
    repository: GitRepository;
    assembly: Assembly;
  }) {
    this.server = parts.server;
    this.clock = parts.clock;
    this.wiring = parts.wiring;
    this.#engine = parts.engine;
    this.#homes = parts.homes;
    this.#repository = parts.repository;
    this.#assembly = parts.assembly;
  }

  /** `engines` are those it can delegate to; the first takes what names no other. */
  static async open(
    engines: readonly [LoopbackEngine, ...LoopbackEngine[]],
    options: BenchOptions = {},
  ): Promise<Bench> {
    const server = await startModelServer({ scenarios: options.scenarios ?? {} });
    const homes = await Promise.all(engines.map((engine) => createAgentHome(engine, server.url)));
    const repository = new GitRepository();
    repository.commit({ 'readme.txt': 'read me\n', ...options.files });
    const binaries = Object.fromEntries(
      await Promise.all(engines.map(async (engine) => [engine, await ensureTool(engine)] as const)),
    );
    const wiring: Wiring = {
      consent: options.consent ?? true,
      workspace: repository.root,
      state: await mkdtemp(join(tmpdir(), 'sallyport-state-')),
      settings: {
        tiers: engines.map((engine) => ({ engine })),
        fastTiers: engines.map((engine) => ({ engine })),
        cursor: { allowFallback: false },
        followUp: { allowWiden: false },
        maxRunMinutes: 30,
        noEventMinutes: 5,
        maxParallelRuns: 4,
        terseWorkers: true,
        personas: { folders: [] },
        sandbox: sandboxed,
        ...options.settings,
        binaries,
        environment: { ...joined(homes.map(({ env }) => env)), ...options.settings?.environment },
      },
    };
    const clock = new JumpingClock();
    const assembly = await assemble(wiring, clock);
    return new Bench({ server, clock, wiring, engine: engines[0], homes, repository, assembly });
  }

  /** Opens a bench for one test, and closes it whatever comes. */
  static async with(
    engines: readonly [LoopbackEngine, ...LoopbackEngine[]],
    test: (bench: Bench) => Promise<void>,
    options?: BenchOptions,
  ): Promise<void> {
    const bench = await Bench.open(engines, options);
    try {
      await test(bench);
    } finally {
      await bench.close();
    }
  }

  /** Absolute and real. */
  get workspace(): string {
    return this.#repository.root;
  }

  /** Changes settings for the runs to come. */
  change(settings: Partial<AssemblySettings>): void {
    this.wiring.settings = { ...this.wiring.settings, ...settings };
  }

  /** A writing run in the workspace, unless `wish` says otherwise. */
  start(prompt: string, wish: Partial<Omit<Task, 'prompt'>> = {}): LiveRun {
    const run = this.#assembly.delegation.start({
      tool: 'test',
      prompt,
      access: 'workspaceWrite',
      cwd: this.workspace,
      choice: { by: 'engine', engine: this.#engine },
      ...wish,
    });
    this.#runs.add(run.id);
    return run;
  }

  run(prompt: string, wish?: Partial<Omit<Task, 'prompt'>>): Promise<RunResult> {
    return this.end(this.start(prompt, wish));
  }

  /** Runs a command whose output is short enough for nobody to filter it. */
  runFiltered(command: string): Promise<RunResult> {
    const run = this.#assembly.delegation.runFiltered({
      ...{ tool: 'test', command, cwd: this.workspace, filterBy: { engine: this.#engine }, maxChars: 10_000 },
      filter: () => assert.fail('the output is not short'),
      address: (runId) => runId,
    });
    this.#runs.add(run.id);
    return this.end(run);
  }

  async followUp(
    earlier: Pick<RunResult, 'handle'>,
    question: string,
    wish: Partial<FollowUp> = {},
  ): Promise<RunResult> {
    const handle = earlier.handle ?? assert.fail('no session to follow up');
    const run = await this.#assembly.delegation.followUp({ tool: 'test', handle, question, ...wish });
    this.#runs.add(run.id);
    return this.end(run);
  }

  /** What any process recorded of a run. */
  recordOf(handle: string): Promise<RunRecord | undefined> {
    return this.#assembly.delegation.findRecord(handle);
  }

  /** Id of the run that any process began last. */
  async newestRun(): Promise<string> {
    const [newest] = await this.#assembly.journal.read();
    return newest?.runId ?? assert.fail('there is no run');
  }

  /** Takes Sallyport's memory of all sessions away; the CLIs keep theirs. */
  async forget(): Promise<void> {
    await rm(join(this.wiring.state, 'journal'), { recursive: true });
  }

  /** Waits for a run's end, by which nothing of it may be left. */
  async end(run: LiveRun): Promise<RunResult> {
    const result = await run.result;
    assert.deepEqual(await this.processesOf(run.id), [], 'processes left by the run');
    return result;
  }

  /** The processes that bear a run's marker. The run may be another process's; it is the bench's to end from then on. */
  processesOf(runId: string): Promise<number[]> {
    this.#runs.add(runId);
    return table.processesBearing(runMarker(runId));
  }

  /** Waits until a file of the workspace is there. */
  appears(path: string): Promise<void> {
    return until(() => this.has(path), `${path} is there`);
  }

  has(path: string): Promise<boolean> {
    return access(join(this.workspace, path)).then(
      () => true,
      () => false,
    );
  }

  read(path: string): Promise<string> {
    return readFile(join(this.workspace, path), 'utf8');
  }

  /** Writes a file of the workspace, and the folders it lies in. */
  async write(path: string, text: string): Promise<void> {
    const file = join(this.workspace, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  /** Runs git in the workspace as the person would, and returns what it printed. */
  git(...args: string[]): string {
    return this.#repository.git(...args);
  }

  /** What git sees changed in the workspace, a line each. */
  changes(): string[] {
    const printed = this.#repository.git('status', '--porcelain', '--untracked-files=all');
    return printed.split('\n').filter((line) => line !== '');
  }

  /** Names of the folders at the top of the workspace. */
  async folders(): Promise<string[]> {
    const entries = await readdir(this.workspace, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  }

  /** The last request that offered the model tools: the worker's own, and no title or status line on the side. */
  lastRequest(): RecordedRequest {
    const request = this.server.requests.findLast(({ body }) => JSON.stringify(body).includes('"tools":[{'));
    return request ?? assert.fail('the model was not asked');
  }

  async close(): Promise<void> {
    try {
      await this.#assembly.dispose();
      for (const run of this.#runs) assert.deepEqual(await this.processesOf(run), [], 'processes left by a run');
    } finally {
      // For the day the test above fails.
      for (const run of this.#runs) await sweep(runMarker(run), table);
      await this.server.close();
      for (const home of this.#homes) await home.dispose();
      await rm(this.wiring.state, { recursive: true, force: true, maxRetries: 5 });
      this.#repository.remove();
    }
  }
}

/** Polls until `condition` holds; rejects with its name after `ms`. */
export async function until(condition: () => Promise<boolean> | boolean, name: string, ms = 40_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within ${ms} ms: ${name}`);
    await pause(20);
  }
}

function joined(environments: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  return Object.fromEntries(environments.flatMap((each) => Object.entries(each)));
}
