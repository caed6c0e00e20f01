// npm run probe:cursor [-- --out <folder>] [--agent <cursor-agent>]: goes with a signed-in person through each prompt of their
// own cursor-agent and records what it looks like, redacted. Nothing is sent without their Enter.
// Exit codes: 0 every prompt that appeared was recognised, 1 one was not, 2 it could not be done (stderr says why).
import { hostname, homedir, userInfo } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import which from 'which';
import { cursor } from '../src/engines/cursor.ts';
import { probeKinds } from './probe/kinds.ts';
import { personAtTerminal } from './probe/person.ts';
import { probe } from './probe/probe.ts';
import { patience } from './probe/walk.ts';

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { out: { type: 'string' }, agent: { type: 'string' } } });
  const { agent, tmux } = await programs(values.agent);
  if (!process.stdin.isTTY) throw new Error('This is a conversation: run it in a terminal.');
  // npm runs scripts in the project's folder, whatever folder the person is in.
  const from = process.env.INIT_CWD ?? process.cwd();
  const output = resolve(from, values.out ?? `cursor-probe-${new Date().toISOString().slice(0, 10)}`);
  const whose = { env: process.env, home: homedir(), user: userInfo().username, host: hostname() };
  const over = new AbortController();
  const person = personAtTerminal(() => over.abort(new Error('Ended.')));
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => person.dispose());
  try {
    const options = { agent, tmux, output, whose, kinds: probeKinds, patience, person, signal: over.signal };
    const results = await probe(options);
    return results.some(({ outcome }) => outcome === 'not recognised') ? 1 : 0;
  } finally {
    person.dispose();
  }
}

async function programs(named: string | undefined): Promise<{ agent: string; tmux: string }> {
  const [agent, tmux] = await Promise.all([
    firstOf(named === undefined ? cursor.binaries : [named]),
    firstOf(['tmux']),
  ]);
  if (agent === undefined) {
    throw new Error(`${named ?? 'cursor-agent'} is not there. ${cursor.installHint} Or name it with --agent <path>.`);
  }
  if (tmux === undefined) {
    throw new Error(
      'tmux is not installed, and cursor-agent is to run in it. Install tmux (apt install tmux, brew install tmux).',
    );
  }
  return { agent, tmux };
}

async function firstOf(names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    const found = await which(name, { nothrow: true });
    if (found !== null) return resolve(found);
  }
  return undefined;
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 2;
});
