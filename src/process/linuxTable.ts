import { readdir, readFile } from 'node:fs/promises';
import { readStat } from './linuxStat.ts';
import { createLinuxStates } from './linuxStates.ts';
import type { Marker } from './marker.ts';

/** Files of /proc read at a time: enough to keep libuv's four threads busy without hundreds of open files. */
const atOnce = 32;

/** A ProcessTable that reads /proc (proc(5)): `environ` holds NUL-ended entries, `stat` state, parent, start time. */
export function createLinuxTable() {
  return {
    seesEnvironments: true,
    processesBearing,
    startTime,
    isAlive: async (pid: number, startedAt: string) => (await startTime(pid)) === startedAt,
    async bornUnder(variable: string) {
      const line = [process.pid, ...(await createLinuxStates().ancestors(process.pid))];
      const environments = await Promise.all(line.map(readEnvironment));
      return environments.some((environment) => environment.includes(`\0${variable}=`));
    },
  };
}

async function processesBearing(marker: Marker): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const entry = `\0${marker.name}=${marker.value}\0`;
  const found: number[] = [];
  for (let from = 0; from < pids.length; from += atOnce) {
    const batch = pids.slice(from, from + atOnce).filter((pid) => pid !== process.pid);
    const environments = await Promise.all(batch.map(readEnvironment));
    found.push(...batch.filter((_, index) => environments[index]?.includes(entry)));
  }
  return found;
}

/** NUL before and after every entry. Empty for a kernel thread, a zombie, and what we may not look at. */
async function readEnvironment(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  return `\0${text}\0`;
}

async function startTime(pid: number): Promise<string | undefined> {
  const stat = await readStat(pid);
  return typeof stat === 'object' ? stat.startTime : undefined;
}
