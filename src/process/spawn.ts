import type { ChildProcess } from 'node:child_process';
import crossSpawn from 'cross-spawn';
import { type Clock, systemClock } from '../base/clock.ts';
import { LineSplitter } from '../base/lines.ts';
import { describeStartFailure, whenOutputEnded } from './childEnd.ts';
import { type GuardProgram, startGuard } from './guard.ts';
import { killGroup, sweep } from './killTree.ts';
import { runMarker, runVariable } from './marker.ts';
import { createProcessTable, type ProcessTable } from './processTable.ts';
import { stopTree } from './stopTree.ts';
import { Tail } from './tail.ts';

const defaultMaxOutputBytes = 256 * 1024 * 1024;
const stderrTailBytes = 8 * 1024;

/** What to start. */
export interface WorkerSpec {
  /** Absolute. */
  file: string;
  args: readonly string[];
  cwd: string;
  /** The worker's whole environment; the run's marker is added if it is not there. */
  env: NodeJS.ProcessEnv;
  runId: string;
  /** Longer lines of standard output are cut. Default 8 MiB. */
  maxLineBytes?: number;
  /** Standard output and standard error together, over the whole run. Default 256 MiB. */
  maxOutputBytes?: number;
  /** Ends the run when this process dies. Absent: nothing does. */
  guard: GuardProgram | undefined;
}

/** Called synchronously as output is read. They must not throw. */
export interface WorkerHandlers {
  onLine(line: string, cut: boolean): void;
  /** Once, when the output is past its limit; what comes after is thrown away. The worker is not stopped by that. */
  onFlood(): void;
  /** The run goes on, but would survive this process. */
  onGuardLost?(why: string): void;
}

/** How a worker ended. `startFailed`: it never ran, and `stderrTail` says why. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  stderrTail: string;
  startFailed: boolean;
}

export interface Worker {
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  /** Writes one line to standard input; does nothing once that is closed. */
  write(line: string): void;
  endInput(): void;
  /** Resolves after the last line was delivered, never rejects. */
  readonly ended: Promise<Exit>;
  /**
   * Resolves when, after the end, nothing is left of the group or bears the run's marker, with how many had to be killed
   * (its own group counts as one). Never rejects.
   */
  readonly swept: Promise<number>;
  /** Ends the whole tree (see stopTree) and resolves with `swept`. Later calls wait for the first. */
  stop(interrupt?: () => void): Promise<void>;
}

/** What a worker needs of the machine. */
export interface ProcessSystem {
  clock: Clock;
  table: ProcessTable;
}

/** Starts a worker in a process group of its own. Never throws: a failure to start is how it ended. */
export function startWorker(
  spec: WorkerSpec,
  handlers: WorkerHandlers,
  system: ProcessSystem = { clock: systemClock, table: createProcessTable() },
): Worker {
  let child: ChildProcess;
  try {
    child = crossSpawn(spec.file, [...spec.args], {
      cwd: spec.cwd,
      env: { ...spec.env, [runVariable]: spec.runId },
      // On Windows it would open a console window, and a tree is ended by its root there.
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  } catch (error) {
    return unstarted(spec, Promise.resolve(error));
  }
  child.stdin?.on('error', () => undefined);
  const { pid } = child;
  if (pid === undefined) return unstarted(spec, new Promise((resolve) => child.once('error', resolve)));
  return new StartedWorker(child, pid, spec, handlers, system);
}

function unstarted(spec: WorkerSpec, failure: Promise<unknown>): Worker {
  const ended = failure.then((error) => ({
    code: null,
    signal: null,
    stderrTail: describeStartFailure(error, spec.file),
    startFailed: true,
  }));
  const swept = ended.then(() => 0);
  const stop = () => swept.then(() => undefined);
  return { pid: undefined, write: () => undefined, endInput: () => undefined, ended, swept, stop };
}

class StartedWorker implements Worker {
  readonly pid: number;
  readonly ended: Promise<Exit>;
  readonly swept: Promise<number>;
  readonly #child: ChildProcess;
  readonly #clock: Clock;
  readonly #exited: Promise<void>;
  #stopping: Promise<void> | undefined;

  constructor(child: ChildProcess, pid: number, spec: WorkerSpec, handlers: WorkerHandlers, system: ProcessSystem) {
    this.#child = child;
    this.pid = pid;
    this.#clock = system.clock;
    // Later errors (a signal that could not be sent) are seen by their effect.
    child.on('error', () => undefined);
    const output = readOutput(child, spec, handlers);
    this.#exited = new Promise((resolve) => child.once('exit', () => resolve()));
    this.ended = whenOutputEnded(child, system.clock).then(() => {
      const stderrTail = output.finish();
      return { code: child.exitCode, signal: child.signalCode, stderrTail, startFailed: false };
    });
    const guard = spec.guard && startGuard(spec.guard, spec.runId, pid, (why) => handlers.onGuardLost?.(why));
    this.swept = this.#exited.then(async () => {
      // Windows may give the number to another process at once, and there the tree is lost with its root anyway.
      const group = process.platform !== 'win32' && (await killGroup(pid));
      const found = await sweep(runMarker(spec.runId), system.table);
      guard?.dismiss();
      return found + (group ? 1 : 0);
    });
  }

  write(line: string): void {
    const { stdin } = this.#child;
    if (stdin?.writable) stdin.write(`${line}\n`);
  }

  endInput(): void {
    this.#child.stdin?.end();
  }

  stop(interrupt?: () => void): Promise<void> {
    this.#stopping ??= this.#stop(interrupt);
    return this.#stopping;
  }

  async #stop(interrupt?: () => void): Promise<void> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode === null && signalCode === null) {
      const target = { pid: this.pid, exited: this.#exited, endInput: () => this.endInput() };
      await stopTree(target, this.#clock, interrupt);
    }
    await this.swept;
  }
}

/** Delivers lines and counts what comes. `finish` delivers the last line and returns the end of standard error. */
function readOutput(child: ChildProcess, spec: WorkerSpec, handlers: WorkerHandlers): { finish(): string } {
  const splitter = new LineSplitter(spec.maxLineBytes);
  const stderr = new Tail(stderrTailBytes);
  let left = spec.maxOutputBytes ?? defaultMaxOutputBytes;
  let flooded = false;
  const count = (chunk: Buffer) => {
    left -= chunk.length;
    if (left >= 0 || flooded) return;
    flooded = true;
    handlers.onFlood();
  };
  child.stdout?.on('data', (chunk: Buffer) => {
    count(chunk);
    if (!flooded) for (const { text, cut } of splitter.push(chunk)) handlers.onLine(text, cut);
    release(chunk);
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    count(chunk);
    stderr.push(chunk);
    release(chunk);
  });
  for (const pipe of [child.stdout, child.stderr]) pipe?.on('error', () => undefined);
  return {
    finish() {
      if (!flooded) for (const { text, cut } of splitter.end()) handlers.onLine(text, cut);
      return stderr.text();
    },
  };
}

/**
 * Gives the memory of a chunk back at once; nobody may use it afterwards. Every read of a pipe allocates one outside the
 * heap, and V8 lets 64 MB of such garbage gather before it collects. Node 20 has no `transfer` and goes without.
 */
function release({ buffer, length }: Buffer): void {
  const ownsAll = buffer instanceof ArrayBuffer && buffer.byteLength === length;
  if (ownsAll && 'transfer' in buffer) buffer.transfer(0);
}
