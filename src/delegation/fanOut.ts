import { oneLine } from '../base/displayText.ts';
import type { Failure } from '../protocol/model.ts';
import type { Verdict } from './answer.ts';
import type { RunInProgress } from './liveRun.ts';
import { bound } from './output.ts';
import type { FanOut, LiveRun, RunResult, Task } from './task.ts';

/** What it takes to lead workers. */
interface Crew {
  start(task: Task): LiveRun;
  /** Ends what a worker's handle stands for: its session may not be asked again, its worktree goes. */
  close(run: LiveRun, why: string): Promise<void>;
}

interface Worker {
  level: number;
  run: LiveRun;
}

interface Ended extends Worker {
  result: RunResult;
  /** The worker as the caller is told of it. */
  name: string;
}

/** What an arbiter is given of each answer, in characters; all of them fit into a prompt. */
const maxAnswerChars = 60_000;

/** The workers' tasks, in the order of the levels. */
export function workerTasks({ task, levels }: FanOut): Task[] {
  return levels.map((level) => ({
    ...task,
    tool: `${task.tool}_worker`,
    access: 'workspaceWrite',
    isolation: 'worktree',
    choice: { by: 'level', level },
  }));
}

/** Sends out the workers, leads them to their end, and makes one verdict of theirs. Cancelling `run` cancels them all. */
export async function leadWorkers(run: RunInProgress, asked: FanOut, crew: Crew): Promise<Verdict> {
  const workers = workerTasks(asked).map((task, index) => ({ level: asked.levels[index] ?? 0, run: crew.start(task) }));
  return whileLed(run, workers, async () => {
    tellProgress(run, workers);
    return asked.mode === 'race' ? race(run, workers, crew) : consensus(run, workers, asked, crew);
  });
}

/** Cancels the runs with the one that leads them. */
export async function whileLed<T>(
  run: RunInProgress,
  led: readonly { run: LiveRun }[],
  work: () => Promise<T>,
): Promise<T> {
  const cancel = () => {
    for (const worker of led) worker.run.cancel();
  };
  run.signal.addEventListener('abort', cancel);
  if (run.signal.aborted) cancel();
  try {
    return await work();
  } finally {
    run.signal.removeEventListener('abort', cancel);
  }
}

function tellProgress(run: RunInProgress, workers: readonly Worker[]): void {
  let over = 0;
  const tell = () => run.enter({ kind: 'running', step: `${over} of ${workers.length} workers have ended` });
  for (const worker of workers) {
    void worker.run.result.then(() => {
      over++;
      tell();
    });
  }
  tell();
}

async function race(run: RunInProgress, workers: readonly Worker[], crew: Crew): Promise<Verdict> {
  const winner = await firstSuccess(workers);
  if (winner) for (const worker of workers) if (worker !== winner) worker.run.cancel();
  const ended = await Promise.all(workers.map(endOf));
  const won = ended.find((worker) => worker.run === winner?.run);
  if (!won) return unsuccessful(run, ended, crew);
  const losers = ended.filter((worker) => worker !== won);
  const ask = won.result.handle === undefined ? '' : ` Ask the winner, ${won.result.handle}, or delegate anew.`;
  const why = `That worker lost a race, so its session is closed and its worktree was removed.${ask}`;
  for (const loser of losers) await crew.close(loser.run, why);
  const lines = ended.map((worker) => lineOf(worker, worker === won ? 'won' : lossOf(worker), worker !== won));
  return {
    led: { text: withList(won.result.text, lines), ...handleOf(won) },
    files: won.result.files,
    notes: won.result.notes,
    ...(won.result.branch !== undefined && { branch: won.result.branch }),
  };
}

function firstSuccess(workers: readonly Worker[]): Promise<Worker | undefined> {
  return new Promise((resolve) => {
    const all = workers.map((worker) =>
      worker.run.result.then(({ status }) => {
        if (status === 'completed') resolve(worker);
      }),
    );
    void Promise.all(all).then(() => resolve(undefined));
  });
}

