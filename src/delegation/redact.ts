import { Worker } from 'node:worker_threads';
import { type Clock, systemClock } from '../base/clock.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import { reloadAdvice } from '../base/ownFiles.ts';
import { openRedactionStream, type RedactionStream } from './redactionStream.ts';
import { findSecrets } from './secrets/find.ts';
import { type KnownSecrets, prepareKnown } from './secrets/known.ts';
import { mergeSpans, type Redacted, replaceSpans } from './secrets/span.ts';

export type { Redacted } from './secrets/span.ts';

export interface RedactorOptions {
  /** Absolute path of the thread's script: `redactWorker.cjs` beside a bundle, `redactWorker.ts` from source. */
  workerFile: string;
  /**
   * Values that must never come back, whatever they look like (see `secretsOf`), as they are now; at least 8 characters
   * each. One that is gone stays a secret: a worker may still have it.
   */
  known(): readonly string[];
  clock?: Clock;
  /** How long one text may take, in milliseconds. */
  timeoutMs?: number;
  /** How long the thread is kept for the next text, in milliseconds. */
  idleMs?: number;
}

/** Takes secrets out of what workers wrote. */
export interface Redactor extends Disposable {
  /**
   * Redacts with every rule, in a thread of its own. Rejects with `RedactionFailed` when the text could not be looked at
   * (then it must not be passed on), and with the signal's reason when aborted.
   */
  redact(text: string, signal?: AbortSignal): Promise<Redacted>;
  /** Starts the thread if there is none, so that a text that is about to come need not wait for that. */
  wake(): void;
  /** Keeps the thread from ending when idle: its file may be gone when it is wanted again, with an update. */
  keep(): Disposable;
  /** Redacts a short text at once: own rules and known values only, without secretlint. */
  quick(text: string): string;
  /** Redacts a text that arrives in pieces, as `quick` does. */
  stream(): RedactionStream;
}

/** A text was not looked at. The message says so to people, and what to do; it quotes nothing of the text. */
export class RedactionFailed extends Error {
  constructor(what: string, next = 'Try again; if it happens again, it is a fault of Sallyport worth reporting.') {
    super(`${what}, so the text was held back: it may hold secrets. ${next}`);
    this.name = 'RedactionFailed';
  }
}

/** Creates a redactor. The thread starts with the first text and ends when idle or disposed. */
export function createRedactor(options: RedactorOptions): Redactor {
  return new ThreadRedactor(options);
}

interface Job {
  text: string;
  settle: (outcome: Redacted | Error) => void;
}

class ThreadRedactor implements Redactor {
  readonly #workerFile: string;
  readonly #readKnown: () => readonly string[];
  readonly #values = new Set<string>();
  #known = prepareKnown([]);
  /** How many of the values the thread has been told of. */
  #told = 0;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #idleMs: number;
  readonly #queue: Job[] = [];
  #current: Job | undefined;
  #worker: Worker | undefined;
  #timer: Disposable | undefined;
  #keepers = 0;
  #disposed = false;

  constructor(options: RedactorOptions) {
    this.#workerFile = options.workerFile;
    this.#readKnown = () => options.known();
    this.#clock = options.clock ?? systemClock;
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#idleMs = options.idleMs ?? 60_000;
  }

  quick(text: string): string {
    return replaceSpans(text, mergeSpans(findSecrets(text, this.#knownNow()))).text;
  }

  stream(): RedactionStream {
    return openRedactionStream(this.#knownNow());
  }

  #knownNow(): KnownSecrets {
    const before = this.#values.size;
    for (const value of this.#readKnown()) this.#values.add(value);
    if (this.#values.size > before) this.#known = prepareKnown([...this.#values]);
    return this.#known;
  }

  wake(): void {
    if (this.#current || this.#disposed) return;
    this.#worker ??= this.#startWorker();
    this.#rest();
  }

  keep(): Disposable {
    this.#keepers += 1;
    return toDisposable(() => {
      this.#keepers -= 1;
      if (this.#keepers === 0 && !this.#current && !this.#disposed) this.#rest();
    });
  }

  redact(text: string, signal?: AbortSignal): Promise<Redacted> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.#disposed) throw new RedactionFailed('Sallyport is shutting down');
      const onAbort = () => this.#abandon(job, signal);
      const job: Job = {
        text,
        settle: (outcome) => {
          signal?.removeEventListener('abort', onAbort);
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#queue.push(job);
      this.#next();
    });
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    for (const job of this.#queue.splice(0)) job.settle(new RedactionFailed('Sallyport is shutting down'));
    this.#endWorker(new RedactionFailed('Sallyport is shutting down'));
  }

  #next(): void {
    if (this.#current || this.#disposed) return;
    const job = this.#queue.shift();
    if (!job) {
      this.#rest();
      return;
    }
    this.#current = job;
    this.#timer?.dispose();
    this.#timer = this.#clock.after(this.#timeoutMs, () =>
      this.#endWorker(new RedactionFailed('Looking for secrets took too long')),
    );
    this.#worker ??= this.#startWorker();
    this.#worker.ref();
    this.#knownNow();
    if (this.#told < this.#values.size) this.#worker.postMessage([...this.#values]);
    this.#told = this.#values.size;
    this.#worker.postMessage(job.text);
  }

  #rest(): void {
    this.#worker?.unref();
    this.#timer?.dispose();
    if (this.#keepers > 0) return;
    this.#timer = this.#clock.after(this.#idleMs, () => this.#endWorker(undefined));
  }

  #startWorker(): Worker {
    this.#knownNow();
    this.#told = this.#values.size;
    const worker = new Worker(this.#workerFile, {
      workerData: [...this.#values],
      // The thread needs none of it, and a debug variable would make the linter print texts.
      env: {},
      execArgv: [],
      // Standard output may carry a protocol.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    const fail = (what: string, next?: string) => {
      if (this.#worker === worker) this.#endWorker(new RedactionFailed(what, next));
    };
    worker.on('message', (reply: unknown) => {
      if (this.#worker !== worker) return;
      if (isRedacted(reply)) this.#finish(reply);
      else fail('The search for secrets gave no usable answer');
    });
    worker.on('error', (error) => {
      const name = nameOf(error);
      fail(`The search for secrets failed (${name})`, name === 'MODULE_NOT_FOUND' ? reloadAdvice.either : undefined);
    });
    worker.on('exit', () => fail('The search for secrets stopped'));
    return worker;
  }

  /** Ends the thread, and with it what it is at work on. The next text gets a new one. */
  #endWorker(failure: Error | undefined): void {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#timer?.dispose();
    void worker?.terminate();
    if (failure) this.#finish(failure);
  }

  #finish(outcome: Redacted | Error): void {
    const job = this.#current;
    this.#current = undefined;
    job?.settle(outcome);
    this.#next();
  }

  #abandon(job: Job, signal: AbortSignal | undefined): void {
    const reason: unknown = signal?.reason;
    const error = reason instanceof Error ? reason : new Error('Cancelled.', { cause: reason });
    if (this.#current === job) {
      this.#endWorker(error);
      return;
    }
    this.#queue.splice(this.#queue.indexOf(job), 1);
    job.settle(error);
  }
}

/** The error's code or name. Its message might quote the text. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function isRedacted(reply: unknown): reply is Redacted {
  return (
    typeof reply === 'object' &&
    reply !== null &&
    'text' in reply &&
    typeof reply.text === 'string' &&
    'found' in reply &&
    Array.isArray(reply.found)
  );
}
