import type { Marker } from './marker.ts';
import { ps } from './ps.ts';
import { createPsStates } from './psStates.ts';

/**
 * A ProcessTable that asks `ps`. With -E it prints the environment behind the command, for processes of the same user
 * only, and not for Apple's own protected binaries (/bin/sh, /bin/sleep): those are reached by their group alone.
 */
export function createMacTable() {
  return {
    seesEnvironments: true,
    async processesBearing(marker: Marker) {
      const { rows } = await ps(['-axEww', '-o', 'pid=,command=']);
      return rows
        .filter((row) => bears(row, marker))
        .map((row) => Number.parseInt(row, 10))
        .filter((pid) => pid !== process.pid);
    },
    startTime,
    isAlive: async (pid: number, startedAt: string) => (await startTime(pid)) === startedAt,
    async bornUnder(variable: string) {
      const line = [process.pid, ...(await createPsStates().ancestors(process.pid))];
      const { rows } = await ps(['-Eww', '-o', 'command=', '-p', line.join(',')]);
      return rows.some((row) => row.includes(` ${variable}=`));
    },
  };
}

function bears(row: string, marker: Marker): boolean {
  return `${row} `.includes(` ${marker.name}=${marker.value} `);
}

async function startTime(pid: number): Promise<string | undefined> {
  const state = await createPsStates().of(pid);
  return typeof state === 'object' ? state.startedAt : undefined;
}
