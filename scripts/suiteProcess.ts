import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { killAll, markedEnvironment, trackProcesses } from './processTracker.ts';
import type { LeftOver, ProcessTracker } from './processTracker.ts';
import { readMochaResults } from './suiteResult.ts';
import type { Failure, SuiteResult } from './suiteResult.ts';

export interface SuiteCommand {
  /** Arguments of the running Node. Given the file into which mocha's json reporter shall write. */
  readonly args: (resultsFile: string) => readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** Hears what the suite prints, as it does. */
  readonly onOutput?: (chunk: Buffer) => void;
}

/** How long a suite may take to end once its results are written. */
const endingMs = 20_000;
/** How long what a suite started may take to be gone after it. */
const settleMs = 3_000;

/**
 * Runs a suite in a process of its own and reads its results. A suite that does not end, writes no results or leaves a
 * process behind has failed; whatever it started is ended in any case.
 */
export async function runSuiteProcess(name: string, command: SuiteCommand): Promise<SuiteResult> {
  // A short name, because sockets get their place below it.
  const folder = await mkdtemp(join(tmpdir(), 'sp-'));
  // Some tests act as another user, who has to get through to a folder of their own in it.
  await chmod(folder, 0o711);
  const resultsFile = join(folder, 'results.json');
  try {
    const env = { ...process.env, ...command.env, ...ownTemporaryFolder(folder) };
    const { output, problem, leftOvers } = await runToEnd({ ...command, env }, resultsFile);
    const results = await readMochaResults(resultsFile);
    const failures = [...(results?.failures ?? [])];
    if (problem !== null) failures.push({ title: `${name}: ${problem}`, detail: tail(output) });
    else if (results === null) failures.push({ title: `${name}: ended without results`, detail: tail(output) });
    failures.push(...leftOvers.map(leftOverFailure));
    return { passed: results?.passed ?? 0, failures, skipped: results?.skipped ?? [] };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Lets all temporary files of a suite go with it, also when it is killed. Not on macOS, whose temporary folder has so
 * long a path already that a socket below this one could not be bound.
 */
function ownTemporaryFolder(folder: string): NodeJS.ProcessEnv {
  return process.platform === 'linux' ? { TMPDIR: folder } : {};
}

interface Ending {
  readonly output: string;
  /** What kept it from ending by itself. */
  readonly problem: string | null;
  readonly leftOvers: readonly LeftOver[];
}

async function runToEnd(
  command: SuiteCommand & Required<Pick<SuiteCommand, 'env'>>,
  resultsFile: string,
): Promise<Ending> {
  const marker = `sallyport-test-run-${randomUUID()}`;
  const env = markedEnvironment(command.env, marker);
  const child = spawn(process.execPath, command.args(resultsFile), { stdio: ['ignore', 'pipe', 'pipe'], env });
  const tracker = trackProcesses(child.pid ?? 0, marker);
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output.push(chunk);
      command.onOutput?.(chunk);
    });
  }
  const ended = new Promise<null>((resolve, reject) => {
    child.on('exit', () => resolve(null));
    child.on('error', reject);
  });
  const waiting = new AbortController();
  try {
    const problem = await Promise.race([
      ended,
      sleep(command.timeout, `not done after ${command.timeout / 1000} s`, { signal: waiting.signal }),
      doesNotEnd(resultsFile, waiting.signal),
      aborted(command.signal),
    ]);
    if (problem !== null) killAll(tracker.living());
    return { output: Buffer.concat(output).toString('utf8'), problem, leftOvers: await settle(tracker, problem) };
  } finally {
    waiting.abort();
    tracker.stop();
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

async function doesNotEnd(resultsFile: string, signal: AbortSignal): Promise<string> {
  while (!existsSync(resultsFile)) await sleep(500, undefined, { signal });
  return await sleep(endingMs, `wrote its results, then did not end within ${endingMs / 1000} s`, { signal });
}

function aborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('stopped');
    signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
}

/** What is still there after a while, now killed. After a problem it was all killed before, so nothing is reported. */
async function settle(tracker: ProcessTracker, problem: string | null): Promise<LeftOver[]> {
  const deadline = Date.now() + settleMs;
  let left = tracker.living();
  while (left.length > 0 && Date.now() < deadline) {
    await sleep(100);
    left = tracker.living();
  }
  killAll(left);
  return problem === null ? left : [];
}

function leftOverFailure({ pid, command }: LeftOver): Failure {
  return {
    title: `left a process behind: ${command}`,
    detail: `process ${pid} still ran ${settleMs / 1000} s after the suite`,
  };
}

function tail(output: string): string {
  return output.trim().split('\n').slice(-60).join('\n');
}
