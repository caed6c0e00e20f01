import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { oneLine } from '../../base/displayText.ts';
import { workerEnvironment } from '../../process/environment.ts';
import type { Exit, Worker } from '../../process/spawn.ts';
import type { Failure, FileChange, Snapshot } from '../../protocol/model.ts';
import type { Prepared } from '../../sandbox/sandbox.ts';
import { type AttemptDeps, keepState, relativeTo, keepOrDrop } from '../attempt.ts';
import type { RunInProgress } from '../liveRun.ts';
import { Spool } from './spool.ts';

/** A command that Sallyport runs itself, once. */
export interface Command {
  /** As `sh -c` takes it. */
  command: string;
  /** Absolute. */
  cwd: string;
  /** In milliseconds; the setting's when absent. */
  timeoutMs?: number;
}

/** How a command ended. Nothing of it is left by then. */
export interface CommandEnd {
  exit: Exit;
  /** Why it was stopped, where it did not end by itself. */
  stopped?: 'timedOut' | 'cancelled';
  durationMs: number;
  /** Standard output and standard error as they came. Whoever gets it closes it. */
  output: Spool;
  files: FileChange[];
  /** For the reader of the result. */
  notes: string[];
}

/** What is kept of the output, in bytes: enough for any log that somebody will page, and less than a disk has. */
const maxOutputBytes = 128 * 1024 * 1024;
const shell = '/bin/sh';
/**
 * Both outputs are one pipe, so that their lines stay in order, and a command that asks for input gets its end at once. The
 * command is an argument, so nothing in it is read twice.
 */
const merged = 'exec "$0" -c "$1" </dev/null 2>&1';
/** Steps are for a glance. In milliseconds. */
const stepMs = 1_000;
const maxStepChars = 4_000;

const refused = (message: string): { failure: Failure } => ({ failure: { reason: 'badRequest', message } });

/** Runs a command in the sandbox, where there is one, and with the person's consent where there is none. */
export async function runCommand(
  run: RunInProgress,
  command: Command,
  deps: AttemptDeps,
): Promise<CommandEnd | { failure: Failure }> {
  if (process.platform === 'win32') {
    return refused('There is no sh on Windows to run the command with. Run it yourself, or delegate it.');
  }
  const available = await deps.sandboxes.available(command.cwd);
  if (!available.ok) {
    const consent = await consentFor(run, command, deps);
    run.signal.throwIfAborted();
    if (consent !== undefined) return refused(`${consent} There is no sandbox: ${available.why}.`);
  }
  const folder = await deps.folders.create(run.id);
  const { variables, path, extra } = await deps.surroundings();
  const env = workerEnvironment({ from: variables, allow: [], set: extra, path, runId: run.id, depth: deps.depth + 1 });
  const held = { access: 'full', workspace: command.cwd, scratch: folder.scratch, env, program: shell } as const;
  const sandbox = available.ok ? await deps.sandboxes.prepare(held) : undefined;
  let tidied: string[] = [];
  let ended: CommandEnd;
  try {
    ended = await inFolder(run, command, { objects: folder.objects, env, ...(sandbox && { sandbox }) }, deps);
  } finally {
    tidied = (await sandbox?.tidy()) ?? [];
    await deps.folders.clearScratch(run.id);
  }
  const { startFailed, stderrTail } = ended.exit;
  const bwrap = sandbox && /^bwrap: (.+)$/m.exec(stderrTail)?.[1];
  if (startFailed || bwrap !== undefined) {
    ended.output.close();
    const why = bwrap === undefined ? stderrTail.trim() : `The sandbox could not be made: ${bwrap}.`;
    return { failure: { reason: 'environment', message: `The command was not run. ${why}` } };
  }
  const notes = available.ok ? [] : [`[unsandboxed] The command ran without a sandbox: ${available.why}.`];
  return { ...ended, notes: [...notes, ...tidied, ...ended.notes] };
}

