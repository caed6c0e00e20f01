import { readdir, readFile } from 'node:fs/promises';
import type { Marker } from './marker.ts';

/** Files of /proc read at a time: enough to keep libuv's four threads busy without hundreds of open files. */
const atOnce = 32;

/** A ProcessTable that reads /proc (proc(5)): `environ` holds NUL-ended entries, `stat` state, parent, start time. */
export function createLinuxTable() {
  return {
    seesEnvironments: true,
    processesBearing,
    startTime: async (pid: number) => (await readStat(pid))?.startTime,
    isAlive: async (pid: number, startedAt: string) => (await readStat(pid))?.startTime === startedAt,
    async bornUnder(variable: string) {
      const line = [process.pid, ...(await ancestors(process.pid))];
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

async function ancestors(pid: number): Promise<number[]> {
  const above: number[] = [];
  for (let stat = await readStat(pid); stat !== undefined && stat.parent > 0; stat = await readStat(stat.parent)) {
    above.push(stat.parent);
  }
  return above;
}

/** The second field of `stat` is the program's name in brackets and may hold anything, brackets and spaces too. */
async function readStat(pid: number): Promise<{ parent: number; startTime: string } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  const [state, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const startTime = rest[17];
  if (parent === undefined || startTime === undefined || state === 'Z' || state === 'X') return undefined;
  return { parent: Number(parent), startTime };
}
