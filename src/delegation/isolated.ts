import type { Failure } from '../protocol/model.ts';
import type { Verdict } from './answer.ts';
import type { Job } from './job.ts';
import type { RunInProgress } from './liveRun.ts';
import type { RunFolders } from './runFolder.ts';
import type { Worktrees } from './worktrees.ts';

export interface IsolationDeps {
  worktrees: Worktrees;
  folders: RunFolders;
}

/** What a worker must know of where it is. */
const whereItIs =
  'You work in a git worktree made for you: files that git ignores (installed dependencies, build output) are not in it, and whatever you leave in it comes back as a branch. Stay inside it.';

/** The job of a run that asked for a worktree, moved there (nothing is made yet); or the reason why it cannot be. */
export async function moved<T extends Job>(run: RunInProgress, job: T, { worktrees }: IsolationDeps): Promise<T> {
  const { task } = job;
  const place = await worktrees.place(run.id, task.cwd);
  if ('why' in place) return { ...job, refused: noWorktree(place.why) };
  run.learn({ cwd: place.cwd, origin: task.cwd });
  const instructions = [task.instructions, whereItIs].filter((text) => text !== undefined).join('\n');
  return { ...job, origin: task.cwd, task: { ...task, cwd: place.cwd, instructions } };
}

export function noWorktree(why: string): Failure {
  const message = `A git worktree cannot be made: ${why}. Delegate without isolation (it then waits for other runs that write there), or name a folder under git.`;
  return { reason: 'badRequest', message };
}

/**
 * Does the work of a job in the worktree that its folder lies in, made now if it is the run's own. What is new there comes
 * back, whatever became of the run. A worktree that nobody has a handle for is removed.
 */
export async function inWorktree<T extends Job>(
  run: RunInProgress,
  job: T,
  deps: IsolationDeps,
  work: (job: T) => Promise<Verdict>,
): Promise<Verdict> {
  const { worktrees } = deps;
  const owner = worktrees.ownerOf(job.task.cwd);
  if (owner === undefined) return work(job);
  const isNew = owner === run.id;
  let verdict: Verdict | undefined;
  try {
    const missing = isNew ? await worktrees.add(run.id, job.origin ?? '', job.task.cwd, run.signal) : [];
    const notes = missing.length === 0 ? job.notes : [...job.notes, notIn('the worktree', missing)];
    verdict = await work({ ...job, notes });
  } finally {
    if (isNew && !verdict) await worktrees.remove(owner, true);
  }
  const back = await broughtBack(run, owner, deps);
  if (isNew && back.notes.length === 0 && run.record.sessionId === undefined) await worktrees.remove(owner, true);
  return { ...verdict, ...back, notes: [...back.notes, ...verdict.notes] };
}

async function broughtBack(
  run: RunInProgress,
  owner: string,
  { worktrees, folders }: IsolationDeps,
): Promise<{ branch?: string; notes: string[] }> {
  try {
    const back = await worktrees.bringBack(owner);
    if (!back) return { notes: [] };
    const { branch, base = '' } = back.worktree;
    const patch = await folders.keepPatch(run.id, back.patch);
    const notes = [
      `It worked in a git worktree; your checkout is untouched. Its changes: branch ${branch}, git diff ${base.slice(0, 12)} ${branch}. To take them over: git apply '${patch}'. The branch begins with a commit of your work tree as it was, untracked files included.`,
    ];
    if (back.leftOut.length > 0) notes.push(notIn('the branch', back.leftOut));
    return { branch, notes };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { notes: [`Its changes could not be made a branch (${why}). They are in ${run.record.cwd} for 7 days.`] };
  }
}

const maxNamed = 5;

function notIn(what: string, paths: readonly string[]): string {
  const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : '';
  return `Not in ${what}, because too large or not readable: ${paths.slice(0, maxNamed).join(', ')}${more}.`;
}
