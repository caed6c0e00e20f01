import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
  await (await room.started)?.delegation.shutdown();
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
    const manifest = join(dirname(realpathSync(process.argv[1] ?? '')), '..', 'package.json');
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
}

function openEngineRoom(config: Config): Promise<EngineRoom> {
  return Promise.reject(new Error(`not wired yet (${config.maxParallelRuns})`));
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
