/** Where the bytes of a database come from, page by page; page 1 is the first. The result is good until the next call. */
export type ReadPage = (page: number) => Uint8Array;

/**
 * A database as sql.js takes it, filled only where it looks. sql.js keeps what `slice` returns as its file's content and
 * reads it by `subarray` alone, copying the result at once; that is not promised anywhere, so a test pins it.
 */
export class LazyBytes implements ArrayLike<number> {
  readonly [index: number]: number;
  readonly length: number;
  /** sql.js compares this with its own memory to see whether it owns the bytes. */
  readonly buffer = new ArrayBuffer(0);
  readonly #pageSize: number;
  readonly #readPage: ReadPage;

  constructor(pageCount: number, pageSize: number, readPage: ReadPage) {
    this.length = pageCount * pageSize;
    this.#pageSize = pageSize;
    this.#readPage = readPage;
  }

  slice(): this {
    return this;
  }

  subarray(from: number, to: number): Uint8Array {
    const first = Math.floor(from / this.#pageSize);
    const start = first * this.#pageSize;
    if (to <= start + this.#pageSize) return this.#readPage(first + 1).subarray(from - start, to - start);
    const bytes = new Uint8Array(to - from);
    for (let at = from; at < to;) {
      const page = Math.floor(at / this.#pageSize);
      const end = Math.min(to, (page + 1) * this.#pageSize);
      const begin = page * this.#pageSize;
      bytes.set(this.#readPage(page + 1).subarray(at - begin, end - begin), at - from);
      at = end;
    }
    return bytes;
  }
}
