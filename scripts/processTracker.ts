import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** A process that is still there, and how it was started. */
export interface LeftOver {
  readonly pid: number;
  readonly command: string;
}

export interface ProcessTracker {
  /** Those followed that still live. Always empty where there is no /proc. */
  living(): LeftOver[];
  stop(): void;
}

/**
 * The environment with `marker` in a variable of its own and, because what scrubs the environment of its children
 * mostly lets the PATH through, as a last folder of the PATH.
 */
export function markedEnvironment(env: NodeJS.ProcessEnv, marker: string): NodeJS.ProcessEnv {
  const path = [env.PATH, join(tmpdir(), marker)].join(delimiter);
  return { ...env, PATH: path, SP_TEST_RUN: marker };
}

const pollMs = 500;

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** Ticks since boot: with the pid, the identity of a process. */
  readonly started: string;
  readonly zombie: boolean;
}

/**
 * Follows all processes below `root` and all that bear `marker` anywhere in their environment. Two ways, because a
 * detached process leaves the tree and a scrubbed one may lose the marker. `marker` must be unique.
 */
export function trackProcesses(root: number, marker: string): ProcessTracker {
  const followed = new Map<number, string>();
  const poll = (): ProcessEntry[] => {
    const all = readProcesses();
    for (const { pid, started } of all) if (followed.get(pid) !== started) followed.delete(pid);
    const isRoot = ({ pid }: ProcessEntry): boolean => pid === root || bearsMarker(pid, marker);
    const isChild = ({ parent }: ProcessEntry): boolean => followed.has(parent);
    const follow = (test: (entry: ProcessEntry) => boolean): boolean => {
      const found = all.filter((entry) => !followed.has(entry.pid) && test(entry));
      for (const { pid, started } of found) followed.set(pid, started);
      return found.length > 0;
    };
    follow(isRoot);
    while (follow(isChild));
    return all;
  };
  const timer = setInterval(poll, pollMs);
  return {
    living: () =>
      poll()
        .filter(({ pid, started, zombie }) => !zombie && pid !== process.pid && followed.get(pid) === started)
        .map(({ pid }) => ({ pid, command: commandLine(pid) })),
    stop: () => clearInterval(timer),
  };
}

/** Kills what still lives. */
export function killAll(leftOvers: readonly LeftOver[]): void {
  for (const { pid } of leftOvers) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
  }
}

function readProcesses(): ProcessEntry[] {
  return listPids().flatMap((pid) => {
    // proc(5): pid (name) state ppid ... and the start time as field 22; the name may hold spaces and parentheses.
    const text = readProc(pid, 'stat');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, parent] = fields;
    const started = fields[19];
    if (parent === undefined || started === undefined) return [];
    return [{ pid, parent: Number(parent), started, zombie: state === 'Z' }];
  });
}

function listPids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function bearsMarker(pid: number, marker: string): boolean {
  return readProc(pid, 'environ').includes(marker);
}

function commandLine(pid: number): string {
  return readProc(pid, 'cmdline').replaceAll('\0', ' ').trim().slice(0, 200) || '(unnamed)';
}