async function consensus(run: RunInProgress, workers: readonly Worker[], asked: FanOut, crew: Crew): Promise<Verdict> {
  const ended = await Promise.all(workers.map(endOf));
  const answers = ended.filter(({ result }) => result.status === 'completed');
  const [first] = answers;
  if (!first || run.signal.aborted) return unsuccessful(run, ended, crew);
  const lines = ended.map((worker) => lineOf(worker, answers.includes(worker) ? 'answered' : lossOf(worker)));
  const notes = answers.flatMap(({ name, result }) => result.notes.map((note) => `${name}: ${note}`));
  if (answers.length === 1) {
    const alone = `Only one of ${ended.length} workers succeeded, so there is nothing to compare.`;
    return { led: { text: withList(first.result.text, lines), ...handleOf(first) }, notes: [alone, ...notes] };
  }
  const digest = await digestOf(run, answers, asked, crew);
  if (digest.status === 'completed')
    return {
      led: { text: withList(digest.text, lines), ...handleOf({ result: digest }) },
      notes: [...digest.notes, ...notes],
    };
  if (digest.status === 'cancelled') return unsuccessful(run, ended, crew);
  const bare = answers.map(({ name, result }) => `## ${name}\n\n${result.text}`).join('\n\n');
  const why = `There is no digest, because the arbiter failed: ${oneLine(digest.text, maxWhyChars)} Here are the answers themselves.`;
  return { led: { text: withList(bare, lines), ...handleOf(first) }, notes: [why, ...notes] };
}

async function digestOf(run: RunInProgress, answers: readonly Ended[], asked: FanOut, crew: Crew): Promise<RunResult> {
  const rest = 'ask that worker';
  const { prompt, instructions } = asked.digest(
    answers.map(({ name, result: { text, files } }) => ({
      worker: name,
      text: bound(`${text}${changed(files)}`, maxAnswerChars, '', rest),
    })),
  );
  const arbiter = crew.start({
    tool: `${asked.task.tool}_arbiter`,
    prompt,
    instructions,
    access: 'readOnly',
    cwd: asked.task.cwd,
    choice: { by: 'tier', tier: asked.arbiter },
  });
  run.enter({ kind: 'running', step: 'an arbiter compares the answers' });
  return whileLed(run, [{ run: arbiter }], () => arbiter.result);
}

/** Nobody won. What was cancelled leaves nothing; what failed by itself can still be asked. */
async function unsuccessful(run: RunInProgress, ended: readonly Ended[], crew: Crew): Promise<Verdict> {
  const cancelled = run.signal.aborted;
  const stopped = ended.filter(({ result }) => result.status === 'cancelled');
  const why = 'That worker was stopped, so its session is closed and its worktree was removed. Delegate anew.';
  for (const worker of stopped) await crew.close(worker.run, why);
  const what = (worker: Ended) => (worker.result.status === 'completed' ? 'answered' : lossOf(worker));
  const lines = ended.map((worker) => lineOf(worker, what(worker), stopped.includes(worker)));
  const failure: Failure = cancelled
    ? { reason: 'cancelled', message: 'Cancelled.' }
    : { reason: sharedReason(ended), message: 'No worker succeeded.' };
  return { failure, led: { text: withList(failure.message, lines) }, notes: [] };
}

function sharedReason(ended: readonly Ended[]): Failure['reason'] {
  const reasons = new Set(ended.map(({ result }) => result.reason));
  const [reason] = reasons;
  return reasons.size === 1 && reason !== undefined ? reason : 'environment';
}

async function endOf({ level, run }: Worker): Promise<Ended> {
  const result = await run.result;
  const { engine, model } = result;
  return { level, run, result, name: `level ${level}, ${engine}${model === undefined ? '' : ` (${model})`}` };
}

const maxWhyChars = 300;

function lossOf({ result: { status, reason, text } }: Ended): string {
  if (status === 'cancelled') return 'stopped';
  if (status === 'completed') return 'came too late';
  return `failed (${reason ?? 'no reason'}): ${oneLine(text, maxWhyChars)}`;
}

/** A closed worker's handle is told too: whoever asks it hears why. */
function lineOf({ name, result: { handle, branch } }: Ended, what: string, isClosed = false): string {
  const session = handle === undefined ? '' : `; session ${handle}${isClosed ? ' (closed)' : ''}`;
  const place = branch === undefined || isClosed ? '' : `; branch ${branch}`;
  return `- ${name}: ${what}${session}${place}`;
}

const withList = (text: string, lines: readonly string[]) => `${text}\n\nWorkers:\n${lines.join('\n')}`;

const handleOf = ({ result: { handle } }: { result: RunResult }) => (handle === undefined ? {} : { handle });

const changed = (files: RunResult['files']) =>
  files.length === 0 ? '' : `\n\nFiles it changed: ${files.map(({ path }) => path).join(', ')}`;
