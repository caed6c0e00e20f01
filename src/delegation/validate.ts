import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, sep } from 'node:path';
import { isName } from '../engines/names.ts';
import type { Failure } from '../protocol/model.ts';
import type { Task } from './task.ts';

/** The longest prompt a worker is given, in characters. */
export const maxPromptChars = 1_000_000;

const bad = (message: string): Failure => ({ reason: 'badRequest', message });

/** What is wrong with a task before any worker is started, or undefined. `mostMs`: the longest a run may take, in ms. */
export async function problemOf(task: Task, mostMs: number): Promise<Failure | undefined> {
  if (task.prompt.trim() === '') return bad('The prompt is empty. Say what the worker should do.');
  if (task.prompt.length > maxPromptChars) {
    return bad(
      `The prompt has ${task.prompt.length} characters; a worker takes ${maxPromptChars} at most. Put the material in a file and name its path.`,
    );
  }
  if (task.prompt.includes('\0')) return bad('The prompt contains a NUL character. Remove it, then try again.');
  for (const [name, word] of [
    ['model', task.model],
    ['effort', task.effort],
  ] as const) {
    if (word !== undefined && !isName(word)) {
      return bad(`${JSON.stringify(word.slice(0, 100))} is no valid ${name}. Leave it out to use the default.`);
    }
  }
  if (task.timeoutMs !== undefined && !(task.timeoutMs >= 1_000 && task.timeoutMs <= mostMs)) {
    return bad(
      `The time limit must lie between 1000 and ${mostMs} ms (sallyport.maxRunMinutes); ${task.timeoutMs} ms does not.`,
    );
  }
  return folderProblem(task);
}

async function folderProblem({ cwd, access }: Task): Promise<Failure | undefined> {
  if (!isAbsolute(cwd)) return bad(`The folder must be an absolute path; ${JSON.stringify(cwd)} is not.`);
  try {
    if (!(await stat(cwd)).isDirectory()) return bad(`${cwd} is a file. Name the folder the worker should work in.`);
    const real = await realpath(cwd);
    // Hooks and settings there are programs that the person's next git command runs, and CLIs guard it only from outside.
    if (access === 'readOnly' || !real.split(sep).includes('.git')) return undefined;
    return bad(`${cwd} is git's own folder, where no worker may write. Name a folder of the project.`);
  } catch {
    return bad(`The folder ${cwd} does not exist or cannot be read. Name one that does.`);
  }
}
