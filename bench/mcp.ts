import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { build } from 'esbuild';
import which from 'which';
import { mustRun } from '../scripts/command.ts';
import type { Group, Row } from './row.ts';
import { byTurns, paired, timed } from './turns.ts';

const root = resolve(import.meta.dirname, '..');
const ours = join(root, 'dist', 'mcp.cjs');
const restMs = 1_000;

export const mcp: Group = {
  name: 'mcp',
  about: 'the MCP process, from its start to the answer to tools/list, and at rest',
  async run(effort) {
    const folder = await mkdtemp(join(tmpdir(), 'sallyport-bench-'));
    try {
      const empty = await bundleEmptyServer(folder);
      const rows: Row[] = [];
      for (const [index, node] of (await runtimes()).entries()) {
        const place = { node, folder, rounds: effort.rounds(index === 0 ? 30 : 10), isOwn: index === 0 };
        rows.push(...(await measure(place, empty)));
      }
      return rows;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** With the options of esbuild.mjs. */
async function bundleEmptyServer(folder: string): Promise<string> {
  const outfile = join(folder, 'empty.cjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'emptyServer.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    minify: true,
    legalComments: 'external',
  });
  return outfile;
}

/** The Node of today's editor, which runs this, and the machine's own when that is another one. */
async function runtimes(): Promise<string[]> {
  const all = (await which('node', { all: true, nothrow: true })) ?? [];
  const foreign = all.find((path) => !path.includes('node_modules'));
  if (foreign === undefined) return [process.execPath];
  const version = (await mustRun(foreign, ['--version'])).trim();
  return version === process.version ? [process.execPath] : [process.execPath, foreign];
}

interface Place {
  readonly node: string;
  readonly folder: string;
  readonly rounds: number;
  /** The targets are those of the editor's own runtime. */
  readonly isOwn: boolean;
}

async function measure(place: Place, empty: string): Promise<Row[]> {
  const version = (await mustRun(place.node, ['--version'])).trim().replace(/^v/, 'Node ');
  const samples = await byTurns(place.rounds, {
    ours: () => timeToToolList(ours, place),
    empty: () => timeToToolList(empty, place),
  });
  const [own, bare] = [samples.get('ours') ?? [], samples.get('empty') ?? []];
  const rows: Row[] = [
    { what: `mcp.cjs, ${version}`, unit: 'ms', samples: own },
    { what: `empty server, ${version}`, unit: 'ms', samples: bare },
    {
      what: `mcp.cjs against the empty server, ${version}`,
      unit: 'times',
      samples: paired(own, bare, (a, b) => a / b),
      ...(place.isOwn && { atMost: 1.3 }),
    },
  ];
  if (!existsSync('/proc/self/status')) return rows;
  const atRest = await byTurns(Math.min(place.rounds, 5), {
    ours: () => memoryAtRest(ours, place),
    empty: () => memoryAtRest(empty, place),
  });
  const about = `memory (RSS) after ${restMs / 1000} s of rest, ${version}`;
  return [
    ...rows,
    { what: `mcp.cjs, ${about}`, unit: 'MB', samples: atRest.get('ours') ?? [], ...(place.isOwn && { atMost: 80 }) },
    { what: `empty server, ${about}`, unit: 'MB', samples: atRest.get('empty') ?? [] },
  ];
}

async function timeToToolList(file: string, place: Place): Promise<number> {
  return withServer(file, place, (ready) => Promise.resolve(ready));
}

/** In MB of a million bytes. `VmRSS` of /proc/<pid>/status is in units of 1024 bytes (proc_pid_status(5)). */
async function memoryAtRest(file: string, place: Place): Promise<number> {
  return withServer(file, place, async (_ready, pid) => {
    await pause(restMs);
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
    if (kib === undefined) throw new Error('the server ended while it was at rest');
    return (Number(kib) * 1024) / 1e6;
  });
}

/** Starts a server, asks it what every client asks first, and ends it. `ready`: milliseconds until it had answered. */
async function withServer<T>(
  file: string,
  { node, folder }: Place,
  use: (ready: number, pid: number) => Promise<T>,
): Promise<T> {
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: folder, SALLYPORT_STATE_DIR: join(folder, 'state') };
  const transport = new StdioClientTransport({ command: node, args: [file], env, cwd: folder, stderr: 'ignore' });
  const client = new Client({ name: 'bench', version: '1.0.0' });
  try {
    const ready = await timed(async () => {
      await client.connect(transport);
      await client.listTools();
    });
    return await use(ready, transport.pid ?? 0);
  } finally {
    await client.close();
  }
}
