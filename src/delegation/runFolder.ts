import { mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
/** The folders of all runs, below one root. Run ids are checked, so no id reaches outside it. */
export class RunFolders {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async create(runId: string): Promise<RunFolder> {
    const folder = this.#folder(runId);
    const made = { scratch: join(folder, 'scratch'), objects: join(folder, 'objects') };
    await mkdir(made.scratch, { recursive: true, mode: 0o700 });
    return made;
  }

  async keepResult(runId: string, text: string): Promise<void> {
    // One that leads others has no worker, and so no folder yet.
    await mkdir(this.#folder(runId), { recursive: true, mode: 0o700 });
    await writeFile(join(this.#folder(runId), 'result.md'), text, { mode: 0o600 });
  }

  async readResult(runId: string): Promise<string | undefined> {
    return this.#read(runId, 'result.md');
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
      const age = (now - mtimeMs) / 86_400_000;
      if (age > days.result) await rm(folder, { recursive: true, force: true });
      else if (age > days.snapshot) {
        await this.dropSnapshots(name);
        await rm(join(folder, 'log'), { recursive: true, force: true });
      }
    }
  }

  #folder(runId: string): string {
    if (!runIdPattern.test(runId)) throw new Error(`Not a run id: ${JSON.stringify(runId)}`);
    return join(this.#root, runId);
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
