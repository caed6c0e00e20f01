// A stdio server whose workers do nothing: they end when the prompt says so ("done"), or when cancelled. It tells on
// stderr what became of every run. With a first argument it is a window instead: it listens for relays, and prints where.
import { tmpdir } from 'node:os';
import { systemClock } from '../../src/base/clock.ts';
import { createMcpServer, type McpDeps } from '../../src/mcp/server.ts';
import { listenForRelays } from '../../src/mcp/relayListener.ts';
import { serveStdio } from '../../src/mcp/stdio.ts';
import { FakeDelegation } from '../support/fakes/delegation.ts';
import { mcpDeps, silentLog } from '../support/mcpDeps.ts';

const delegation = new FakeDelegation();
delegation.onDidChange((run) => {
  if (run.phase.kind === 'running') process.stderr.write(`${run.id} started\n`);
  const fake = delegation.runs.find((known) => known.run === run);
  if (run.phase.kind === 'ended') process.stderr.write(`${run.id} ${run.record.status}\n`);
  const prompt = fake && 'prompt' in fake.asked ? fake.asked.prompt : '';
  if (run.phase.kind === 'running' && prompt === 'done') setImmediate(() => fake?.finish());
});

const patience = { maxWaitMs: 100 };
const deps: McpDeps = mcpDeps(delegation, {
  settings: () => ({ exploreModel: { engine: 'codex' }, resultMaxChars: 20_000, ...patience }),
});

if (process.argv[2] === 'window') {
  const listener = await listenForRelays({
    folders: [tmpdir()],
    createServer: () => createMcpServer(deps),
    clock: systemClock,
    log: silentLog,
  });
  process.stdout.write(`${JSON.stringify({ socket: listener.socket, token: listener.token })}\n`);
} else {
  const stop = new AbortController().signal;
  await serveStdio(createMcpServer(deps), { input: process.stdin, output: process.stdout, stop });
  process.exit(0);
}
