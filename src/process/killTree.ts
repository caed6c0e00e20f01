import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import type { Marker } from './marker.ts';
import type { ProcessTable } from './processTable.ts';

/** Between two looks, so that what was killed has gone and what was forked meanwhile is seen. */
const pauseMs = 5;
/** A tree that still forks after this many looks (seconds of them) is left to the next sweep. */
const maxLooks = 400;

/** Sends a signal; false when there is no such process (or group, for a negative number) that we may signal. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Whether a process exits before `ms` milliseconds have passed. */
export function exitsWithin(exited: Promise<void>, clock: Clock, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = clock.after(ms, () => resolve(false));
    void exited.then(() => {
      timer.dispose();
      resolve(true);
    });
  });
}

/**
 * Ends a process and what is tied to it: its process group on POSIX (the process must lead one), its tree on Windows.
 * Only for a process that is alive or has ended this moment: later its number may be another's. Resolves with whether
 * there was anything to end, as far as the platform tells (Windows does not).
 */
export function killGroup(pid: number, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  if (platform !== 'win32') return Promise.resolve(sendSignal(-pid, 'SIGKILL'));
  const taskkill = join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  const args = ['/PID', String(pid), '/T', '/F'];
  return new Promise((resolve) => execFile(taskkill, args, { windowsHide: true, timeout: 5000 }, () => resolve(false)));
}

/**
 * Kills every process that bears exactly this marker, wherever it has put itself (own session, own group, adopted by
 * init), until two looks in a row find none: one look can miss a process in the middle of its exec, whose environment
 * reads as empty for that moment. Never this process. Resolves with how many it found.
 */
export async function sweep(marker: Marker, table: ProcessTable): Promise<number> {
  if (!table.seesEnvironments) return 0;
  let quiet = 0;
  let total = 0;
  for (let look = 0; look < maxLooks; look++) {
    const found = await table.processesBearing(marker);
    for (const pid of found) sendSignal(pid, 'SIGKILL');
    total += found.length;
    quiet = found.length === 0 ? quiet + 1 : 0;
    if (quiet === 2) break;
    await pause(pauseMs);
  }
  return total;
}
