import { readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isInside } from './base/inside.ts';
import type { Logger } from './base/logger.ts';
import type { Config } from './config.ts';
import type { Delegation } from './delegation/task.ts';
import type { McpDeps } from './mcp/server.ts';
import type { RelayTarget } from './mcp/relay.ts';

// The composition root of the stdio process. Everything is imported when it is needed: a relay loads next to nothing, and
// a server of its own loads engines, journal and redaction with the first call that starts or looks up a run.

const log: Logger = {
  debug: () => undefined,
  info: (message) => say(message),
  warn: (message) => say(`warning: ${message}`),
  error: (message) => say(`error: ${message}`),
};

/** Standard output belongs to the protocol. */
function say(message: string): void {
  process.stderr.write(`sallyport: ${message}\n`);
}

/** The exit code. */
async function main(): Promise<number> {
  const { SALLYPORT_SOCKET: socket, SALLYPORT_TOKEN: token } = process.env;
  return socket && token ? relayToWindow({ socket, token }) : serveHere();
}

async function relayToWindow(target: RelayTarget): Promise<number> {
  const { relay } = await import('./mcp/relay.ts');
  const failure = await relay(target, { input: process.stdin, output: process.stdout });
  if (failure === undefined) return 0;
  process.stderr.write(`${failure}\n`);
  return 1;
}

async function serveHere(): Promise<number> {
  const [{ createMcpServer }, { serveStdio }, { systemClock }, { lazy }] = await Promise.all([
    import('./mcp/server.ts'),
    import('./mcp/stdio.ts'),
    import('./base/clock.ts'),
    import('./base/lazy.ts'),
  ]);
  const config = await readConfig();
  const room = lazy(() => openEngineRoom(config));
  const connection = createMcpServer({
    version: readVersion(),
    clock: systemClock,
    log,
    workspace: { kind: 'standalone', cwd: process.cwd() },
    settings: () => ({
      exploreModel: config.exploreModel,
      maxWaitMs: config.mcp.maxWaitSeconds * 1000,
      resultMaxChars: config.result.maxChars,
    }),
    delegation: async () => (await room()).delegation,
    readStats: async (period) => (await room()).readStats(period),
    recursion: lazy(whyNoWorkers),
  });
  const { stop, failed } = listenForTheEnd();
  await serveStdio(connection, { input: process.stdin, output: process.stdout, stop });
  await (await room.started)?.dispose();
  return failed() ? 1 : 0;
}

async function readConfig(): Promise<Config> {
  const { parseStandaloneConfig } = await import('./config.ts');
  const { config, problems } = parseStandaloneConfig(process.env, readConfigFile(process.env.SALLYPORT_CONFIG));
  for (const { message } of problems) log.warn(message);
  return config;
}

function readConfigFile(path: string | undefined): string | undefined {
  if (!path) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    log.warn(`SALLYPORT_CONFIG: ${String(error)}. The defaults are used.`);
    return undefined;
  }
}

/** The extension's version. This file lies one folder below its manifest, as source and as a bundle. */
function readVersion(): string {
  try {
    const manifest = join(dirname(mainFile()), '..', 'package.json');
    const content: unknown = JSON.parse(readFileSync(manifest, 'utf8'));
    if (typeof content === 'object' && content && 'version' in content && typeof content.version === 'string') {
      return content.version;
    }
  } catch {
    // A copy without its manifest still serves.
  }
  return '0.0.0';
}

/** Codex passes no variable of ours to the servers it starts, so ancestry is asked and not this environment alone. */
async function whyNoWorkers(): Promise<string | undefined> {
  const [{ createProcessTable }, { depthVariable }] = await Promise.all([
    import('./process/processTable.ts'),
    import('./process/marker.ts'),
  ]);
  if (!(await createProcessTable().bornUnder(depthVariable))) return undefined;
  return 'You are a worker of Sallyport already, and workers do not delegate further. Do the work yourself.';
}

/** What the tools need beyond the protocol. */
interface EngineRoom {
  delegation: Delegation;
  readStats: McpDeps['readStats'];
  dispose(): Promise<void>;
}

async function openEngineRoom(config: Config): Promise<EngineRoom> {
  const [{ assembleDelegation }, { openStateFolders }, { systemClock }, { stats }, { startOf }, { depthVariable }] =
    await Promise.all([
      import('./delegation/assembly.ts'),
      import('./base/stateFolders.ts'),
      import('./base/clock.ts'),
      import('./journal/stats.ts'),
      import('./mcp/statsTable.ts'),
      import('./process/marker.ts'),
    ]);
  const workspace = ownWorkspace();
  const { folders, problem } = openStateFolders(config.stateDir);
  if (problem !== undefined) log.warn(`${problem} Until then nothing outlives this server.`);
  const assembly = await assembleDelegation({
    kind: 'standalone',
    clock: systemClock,
    log,
    state: folders,
    settings: () => config,
    // There is nobody to ask.
    consent: { given: () => config.allowUnsandboxed },
    workspaceFolders: () => workspace,
    environment: process.env,
    guard: { file: process.execPath, args: [siblingProgram('guard', 'process/guardMain')], env: process.env },
    redactWorker: siblingProgram('redactWorker', 'delegation/redactWorker'),
    depth: Number(process.env[depthVariable] ?? 0) || 0,
  });
  return {
    delegation: assembly.delegation,
    readStats: async (period) => stats(await assembly.journal.read(), startOf(period, systemClock.now())),
    dispose: () => assembly.dispose(),
  };
}

/**
 * The folder whose programs are never run: the one this process was started in, which clients make the project's. Not
 * when it holds the person's home, or nothing they installed there could be run.
 */
function ownWorkspace(): string[] {
  const cwd = process.cwd();
  return isInside(homedir(), cwd) ? [] : [cwd];
}

/** Absolute path of another program of ours: a bundle beside this bundle, or its source when this runs from source. */
function siblingProgram(bundle: string, source: string): string {
  const main = mainFile();
  return join(dirname(main), main.endsWith('.ts') ? `${source}.ts` : `${bundle}.cjs`);
}

function mainFile(): string {
  return realpathSync(process.argv[1] ?? '');
}

/** `stop` is aborted by the signals that end a server, and by an error nobody caught: its runs are stopped even then. */
function listenForTheEnd(): { stop: AbortSignal; failed: () => boolean } {
  const ending = new AbortController();
  let failed = false;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => ending.abort());
  process.on('uncaughtException', (error) => {
    failed = true;
    log.error(error.stack ?? error.message);
    ending.abort();
  });
  return { stop: ending.signal, failed: () => failed };
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exit(1);
  },
);
