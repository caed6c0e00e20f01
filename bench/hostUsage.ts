import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createProcessTable } from '../src/process/processTable.ts';
import type { BenchEditor } from './editor.ts';

/** What a process has used so far. */
export interface HostUsage {
  /** Processor time, with that of the programs which it has started and which have ended. */
  readonly cpuMs: number;
  readonly rssMb: number;
  readonly atMs: number;
}

/** A hundredth of a second on all of Linux's platforms. */
const msPerTick = 10;
const startMs = 30_000;

/** The number of the extension host of an editor with one open page, as soon as there is one. */
export async function extensionHostOf({ state }: BenchEditor): Promise<number> {
  const table = createProcessTable();
  for (const end = performance.now() + startMs; performance.now() < end;) {
    const pids = await table.processesBearing({ name: 'SALLYPORT_STATE_DIR', value: state });
    const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')));
    const [host, ...others] = pids.filter((_, index) => commands[index]?.includes('--type=extensionHost'));
    if (others.length > 0) throw new Error('there is more than one extension host');
    if (host !== undefined) return host;
    await pause(100);
  }
  throw new Error('there is no extension host');
}

/** proc_pid_stat(5) and proc_pid_status(5). */
export async function usageOf(pid: number): Promise<HostUsage> {
  const [stat, status] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'latin1'),
    readFile(`/proc/${pid}/status`, 'latin1'),
  ]);
  // Behind the name in parentheses, which may hold anything, the third field is the first: utime is the 14th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(14 - 3, 14 - 3 + 4).reduce((sum, field) => sum + Number(field), 0);
  const rssKib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return { cpuMs: ticks * msPerTick, rssMb: (Number(rssKib) * 1024) / 1_000_000, atMs: performance.now() };
}
