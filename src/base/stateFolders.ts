import { accessSync, constants, mkdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import envPaths from 'env-paths';

/** Absolute paths of the folders Sallyport keeps its own state in, shared by windows and standalone servers of one user. */
export interface StateFolders {
  /** Everything below is private to the user (0700). */
  root: string;
  /** Append-only journal files, one per process and day. */
  journal: string;
  /** One folder per run, named by its run id. */
  runs: string;
  /** One folder per worktree, named by the run it was made for. */
  worktrees: string;
  /** Append-only files of what was answered. */
  answers: string;
  /** One claim for each request that a window has told the person of. */
  notified: string;
  /** Until when nobody wants to be told. */
  snooze: string;
  /** Which process may type into a terminal. */
  locks: string;
}

/** The folders, and why nothing can be kept in them, with what the person can do; undefined when it can. */
export interface OpenedState {
  readonly folders: StateFolders;
  readonly problem: string | undefined;
}

const whatToDo = 'Check HOME and who may write there, or name another folder by SALLYPORT_STATE_DIR.';

/**
 * Names the state folders and creates them (0700). `override` replaces the platform's default root. Throws when the place is
 * not absolute: the default is not without a home folder, and would then be in whatever folder this process was started in.
 */
export function openStateFolders(override?: string): OpenedState {
  const root = override ?? envPaths('sallyport', { suffix: '' }).data;
  const at = (name: string): string => join(root, name);
  const folders: StateFolders = {
    root,
    journal: at('journal'),
    runs: at('runs'),
    worktrees: at('worktrees'),
    answers: at('answers'),
    notified: at('notified'),
    snooze: at('snooze'),
    locks: at('locks'),
  };
  if (!isAbsolute(root)) {
    throw new Error(
      `The folder for Sallyport's own state must be an absolute path; ${JSON.stringify(root)} is not. ${whatToDo}`,
    );
  }
  try {
    for (const folder of Object.values<string>({ ...folders })) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      accessSync(folder, constants.W_OK | constants.X_OK);
    }
    return { folders, problem: undefined };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { folders, problem: `The folder for Sallyport's own state cannot be written: ${why}. ${whatToDo}` };
  }
}
