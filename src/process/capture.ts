import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import crossSpawn from 'cross-spawn';
import { type Clock, systemClock } from '../base/clock.ts';
import { describeStartFailure, whenOutputEnded } from './childEnd.ts';
import { exitsWithin, killGroup, sendSignal, sweep } from './killTree.ts';
import type { Marker } from './marker.ts';
import { createProcessTable } from './processTable.ts';
import { Tail } from './tail.ts';

/** Not the runs' own variable: what a short command leaves running (an agent a login shell starts) is no worker. */
const commandVariable = 'SALLYPORT_COMMAND';
/** How long a command has to take its locks away, before it is killed. */
const hangUpMs = 1000;
const stderrTailBytes = 64 * 1024;

/** A short command. `file` and `cwd` are absolute, `env` is complete. */
export interface Command {
  file: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Written to standard input, which is empty without it. */
  input?: string | Uint8Array;
  timeoutMs: number;
  /** Standard output past this many bytes is read and thrown away. */
  maxBytes: number;
  signal?: AbortSignal;
}

/** How it ended. `startFailed`: it never ran, and `stderr` (its last 64 KB otherwise) says why. */
export interface Captured {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: Buffer;
  stderr: string;
  timedOut: boolean;
  truncated: boolean;
  startFailed: boolean;
}

export type Capture = (command: Command) => Promise<Captured>;

/**
 * Runs a command to its end. Never rejects. On time-out or abort everything it started is ended, within about a second,
 * and what it printed until then is returned.
 */
export async function capture(command: Command, clock: Clock = systemClock): Promise<Captured> {
  if (command.signal?.aborted) return notStarted('The command was cancelled before it started.');
  const marker = { name: commandVariable, value: randomUUID() };
  let child: ChildProcess;
  try {
    child = crossSpawn(command.file, [...command.args], {
      cwd: command.cwd,
      env: { ...command.env, [marker.name]: marker.value },
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: [command.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
  } catch (error) {
    return notStarted(describeStartFailure(error, command.file));
  }
  const { pid } = child;
  if (pid === undefined) {
    const error = await new Promise((resolve) => child.once('error', resolve));
    return notStarted(describeStartFailure(error, command.file));
  }
  return watch(child, pid, command, marker, clock);
}

async function watch(
  child: ChildProcess,
  pid: number,
  command: Command,
  marker: Marker,
  clock: Clock,
): Promise<Captured> {
  const kept: Buffer[] = [];
  const stderr = new Tail(stderrTailBytes);
  let left = command.maxBytes;
  let truncated = false;
  let timedOut = false;
  let killed: Promise<void> | undefined;
  child.on('error', () => undefined);
  child.stdout?.on('data', (chunk: Buffer) => {
    if (left > 0) kept.push(chunk.subarray(0, left));
    left -= chunk.length;
    truncated = left < 0;
  });
  child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.on('error', () => undefined);
  child.stdin?.end(command.input);

  const kill = () => {
    killed ??= end(child, pid, clock).then(async () => {
      await sweep(marker, createProcessTable());
    });
  };
  const timer = clock.after(command.timeoutMs, () => {
    timedOut = true;
    kill();
  });
  command.signal?.addEventListener('abort', kill, { once: true });
  await whenOutputEnded(child, clock);
  timer.dispose();
  command.signal?.removeEventListener('abort', kill);
  await killed;
  const { exitCode: code, signalCode: signal } = child;
  return { code, signal, stdout: Buffer.concat(kept), stderr: stderr.text(), timedOut, truncated, startFailed: false };
}

/**
 * Git and the scripts of a login shell leave locks behind that stop the person's own next command when they are killed
 * outright. On a hang-up they remove them, and unlike SIGTERM an interactive shell ends on it too.
 */
async function end(child: ChildProcess, pid: number, clock: Clock): Promise<void> {
  // Its group is its own only while it lives; what it left behind is found by the marker.
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  if (process.platform !== 'win32') sendSignal(-pid, 'SIGHUP');
  if (process.platform === 'win32' || !(await exitsWithin(exited, clock, hangUpMs))) await killGroup(pid);
}

function notStarted(why: string): Captured {
  const nothing = { code: null, signal: null, stdout: Buffer.alloc(0), timedOut: false, truncated: false };
  return { ...nothing, stderr: why, startFailed: true };
}
