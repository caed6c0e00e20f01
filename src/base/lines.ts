import { StringDecoder } from 'node:string_decoder';

/** One line without its line end. `cut`: it was longer than the cap and its rest was dropped. */
export interface Line {
  text: string;
  cut: boolean;
}

const defaultCapBytes = 8 * 1024 * 1024;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/** What is decoded at a time. */
const pieceBytes = 64 * 1024;

/**
 * Turns bytes into UTF-8 lines ended by `\n` or `\r\n`. Invalid UTF-8 becomes U+FFFD. A line longer than `capBytes` is
 * delivered once, cut at a whole character; what is past the cap is never held, so an endless line costs `capBytes` of
 * memory and what follows it is intact.
 */
export class LineSplitter {
  readonly #capBytes: number;
  /** Of the unfinished line: what is decoded, in pieces, so that a long line is not held twice on its way. */
  #pieces: string[] = [];
  #decoder = new StringDecoder('utf8');
  /** Gathers what is not decoded yet, so that a line that comes byte by byte costs no more than another. */
  readonly #piece = Buffer.alloc(pieceBytes);
  #pieceSize = 0;
  /** Bytes of the unfinished line that came, held or dropped. */
  #size = 0;
  /** The first byte past the cap: still the whole line if it is the `\r` of the line end. */
  #edge: number | undefined;

  constructor(capBytes = defaultCapBytes) {
    this.#capBytes = capBytes;
  }

  /** The lines that `chunk` completed, in order. Keeps no reference to `chunk`. */
  push(chunk: Uint8Array): Line[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: Line[] = [];
    let from = 0;
    for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, from)) {
      this.#hold(bytes.subarray(from, at));
      lines.push(this.#take());
      from = at + 1;
    }
    this.#hold(bytes.subarray(from));
    return lines;
  }

  /** The last line, when the bytes did not end with a line end. */
  end(): Line[] {
    return this.#size === 0 ? [] : [this.#take()];
  }

  #hold(part: Buffer): void {
    const room = Math.max(0, this.#capBytes - this.#size);
    const kept = part.subarray(0, room);
    if (this.#size <= this.#capBytes) this.#edge = part[room];
    this.#size += part.length;
    for (let from = 0; from < kept.length;) {
      const copied = kept.copy(this.#piece, this.#pieceSize, from);
      this.#pieceSize += copied;
      from += copied;
      if (this.#pieceSize === pieceBytes) this.#decodePiece();
    }
  }

  #decodePiece(): void {
    this.#pieces.push(this.#decoder.write(this.#piece.subarray(0, this.#pieceSize)));
    this.#pieceSize = 0;
  }

  #take(): Line {
    this.#decodePiece();
    const endsInEdge = this.#size === this.#capBytes + 1 && this.#edge === carriageReturn;
    const cut = this.#size > this.#capBytes && !endsInEdge;
    // What the decoder still has is the beginning of a character: of one that was cut in two, or invalid.
    const rest = this.#decoder.end();
    const text = this.#pieces.join('') + (cut ? '' : rest);
    const endsInReturn = !cut && !endsInEdge && text.endsWith('\r');
    this.#pieces = [];
    this.#size = 0;
    this.#edge = undefined;
    return { text: endsInReturn ? text.slice(0, -1) : text, cut };
  }
}
