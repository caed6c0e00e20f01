import type { Exit, startWorker, Worker, WorkerHandlers, WorkerSpec } from '../../../src/process/spawn.ts';
import type { FakeLine } from './engine.ts';

/** One started worker, under the test's control. */
export class FakeWorker implements Worker {
  readonly pid = 4711;
  readonly spec: WorkerSpec;
  readonly written: string[] = [];
  inputEnded = false;
  stops = 0;
  over = false;
  /** How many processes it leaves running. */
  survivors = 0;
  readonly #handlers: WorkerHandlers;
  readonly #exit = Promise.withResolvers<Exit>();
  readonly ended = this.#exit.promise;
  readonly swept = this.#exit.promise.then(() => this.survivors);

  constructor(spec: WorkerSpec, handlers: WorkerHandlers) {
    this.spec = spec;
    this.#handlers = handlers;
  }

  write(line: string): void {
    this.written.push(line);
  }

  endInput(): void {
    this.inputEnded = true;
  }

  /** As the real one: the tree is gone when it resolves. */
  stop(interrupt?: () => void): Promise<void> {
    this.stops++;
    interrupt?.();
    this.exit({ signal: 'SIGKILL' });
    return this.swept.then(() => undefined);
  }

  says(...lines: FakeLine[]): void {
    for (const line of lines) this.#handlers.onLine(JSON.stringify(line), false);
  }

  /** For what is no CLI: lines as they are. */
  prints(...lines: string[]): void {
    for (const line of lines) this.#handlers.onLine(line, false);
  }

  floods(): void {
    this.#handlers.onFlood();
  }

  exit(how: Partial<Exit> = {}): void {
    this.over = true;
    this.#exit.resolve({ code: null, signal: null, stderrTail: '', startFailed: false, ...how });
  }

  /** Says the answer and leaves. */
  answers(text: string): void {
    this.says({ outcome: { status: 'completed', text } });
    this.exit({ code: 0 });
  }
}

/** Stands in for the process room: every started worker is kept, and `next` waits for one. */
export class FakeWorkers {
  readonly all: FakeWorker[] = [];
  readonly #arrivals: ((worker: FakeWorker) => void)[] = [];
  #taken = 0;

  readonly start: typeof startWorker = (spec, handlers) => {
    const worker = new FakeWorker(spec, handlers);
    this.all.push(worker);
    this.#arrivals.shift()?.(worker);
    return worker;
  };

  /** The next worker in the order of their start, as soon as there is one. */
  async next(): Promise<FakeWorker> {
    const index = this.#taken++;
    const there = this.all[index];
    return there ?? new Promise((resolve) => this.#arrivals.push(resolve));
  }
}
