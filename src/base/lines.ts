import { StringDecoder } from 'node:string_decoder';

/** One line without its line end. `cut`: it was longer than the cap and its rest was dropped. */
export interface Line {
  text: string;
  cut: boolean;
}

const defaultCapBytes = 8 * 1024 * 1024;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const firstHeldBytes = 4096;

/**
 * Turns bytes into UTF-8 lines ended by `\n` or `\r\n`. Invalid UTF-8 becomes U+FFFD. A line longer than `capBytes` is
 * delivered once, cut at a whole character; what is past the cap is never held, so an endless line costs `capBytes` of
 * memory and what follows it is intact.
 */
export class LineSplitter {
  readonly #capBytes: number;
  /** The start of an unfinished line. One byte longer than the cap, so that a `\r` on the edge is told from content. */
  #held = Buffer.alloc(0);
  /** Bytes of the unfinished line that came, held or dropped. */
  #size = 0;

  constructor(capBytes = defaultCapBytes) {
    this.#capBytes = capBytes;
  }

  /** The lines that `chunk` completed, in order. Keeps no reference to `chunk`. */
  push(chunk: Uint8Array): Line[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: Line[] = [];
    let from = 0;
    for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, from)) {
      const part = bytes.subarray(from, at);
      if (this.#size === 0) {
        lines.push(this.#line(part, part.length));
      } else {
        this.#hold(part);
        lines.push(this.#takeHeld());
      }
      from = at + 1;
    }
    this.#hold(bytes.subarray(from));
    return lines;
  }

  /** The last line, when the bytes did not end with a line end. */
  end(): Line[] {
    return this.#size === 0 ? [] : [this.#takeHeld()];
  }

  #hold(part: Buffer): void {
    const start = Math.min(this.#size, this.#capBytes + 1);
    const kept = part.subarray(0, this.#capBytes + 1 - start);
    this.#grow(start + kept.length, start);
    kept.copy(this.#held, start);
    this.#size += part.length;
  }

  /** Doubles, so that a long line that comes in small pieces is copied few times. */
  #grow(needed: number, used: number): void {
    if (needed <= this.#held.length) return;
    const doubled = Math.max(needed, this.#held.length * 2, firstHeldBytes);
    const larger = Buffer.allocUnsafeSlow(Math.min(doubled, this.#capBytes + 1));
    this.#held.copy(larger, 0, 0, used);
    this.#held = larger;
  }

  #takeHeld(): Line {
    const line = this.#line(this.#held.subarray(0, Math.min(this.#size, this.#capBytes + 1)), this.#size);
    this.#held = Buffer.alloc(0);
    this.#size = 0;
    return line;
  }

  /** `start` is the line or its first part; `size` the bytes it had in all. */
  #line(start: Buffer, size: number): Line {
    const endsInReturn = start.length === size && start.at(-1) === carriageReturn;
    const content = endsInReturn ? start.subarray(0, -1) : start;
    if (content.length <= this.#capBytes) return { text: content.toString('utf8'), cut: false };
    // The decoder keeps back a character that the cap cut in two.
    return { text: new StringDecoder('utf8').write(content.subarray(0, this.#capBytes)), cut: true };
  }
}
