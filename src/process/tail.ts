/** Keeps the last bytes of a stream, as text that starts at a whole character. */
export class Tail {
  readonly #maxBytes: number;
  #bytes = Buffer.alloc(0);
  #dropped = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): void {
    const all = Buffer.concat([this.#bytes, chunk.subarray(-this.#maxBytes)]);
    this.#dropped ||= this.#bytes.length + chunk.length > this.#maxBytes;
    this.#bytes = all.subarray(-this.#maxBytes);
  }

  text(): string {
    // A UTF-8 character has at most three continuation bytes (10xxxxxx) after its first.
    let start = 0;
    while (this.#dropped && start < 3 && ((this.#bytes[start] ?? 0) & 0xc0) === 0x80) start++;
    return this.#bytes.subarray(start).toString('utf8');
  }
}
