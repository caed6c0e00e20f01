import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { systemClock } from '../src/base/clock.ts';
import { openStateFolders } from '../src/base/stateFolders.ts';
import { assembleDelegation } from '../src/delegation/assembly.ts';
import { delegateInstructions } from '../src/mcp/prompts/delegate.ts';
import { McpTestClient } from '../test/support/mcpClient.ts';
import { silentLog } from '../test/support/mcpDeps.ts';

/** Where delegations are measured. All paths are absolute. */
export interface Workbench {
  /** Holds the bundles. */
  readonly dist: string;
  /** The CLI. */
  readonly codex: string;
  /** What tells the CLI of the scripted model. */
  readonly environment: Readonly<Record<string, string>>;
  readonly workspace: string;
  /** For state and settings. */
  readonly folder: string;
}

/** One of the ways to delegate, ready for its next task. */
export interface Delegate {
  /** Resolves when the result is there; rejects when it is a failure. */
  run(prompt: string): Promise<void>;
  close(): Promise<void>;
}

/** For models it knows Codex offers tools of another kind than the scripted model calls. */
export const workerModel = 'loopback';

/** The MCP process as clients start it, with the SDK's own client. */
export async function openServerDelegate(bench: Workbench): Promise<Delegate> {
  const own = await mkdtemp(join(bench.folder, 'server-'));
  const config = join(own, 'config.json');
  const settings = {
    tiers: { 1: { engine: 'codex', model: workerModel } },
    'codex.path': bench.codex,
    environment: bench.environment,
  };
  await writeFile(config, JSON.stringify(settings));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(bench.dist, 'mcp.cjs')],
    env: { ...definedOnly(process.env), SALLYPORT_CONFIG: config, SALLYPORT_STATE_DIR: join(own, 'state') },
    cwd: bench.workspace,
    stderr: 'ignore',
  });
  const client = await McpTestClient.connect(transport);
  return {
    async run(prompt) {
      const { text, isError } = await client.call('delegate', { prompt, cwd: bench.workspace });
      if (isError) throw new Error(text);
    },
    close: () => client.close(),
  };
}

/** What the window's commands call, in this process, with the bundled guard and redaction thread. */
export async function openWindowDelegate(bench: Workbench): Promise<Delegate> {
  const assembly = await assembleDelegation({
    kind: 'window',
    clock: systemClock,
    log: silentLog,
    state: openStateFolders(await mkdtemp(join(bench.folder, 'window-'))).folders,
    settings: () => ({
      tiers: [{ engine: 'codex', model: workerModel }],
      fastTiers: [],
      cursor: { allowFallback: false },
      followUp: { allowWiden: false },
      maxRunMinutes: 30,
      noEventMinutes: 5,
      maxParallelRuns: 4,
      terseWorkers: true,
      personas: { folders: [] },
      binaries: { codex: bench.codex },
      environment: bench.environment,
      sandbox: { mode: 'auto', extraPaths: {}, allowGitConfig: false },
    }),
    consent: { given: () => true, ask: () => Promise.resolve(false) },
    workspaceFolders: () => [bench.workspace],
    environment: process.env,
    guard: { file: process.execPath, args: [join(bench.dist, 'guard.cjs')], env: process.env },
    redactWorker: join(bench.dist, 'redactWorker.cjs'),
    depth: 0,
  });
  return {
    async run(prompt) {
      const run = assembly.delegation.start({
        tool: 'delegate',
        prompt,
        instructions: delegateInstructions,
        access: 'workspaceWrite',
        cwd: bench.workspace,
        choice: { by: 'level', level: 1 },
      });
      const { status, text } = await run.result;
      if (status !== 'completed') throw new Error(text);
    },
    close: () => assembly.dispose(),
  };
}

function definedOnly(variables: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
