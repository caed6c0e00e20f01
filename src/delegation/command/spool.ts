import { closeSync, createReadStream, openSync, unlinkSync, writeSync } from 'node:fs';

/** Colours and cursor movements of terminals (ECMA-48, control sequences and operating system commands). */
const terminalControl = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g;
/** Lines are written together, since each write costs a call. In characters. */
const batchChars = 256 * 1024;

const pieceBytes = 64 * 1024;

/**
 * Takes the lines of a command to the disk, as text without terminal controls, and holds next to nothing of them. It writes
 * at once and not later: a disk that is slower than the command slows the command down. The file has no name, so nothing of
 * it is left, whoever dies: secrets are still in it.
 */
export class Spool {
  readonly #fd: number;
  #batch: string[] = [];
  #chars = 0;
  #problem: string | undefined;

  /** `file` must not be there; its folder must. */
  constructor(file: string) {
    this.#fd = openSync(file, 'wx+', 0o600);
    unlinkSync(file);
  }

  /** A carriage return within a line, as progress bars print them, begins a new one. */
  write(line: string): void {
    const text = `${line.replace(terminalControl, '').replaceAll('\r', '\n')}\n`;
    this.#batch.push(text);
    this.#chars += text.length;
    if (this.#chars >= batchChars) this.#flush();
  }

  /** After the last line. Returns why something could not be written, if that was so. */
  end(): string | undefined {
    this.#flush();
    return this.#problem;
  }

  /** What was written, in pieces of whole characters. */
  async *read(): AsyncGenerator<string> {
    const options = { fd: this.#fd, start: 0, autoClose: false, encoding: 'utf8', highWaterMark: pieceBytes } as const;
    for await (const piece of createReadStream('', options)) yield String(piece);
  }

  close(): void {
    closeSync(this.#fd);
  }

  #flush(): void {
    const bytes = Buffer.from(this.#batch.join(''));
    this.#batch = [];
    this.#chars = 0;
    if (this.#problem !== undefined) return;
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(this.#fd, bytes, at);
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
  }
}
