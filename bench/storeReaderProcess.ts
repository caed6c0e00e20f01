import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Sighting, Usage } from './storeReader.ts';

const program = fileURLToPath(new URL('storeReader.ts', import.meta.url));
const patienceMs = 60_000;

/** A process that reads chats, as it is seen from outside. */
export class StoreReaderProcess {
  readonly #child: ChildProcess;
  readonly #seen = new Map<string, number>();
  #onLine: () => void = () => undefined;
  #usage: Usage | undefined;

  private constructor(child: ChildProcess, lines: AsyncIterable<string>) {
    this.#child = child;
    void this.#follow(lines);
  }

  /** Resolves once it runs. */
  static async start(mode: 'watch' | 'scan' | 'rest', place = ''): Promise<StoreReaderProcess> {
    const child = spawn(process.execPath, [program, mode, place], { stdio: ['pipe', 'pipe', 'inherit'] });
    const reader = new StoreReaderProcess(child, createInterface({ input: child.stdout }));
    await reader.#until(() => reader.#usage);
    return reader;
  }

  /** When it saw this call, in milliseconds since the epoch. */
  seenAt(id: string): Promise<number> {
    return this.#until(() => this.#seen.get(id));
  }

  async usage(): Promise<Usage> {
    this.#usage = undefined;
    this.#child.stdin?.write('\n');
    return await this.#until(() => this.#usage);
  }

  async end(): Promise<void> {
    const gone = once(this.#child, 'close');
    this.#child.stdin?.end();
    await gone;
  }

  async #follow(lines: AsyncIterable<string>): Promise<void> {
    for await (const line of lines) {
      const said = JSON.parse(line) as Usage | Sighting;
      if ('id' in said) this.#seen.set(said.id, said.atMs);
      else this.#usage = said;
      this.#onLine();
    }
  }

  async #until<T>(find: () => T | undefined): Promise<T> {
    const deadline = setTimeout(() => this.#child.kill('SIGKILL'), patienceMs);
    try {
      for (let found = find(); ; found = find()) {
        if (found !== undefined) return found;
        if (this.#child.killed) throw new Error('the reader did not see what it was to see');
        await new Promise<void>((resolve) => (this.#onLine = resolve));
      }
    } finally {
      clearTimeout(deadline);
    }
  }
}
