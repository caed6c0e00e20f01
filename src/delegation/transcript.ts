import { appendFile, readFile, rename, stat } from 'node:fs/promises';
import type { RunEvent } from '../protocol/model.ts';
import { transcriptPart, transcriptStep, type TranscriptStep } from '../protocol/transcript.ts';

/** Past this many bytes the older half goes. */
const maxFileBytes = 512 * 1024;
/** Where the disk is slower than the worker, what is past this many steps is dropped. */
const maxWaiting = 2_000;

/** Writes the steps of a run to a file, as they come, so that they are there whatever becomes of this process. */
export class TranscriptWriter {
  readonly #file: string;
  readonly #onError: (why: unknown) => void;
  #waiting: string[] = [];
  #writing: Promise<void> | undefined;
  #parts = 0;

  /** @param file Absolute; its folder is made by somebody else. `onError` hears of a disk that fails. */
  constructor(file: string, onError: (why: unknown) => void) {
    this.#file = file;
    this.#onError = onError;
  }

  /** `event` must be redacted already. */
  add(event: RunEvent, now: number): void {
    const step = transcriptStep.safeParse({ ...event, at: now });
    if (!step.success || this.#waiting.length >= maxWaiting) return;
    this.#waiting.push(`${JSON.stringify(step.data)}\n`);
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when all that was added is written. Never rejects. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const lines = this.#waiting.splice(0).join('');
        await appendFile(this.#file, lines, { mode: 0o600 });
        if ((await stat(this.#file)).size > maxFileBytes) await this.#beginPart();
      }
    } catch (error) {
      this.#onError(error);
    } finally {
      this.#writing = undefined;
    }
  }

  async #beginPart(): Promise<void> {
    await rename(this.#file, olderOf(this.#file));
    this.#parts += 1;
    this.#waiting.unshift(`${JSON.stringify({ part: this.#parts })}\n`);
  }
}

const olderOf = (file: string) => `${file}.older`;

/** What is kept of a run's steps, in order. `isWhole` is false when earlier ones were dropped. */
export interface Transcript {
  steps: TranscriptStep[];
  isWhole: boolean;
}

/** Undefined where none is kept. */
export async function readTranscript(file: string): Promise<Transcript | undefined> {
  const read = (path: string) => readFile(path, 'utf8').catch(() => undefined);
  const [older, newer] = [await read(olderOf(file)), await read(file)];
  if (older === undefined && newer === undefined) return undefined;
  const values = `${older ?? ''}${newer ?? ''}`.split('\n').map(valueOf);
  const steps = values.flatMap((value) => transcriptStep.safeParse(value).data ?? []);
  return { steps, isWhole: !transcriptPart.safeParse(values[0]).success };
}

/** A line that was cut when its process died costs that line only. */
function valueOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
