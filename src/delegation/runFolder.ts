import { access, constants, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pidExists } from '../base/pidExists.ts';
import { logName, type LogPage, readPage } from './command/logFile.ts';
import { type Snapshot, snapshotSchema } from '../protocol/model.ts';

/** The private folder (0700) a run keeps its things in. Everything in it but `scratch` outlives the run. */
export interface RunFolder {
  /** Absolute. Prompt files and the like; removed when the run ends. */
  scratch: string;
  /** Absolute. Git objects of the workspace's states before and after the run. */
  objects: string;
}

/** Which of a run's two states of the workspace. */
export type SnapshotTime = 'before' | 'after';

const runIdPattern = /^[A-Za-z0-9-]{8,64}$/;
/** The least that must fit into a run's folder: prompts, and what a CLI writes on the way. */
const roomBytes = 64 * 1024;
/** Begins the name of a folder in the temporary one; its process's number follows. */
const temporaryName = 'sallyport-run-';
const dayMs = 86_400_000;
/** So many results that the disk did not take are held, the newest. Each is an answer, hence some kilobytes. */
const maxHeld = 100;

/**
 * The folders of all runs, below one root. Run ids are checked, so no id reaches outside it. Where the root cannot be written,
 * what a run needs is below the temporary folder, and its result in memory, until `dispose`.
 */
export class RunFolders {
  readonly #root: string;
  /** The folders of runs that got none below the root, and why not. */
  readonly #elsewhere = new Map<string, { folder: string; why: unknown }>();
  /** Results that the disk did not take. */
  readonly #held = new Map<string, string>();

  constructor(root: string) {
    this.#root = root;
  }

