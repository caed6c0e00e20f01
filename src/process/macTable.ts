import { execFile } from 'node:child_process';
import type { Marker } from './marker.ts';

/**
 * A ProcessTable that asks `ps`. With -E it prints the environment behind the command, for processes of the same user
 * only, and not for Apple's own protected binaries (/bin/sh, /bin/sleep): those are reached by their group alone.
 */
export function createMacTable() {
  return {
    seesEnvironments: true,
    async processesBearing(marker: Marker) {
      const rows = await ps(['-axEww', '-o', 'pid=,command=']);
      return rows
        .filter((row) => bears(row, marker))
        .map((row) => Number.parseInt(row, 10))
        .filter((pid) => pid !== process.pid);
    },
    startTime,
    isAlive: async (pid: number, startedAt: string) => (await startTime(pid)) === startedAt,
    async bornUnder(variable: string) {
      const line = [process.pid, ...(await ancestors(process.pid))];
      const rows = await ps(['-Eww', '-o', 'command=', '-p', line.join(',')]);
      return rows.some((row) => row.includes(` ${variable}=`));
    },
  };
}

function bears(row: string, marker: Marker): boolean {
  return `${row} `.includes(` ${marker.name}=${marker.value} `);
}

async function startTime(pid: number): Promise<string | undefined> {
  const [row] = await ps(['-o', 'stat=,lstart=', '-p', String(pid)]);
  const [, state, started] = /^\s*(\S+)\s+(.+?)\s*$/.exec(row ?? '') ?? [];
  return state?.startsWith('Z') ? undefined : started;
}

async function ancestors(pid: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const row of await ps(['-axo', 'pid=,ppid='])) {
    const [child, parent] = row.trim().split(/\s+/).map(Number);
    if (child !== undefined && parent !== undefined) parents.set(child, parent);
  }
  const above: number[] = [];
  for (let at = parents.get(pid); at !== undefined && at > 0; at = parents.get(at)) above.push(at);
  return above;
}

/** Rows of output. `ps` itself gets a bare environment, so that it never bears a marker. */
function ps(args: string[]): Promise<string[]> {
  return new Promise((resolve) => {
    const options = { env: { LC_ALL: 'C' }, timeout: 5000, maxBuffer: 64 * 1024 * 1024 };
    execFile('/bin/ps', args, options, (_error, stdout) => resolve(stdout.split('\n').filter((row) => row !== '')));
  });
}
