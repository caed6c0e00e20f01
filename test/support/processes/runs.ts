import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { runMarker } from '../../../src/process/marker.ts';
import { createProcessTable } from '../../../src/process/processTable.ts';
import {
  type Exit,
  type ProcessSystem,
  startWorker,
  type Worker,
  type WorkerHandlers,
  type WorkerSpec,
} from '../../../src/process/spawn.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
export const fakeWorker = path('fakeWorker.ts');
export const ownerOfWorker = path('ownerOfWorker.ts');
export const guardMain = path('../../../src/process/guardMain.ts');

/** Processes that bear a run's marker. */
export function survivors(runId: string): Promise<number[]> {
  return createProcessTable().processesBearing(runMarker(runId));
}

/** A process that has ended and was not reaped yet does not run. */
export async function isRunning(pid: number): Promise<boolean> {
  return (await createProcessTable().startTime(pid)) !== undefined;
}

export async function assertNothingLeft(runId: string): Promise<void> {
  assert.deepEqual(await survivors(runId), [], 'processes of the run are still alive');
}

/** Polls a condition of another process, which no clock of ours moves. */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
  timeoutMs = 8000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `timed out waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export interface FakeRun {
  runId: string;
  worker: Worker;
  lines: { line: string; cut: boolean }[];
  floods: () => number;
  /** The exit, after the sweep, having checked that nothing is left. */
  finish(): Promise<Exit>;
}

/** Starts the fake worker through startWorker. */
export function startFake(
  acts: string[],
  extra: Partial<WorkerSpec> = {},
  handlers: Partial<WorkerHandlers> = {},
  system?: ProcessSystem,
): FakeRun {
  const runId = randomUUID();
  const lines: FakeRun['lines'] = [];
  let floods = 0;
  const spec: WorkerSpec = {
    file: process.execPath,
    args: [fakeWorker, ...acts],
    cwd: process.cwd(),
    env: { PATH: process.env.PATH },
    runId,
    guard: undefined,
    ...extra,
  };
  const collect: WorkerHandlers = {
    onLine: (line, cut) => lines.push({ line, cut }),
    onFlood: () => floods++,
    ...handlers,
  };
  const worker = startWorker(spec, collect, system);
  return {
    runId,
    worker,
    lines,
    floods: () => floods,
    async finish() {
      const exit = await worker.ended;
      await worker.swept;
      await assertNothingLeft(runId);
      return exit;
    },
  };
}