/** Runs it, and looks what it changed. */
async function inFolder(
  run: RunInProgress,
  command: Command,
  { objects, ...surrounded }: Surrounded & { objects: string },
  deps: AttemptDeps,
): Promise<CommandEnd> {
  const folder = await realpath(command.cwd);
  const before = await keepState(run, command.cwd, objects, deps);
  run.signal.throwIfAborted();
  const output = new Spool(join(await deps.folders.logFolder(run.id), 'raw'));
  try {
    const ended = await supervise(run, command, output, surrounded, deps);
    return { ...ended, output, files: await filesOf(run, folder, before, deps) };
  } catch (error) {
    output.close();
    throw error;
  }
}

/** Why the person's consent is lacking, or undefined. */
async function consentFor(
  run: RunInProgress,
  { command, cwd }: Command,
  { consent }: AttemptDeps,
): Promise<string | undefined> {
  if (consent.given(cwd)) return undefined;
  if (!consent.ask) {
    return 'The command was not run: it needs a sandbox, or your word that it may run without one (SALLYPORT_ALLOW_UNSANDBOXED=1).';
  }
  if (await consent.ask({ kind: 'command', command }, cwd, run.signal)) return undefined;
  return 'The command was not allowed to run without a sandbox, so it was not run.';
}

interface Surrounded {
  env: Record<string, string>;
  sandbox?: Prepared;
}

/** One life of the command: it ends by itself, at its time limit, or with the run. */
async function supervise(
  run: RunInProgress,
  { command, cwd, timeoutMs }: Command,
  output: Spool,
  { env, sandbox }: Surrounded,
  deps: AttemptDeps,
): Promise<Omit<CommandEnd, 'output' | 'files'>> {
  const plain = { file: shell, args: ['-c', merged, shell, command], env };
  const program = sandbox?.confine(plain) ?? plain;
  const notes: string[] = [];
  const begun = deps.clock.now();
  let cutLines = 0;
  let stopped: CommandEnd['stopped'];
  let told = Number.NEGATIVE_INFINITY;
  const onLine = (line: string, cut: boolean) => {
    output.write(line);
    if (cut) cutLines++;
    if (deps.clock.now() - told < stepMs) return;
    told = deps.clock.now();
    const shown = line.length > maxStepChars ? 'a long line' : oneLine(deps.redactor.quick(line), 120);
    run.enter({ kind: 'running', step: `the command runs: ${shown}` });
  };
  run.enter({ kind: 'running', step: 'the command runs' });
  deps.redactor.wake();
  const worker: Worker = deps.startWorker(
    {
      ...{ file: program.file, args: program.args, cwd, env: { ...program.env }, runId: run.id },
      ...{ maxOutputBytes, guard: deps.guard },
    },
    {
      onLine,
      onFlood: () =>
        notes.push(`It printed more than ${maxOutputBytes / 1024 / 1024} MiB: the rest is not in the log.`),
      onGuardLost: (why) => deps.log.warn(`run ${run.id}: ${why}`),
    },
  );
  worker.endInput();
  const stop = (why: NonNullable<CommandEnd['stopped']>) => {
    stopped ??= why;
    void worker.stop();
  };
  const timer = deps.clock.after(deps.limits(timeoutMs).wallMs, () => stop('timedOut'));
  const onAbort = () => stop('cancelled');
  run.signal.addEventListener('abort', onAbort);
  if (run.signal.aborted) onAbort();
  const exit = await worker.ended;
  const durationMs = deps.clock.now() - begun;
  timer.dispose();
  run.signal.removeEventListener('abort', onAbort);
  await worker.swept;
  const problem = output.end();
  if (problem !== undefined) notes.push(`Its output could not be written whole (${problem}).`);
  if (cutLines > 0) notes.push(`Of ${cutLines} lines longer than 8 MiB only the beginning is in the log.`);
  return { exit, durationMs, notes, ...(stopped && { stopped }) };
}

async function filesOf(
  run: RunInProgress,
  folder: string,
  before: Snapshot | undefined,
  { snapshots, folders, log }: AttemptDeps,
): Promise<FileChange[]> {
  const seen = before && (await snapshots.changesSince(before));
  if (!before || !seen) return [];
  await keepOrDrop(run.id, seen, folders).catch((error: unknown) => log.warn(`run ${run.id}: ${String(error)}`));
  return relativeTo(folder, before.root, seen.changes);
}
