import type { ReadStream, WriteStream } from 'node:tty';
import { cellsOf, firstCells, wrap } from './text.ts';

const maxTranscript = 3000;
const clearAll = '\u001b[2J\u001b[3J\u001b[H';
const hideCursor = '\u001b[?25l';
const showCursor = '\u001b[?25h';

/** How rows look, by what they are: dimmed frames and lines below, bright marks. */
const paints: readonly (readonly [pattern: RegExp, code: string])[] = [
  [/^ ?[─▄▀┌└╭╰]{4}|^ {2}.* · |^ {2}→ (?:Plan, search|Add a follow)|ctrl\+r to review/, '2'],
  [/^ *(?:│ *)?[→›▶] /, '36'],
  [/^.{0,3}(?:Run|Write|Delete|Allow|Switch) .*\?$|Trust Required/, '1'],
];

/** Draws on a real terminal: a transcript that scrolls, and below it what changes in place. */
export class Terminal {
  readonly #input: ReadStream;
  readonly #output: WriteStream;
  readonly #live: (width: number) => string[];
  #transcript: string[] = [];
  #drawn = 0;

  /** `live`: the rows at the bottom for a width. Takes the terminal over; `keys` gets what it sends. */
  constructor(
    input: ReadStream,
    output: WriteStream,
    live: (width: number) => string[],
    keys: (chunk: Buffer) => void,
  ) {
    this.#input = input;
    this.#output = output;
    this.#live = live;
    input.setRawMode(true);
    input.on('data', keys);
    output.on('resize', () => this.#drawAll());
    output.write(hideCursor);
  }

  /** Adds rows to the transcript and draws everything that changed. */
  draw(added: readonly string[] = [], whenWritten?: () => void): void {
    this.#transcript = [...this.#transcript, ...added].slice(-maxTranscript);
    const { columns, rows } = this.#output;
    const live = this.#live(columns);
    if (live.length >= rows || this.#drawn >= rows) this.#drawAll(whenWritten);
    else {
      const up = this.#drawn > 1 ? `\u001b[${this.#drawn - 1}A` : '';
      const above = added.flatMap((text) => wrap(text, columns)).map(paint);
      this.#write(`${up}\r\u001b[J${[...above, ...live.map(fit(columns))].join('\r\n')}`, live.length, whenWritten);
    }
  }

  /** As after `/clear`. */
  clear(): void {
    this.#transcript = [];
    this.#drawAll();
  }

  /** Gives the terminal back, what is on the screen left as it is. */
  restore(): void {
    this.#input.setRawMode(false);
    this.#input.pause();
    this.#output.write(`${showCursor}\r\n`);
  }

  #drawAll(whenWritten?: () => void): void {
    const { columns, rows } = this.#output;
    const live = this.#live(columns);
    const room = Math.max(0, rows - live.length);
    const above = room === 0 ? [] : this.#transcript.flatMap((text) => wrap(text, columns)).slice(-room);
    const all = [...above.map(paint), ...live.map(fit(columns))];
    this.#write(clearAll + all.join('\r\n'), live.length, whenWritten);
  }

  #write(text: string, height: number, whenWritten: (() => void) | undefined): void {
    this.#drawn = height;
    this.#output.write(text, () => whenWritten?.());
  }
}

function fit(columns: number): (row: string) => string {
  return (row) => paint(cellsOf(row) > columns ? firstCells(row, columns) : row);
}

function paint(row: string): string {
  const code = paints.find(([pattern]) => pattern.test(row))?.[1];
  return code === undefined ? row : `\u001b[${code}m${row}\u001b[0m`;
}
