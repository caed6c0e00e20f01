import { readFile, readdir, realpath, rename, rm, mkdir, stat, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { isInside } from '../base/inside.ts';
import type { Git } from '../git/git.ts';
import { addWorktree, bringBack, type BroughtBack, planWorktree, removeWorktree } from '../git/worktree.ts';
import type { RunRecord } from '../journal/entry.ts';
import { type Worktree, worktreeSchema } from '../protocol/model.ts';

const runIdPattern = /^[A-Za-z0-9-]{8,64}$/;
const recordFile = 'worktree.json';
const keepDays = 7;
const dayMs = 86_400_000;

/**
 * The worktrees that runs work in, below one folder (absolute): each in a folder named by the run it was made for, with a
 * record of what there is to remove, written before anything is made. Follow-ups of that run work in the same one.
 */
export class Worktrees {
  readonly #root: string;
  readonly #git: () => Promise<Git | undefined>;

  constructor(root: string, git: () => Promise<Git | undefined>) {
    this.#root = root;
    this.#git = git;
  }

  /** Where a run in `cwd` would work in a worktree of its own, or why it cannot have one. */
  async place(runId: string, cwd: string): Promise<{ cwd: string } | { why: string }> {
    const git = await this.#git();
    if (!git) return { why: 'git was not found' };
    const planned = await planWorktree(git, cwd, this.#folder(runId), nameOf(runId));
    if ('why' in planned) return planned;
    return { cwd: join(planned.checkout, relative(planned.root, await realpath(cwd))) };
  }

  /** Makes the worktree of a run, of the repository around `origin`. Returns the paths that did not come along. */
  async add(runId: string, origin: string, cwd: string, signal: AbortSignal): Promise<string[]> {
    const git = await this.#needed();
    const planned = await planWorktree(git, origin, this.#folder(runId), nameOf(runId));
    if ('why' in planned) throw new Error(`There can be no worktree: ${planned.why}.`);
    await mkdir(this.#folder(runId), { recursive: true, mode: 0o700 });
    await this.#write(runId, planned);
    const { worktree, leftOut } = await addWorktree(git, planned, signal);
    await this.#write(runId, worktree);
    // A folder that holds nothing git keeps is not in a commit.
    await mkdir(cwd, { recursive: true });
    return leftOut;
  }

  /** The run whose worktree `cwd` lies in. */
  ownerOf(cwd: string): string | undefined {
    if (!isInside(cwd, this.#root) || cwd === this.#root) return undefined;
    return relative(this.#root, cwd).split(sep)[0];
  }

  /** Makes a branch of what is new in the worktree. Undefined when nothing is. */
  async bringBack(runId: string): Promise<BroughtBack | undefined> {
    const worktree = await this.#read(runId);
    if (!worktree) return undefined;
    const back = await bringBack(await this.#needed(), worktree);
    // Written in any case: its time says when the worktree was last used.
    await this.#write(runId, back?.worktree ?? worktree);
    return back;
  }

  /** Removes the worktree of a run, if it has one, and with `branchToo` what came of it. */
  async remove(runId: string, branchToo: boolean): Promise<void> {
    const worktree = await this.#read(runId);
    if (worktree) await removeWorktree(worktree, branchToo);
    await rm(this.#folder(runId), { recursive: true, force: true });
  }

  /**
   * Removes the worktrees whose handle no longer lives: those of runs that died with their process, that were closed, that
   * no journal knows, or that nobody used for 7 days. `close` is told of each handle that could still have been asked.
   */
  async sweep(
    readRecords: () => Promise<readonly RunRecord[]>,
    now: number,
    close: (runId: string, why: string) => Promise<void>,
  ): Promise<void> {
    const runIds = (await readdir(this.#root)).filter((name) => runIdPattern.test(name));
    if (runIds.length === 0) return;
    // Read after the folders: whoever makes one has written its entry before.
    const records = await readRecords();
    const failures: string[] = [];
    for (const runId of runIds) {
      if (records.some(({ status, cwd }) => status === 'running' && this.ownerOf(cwd) === runId)) continue;
      const record = records.find((known) => known.runId === runId);
      const isUnused = now - (await this.#lastUse(runId)) > keepDays * dayMs;
      // One that cannot be removed keeps none of the others.
      await this.#sweepOne(runId, record, isUnused, close).catch((error: unknown) => failures.push(String(error)));
    }
    if (failures.length > 0) throw new Error(failures.join('; '));
  }

  async #sweepOne(
    runId: string,
    record: RunRecord | undefined,
    isUnused: boolean,
    close: (runId: string, why: string) => Promise<void>,
  ): Promise<void> {
    const lost = record?.status === 'lost';
    const closed = record?.closed;
    if (record && !lost && closed === undefined && !isUnused) return;
    if (record && closed === undefined) await close(runId, lost ? lostWords : oldWords);
    await this.remove(runId, lost || (closed !== undefined && closed !== oldWords));
  }

  async #lastUse(runId: string): Promise<number> {
    const kind = await stat(join(this.#folder(runId), recordFile)).catch(() => undefined);
    return kind?.mtimeMs ?? 0;
  }

  async #needed(): Promise<Git> {
    const git = await this.#git();
    if (!git) throw new Error('git was not found.');
    return git;
  }

  /** In one piece, whenever it is read. */
  async #write(runId: string, worktree: Worktree): Promise<void> {
    const place = join(this.#folder(runId), recordFile);
    await writeFile(`${place}.new`, JSON.stringify(worktree), { mode: 0o600 });
    await rename(`${place}.new`, place);
  }

  async #read(runId: string): Promise<Worktree | undefined> {
    const text = await readFile(join(this.#folder(runId), recordFile), 'utf8').catch(() => undefined);
    return text === undefined ? undefined : worktreeSchema.parse(JSON.parse(text));
  }

  #folder(runId: string): string {
    if (!runIdPattern.test(runId)) throw new Error(`Not a run id: ${JSON.stringify(runId)}`);
    return join(this.#root, runId);
  }
}

const nameOf = (runId: string) => `sallyport-${runId.replaceAll('-', '').slice(0, 12)}`;

const lostWords =
  'That run ended with the process that ran it, and its worktree was removed. Delegate the task anew to have it done.';
const oldWords =
  'The worktree of that session was not used for 7 days and was removed; its branch, if it left one, is still there. Delegate anew to go on.';