  async create(runId: string): Promise<RunFolder> {
    try {
      return await makeIn(this.#folder(runId));
    } catch (error) {
      // What making several folders at once fails with is not always the cause.
      const why: unknown = await access(this.#root, constants.W_OK).then(
        () => error,
        (cause: unknown) => cause,
      );
      const folder = await mkdtemp(join(tmpdir(), `${temporaryName}${process.pid}-`));
      this.#elsewhere.set(runId, { folder, why });
      return makeIn(folder);
    }
  }

  /** Rejects when the disk does not take it. It can be read as long as this lives even then. */
  async keepResult(runId: string, text: string): Promise<void> {
    try {
      // One that leads others has no worker, and so no folder yet.
      await mkdir(this.#folder(runId), { recursive: true, mode: 0o700 });
      await writeFile(join(this.#folder(runId), 'result.md'), text, { mode: 0o600 });
    } catch (error) {
      this.#hold(runId, text);
      throw error;
    }
    const elsewhere = this.#elsewhere.get(runId);
    if (elsewhere) throw elsewhere.why;
  }

  async readResult(runId: string): Promise<string | undefined> {
    return this.#held.get(runId) ?? this.#read(runId, 'result.md');
  }

  /** Keeps what came back of a worktree, and returns its absolute path. */
  async keepPatch(runId: string, patch: Buffer): Promise<string> {
    const place = join(this.#folder(runId), 'changes.patch');
    await writeFile(place, patch, { mode: 0o600 });
    return place;
  }

  /** Keeps what was asked, redacted, so that it can be asked again. */
  async keepPrompt(runId: string, prompt: string): Promise<void> {
    await mkdir(this.#folder(runId), { recursive: true, mode: 0o700 });
    await writeFile(join(this.#folder(runId), 'prompt.md'), prompt, { mode: 0o600 });
  }

  async readPrompt(runId: string): Promise<string | undefined> {
    return this.#read(runId, 'prompt.md');
  }

  /** Absolute. Of the steps of a run; see `transcript.ts`. */
  transcriptFile(runId: string): string {
    return join(this.#folder(runId), 'transcript.jsonl');
  }

  /** Absolute. Of what was in the files of a run before its changes were taken back; see `revert.ts`. */
  revertsFolder(runId: string): string {
    return join(this.#folder(runId), 'reverts');
  }

  /** Keeps a state of the workspace: that before the run, or that after it. */
  async keepSnapshot(runId: string, when: SnapshotTime, snapshot: Snapshot): Promise<void> {
    await writeFile(join(this.#folder(runId), `${when}.json`), JSON.stringify(snapshot), { mode: 0o600 });
  }

  async readSnapshot(runId: string, when: SnapshotTime): Promise<Snapshot | undefined> {
    const text = await this.#read(runId, `${when}.json`);
    return text === undefined ? undefined : snapshotSchema.parse(JSON.parse(text));
  }

  /** For a run that changed nothing: what git keeps of large untracked files is large. */
  async dropSnapshots(runId: string): Promise<void> {
    for (const name of ['before.json', 'after.json', 'objects']) {
      await rm(join(this.#folder(runId), name), { recursive: true, force: true });
    }
  }

  /** Makes the folder (0700) of a command's output, and returns its absolute path. */
  async logFolder(runId: string): Promise<string> {
    const folder = join(this.#folder(runId), 'log');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  /** A page (see `readPage`) of the whole output of a command, or undefined when none is kept. */
  async readLog(runId: string, page: number, bytes: number): Promise<LogPage | undefined> {
    if (!runIdPattern.test(runId)) return undefined;
    return ifThere(readPage(join(this.#folder(runId), 'log', logName), page, bytes));
  }

  async clearScratch(runId: string): Promise<void> {
    await rm(join(this.#folder(runId), 'scratch'), { recursive: true, force: true });
  }

  /**
   * Deletes the folders of runs that ended more than `days.result` days before `now` (ms since the epoch), and the much
   * larger states of the workspace before and after a run and output of a command after `days.snapshot` days.
   */
  async prune(days: { result: number; snapshot: number }, now: number): Promise<void> {
    for (const name of await readdir(this.#root)) {
      if (!runIdPattern.test(name)) continue;
      const folder = join(this.#root, name);
      const { mtimeMs } = await stat(folder);
      const age = (now - mtimeMs) / dayMs;
      if (age > days.result) await rm(folder, { recursive: true, force: true });
      else if (age > days.snapshot) {
        await this.dropSnapshots(name);
        await rm(join(folder, 'log'), { recursive: true, force: true });
      }
    }
  }

  /** Removes what is only for the life of this process. */
  async dispose(): Promise<void> {
    for (const { folder } of this.#elsewhere.values()) await rm(folder, { recursive: true, force: true });
    this.#elsewhere.clear();
    this.#held.clear();
  }

  /** Removes what processes that were killed left in the temporary folder, a day later. */
  async sweepTemporary(now: number): Promise<void> {
    for (const name of await readdir(tmpdir())) {
      const pid = name.startsWith(temporaryName) ? Number.parseInt(name.slice(temporaryName.length), 10) : Number.NaN;
      if (Number.isNaN(pid) || pidExists(pid)) continue;
      const folder = join(tmpdir(), name);
      const { mtimeMs, uid } = await stat(folder);
      if (now - mtimeMs > dayMs && uid === process.getuid?.()) await rm(folder, { recursive: true, force: true });
    }
  }

  #folder(runId: string): string {
    if (!runIdPattern.test(runId)) throw new Error(`Not a run id: ${JSON.stringify(runId)}`);
    return this.#elsewhere.get(runId)?.folder ?? join(this.#root, runId);
  }

  #hold(runId: string, text: string): void {
    this.#held.set(runId, text);
    const [oldest] = this.#held.keys();
    if (this.#held.size > maxHeld && oldest !== undefined) this.#held.delete(oldest);
  }

  async #read(runId: string, name: string): Promise<string | undefined> {
    if (!runIdPattern.test(runId)) return undefined;
    return ifThere(readFile(join(this.#folder(runId), name), 'utf8'));
  }
}

async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Rejects when it cannot be made, or has no room. */
async function makeIn(folder: string): Promise<RunFolder> {
  const made = { scratch: join(folder, 'scratch'), objects: join(folder, 'objects') };
  await mkdir(made.scratch, { recursive: true, mode: 0o700 });
  const trial = join(made.scratch, 'trial');
  try {
    await writeFile(trial, Buffer.alloc(roomBytes));
  } finally {
    await rm(trial, { force: true });
  }
  return made;
}
