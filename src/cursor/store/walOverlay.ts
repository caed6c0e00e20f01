/** What the 32 bytes at the start of a write-ahead log say (SQLite, "The Write-Ahead Log": WAL file format). */
export interface WalHeader {
  pageSize: number;
  /** Words of the checksums are big-endian; else little-endian. */
  bigEndian: boolean;
  /** The eight salt bytes that every frame of this generation of the log repeats. */
  salt: readonly [number, number];
  /** The header's own checksum, from which that of the first frame goes on. */
  checksum: readonly [number, number];
}

export const walHeaderBytes = 32;
const frameHeaderBytes = 24;
const magic = 0x377f0682;
const formatVersion = 3007000;

/**
 * Reads a log's header. `empty`: too short, no such file kind or a checksum that does not hold, which SQLite takes for a log
 * without content. `unsupported`: a log of another format version.
 */
export function parseWalHeader(bytes: Uint8Array): WalHeader | 'empty' | 'unsupported' {
  if (bytes.length < walHeaderBytes) return 'empty';
  const words = viewOf(bytes);
  const pageSize = words.getUint32(8);
  const isPageSize = pageSize >= 512 && pageSize <= 65536 && (pageSize & (pageSize - 1)) === 0;
  // The lowest bit of the magic number tells the byte order of the checksums.
  if ((words.getUint32(0) & ~1) >>> 0 !== magic || !isPageSize) return 'empty';
  const bigEndian = (words.getUint32(0) & 1) === 1;
  const checksum = addToChecksum([0, 0], words, 0, 24, bigEndian);
  if (checksum[0] !== words.getInt32(24) || checksum[1] !== words.getInt32(28)) return 'empty';
  if (words.getUint32(4) !== formatVersion) return 'unsupported';
  return { pageSize, bigEndian, salt: [words.getInt32(16), words.getInt32(20)], checksum };
}

/**
 * Which pages the committed transactions of one generation of a log hold, and where. Fed with the log's bytes in order; what
 * comes after the last commit mark is forgotten by `rewind`, because a writer may still take it back and write over it.
 */
export class WalIndex {
  readonly header: WalHeader;
  readonly #pages = new Map<number, number>();
  #databasePages = 0;
  #committed: Position;
  #now: Position;
  /** Page number and offset of the frames since the last commit mark. */
  #open: [page: number, offset: number][] = [];

  constructor(header: WalHeader) {
    this.header = header;
    this.#committed = { offset: walHeaderBytes, checksum: header.checksum };
    this.#now = this.#committed;
  }

  /** Bytes of one frame, its header with it. */
  get frameBytes(): number {
    return frameHeaderBytes + this.header.pageSize;
  }

  /** Where the next bytes to `add` begin in the log. */
  get offset(): number {
    return this.#now.offset;
  }

  /** Size of the database in pages after the last commit; 0 while nothing was committed. */
  get databasePages(): number {
    return this.#databasePages;
  }

  /** Where the log holds the newest committed content of a page (1 is the first), or undefined: the main file has it. */
  offsetOf(page: number): number | undefined {
    return this.#pages.get(page);
  }

  /**
   * Takes the bytes that begin at `offset`; an incomplete frame at their end is left. Returns false at the first frame that
   * does not belong to this generation: from there on the log holds nothing.
   */
  add(bytes: Uint8Array): boolean {
    const words = viewOf(bytes);
    for (let at = 0; at + this.frameBytes <= bytes.length; at += this.frameBytes) {
      if (!this.#addFrame(words, at)) return false;
    }
    return true;
  }

  /** Goes back behind the last commit mark. */
  rewind(): void {
    this.#now = this.#committed;
    this.#open = [];
  }

  #addFrame(words: DataView, at: number): boolean {
    const { salt, bigEndian, pageSize } = this.header;
    const page = words.getUint32(at);
    if (page === 0 || words.getInt32(at + 8) !== salt[0] || words.getInt32(at + 12) !== salt[1]) return false;
    const head = addToChecksum(this.#now.checksum, words, at, at + 8, bigEndian);
    const data = at + frameHeaderBytes;
    const checksum = addToChecksum(head, words, data, data + pageSize, bigEndian);
    if (checksum[0] !== words.getInt32(at + 16) || checksum[1] !== words.getInt32(at + 20)) return false;

    this.#open.push([page, this.#now.offset + frameHeaderBytes]);
    this.#now = { offset: this.#now.offset + this.frameBytes, checksum };
    const databasePages = words.getUint32(at + 4);
    if (databasePages !== 0) this.#commit(databasePages);
    return true;
  }

  #commit(databasePages: number): void {
    for (const [page, offset] of this.#open) this.#pages.set(page, offset);
    this.#open = [];
    this.#databasePages = databasePages;
    this.#committed = this.#now;
  }
}

interface Position {
  offset: number;
  checksum: readonly [number, number];
}

/** The log's running checksum over words two at a time, as signed 32-bit numbers. */
function addToChecksum(
  before: readonly [number, number],
  words: DataView,
  from: number,
  to: number,
  bigEndian: boolean,
): [number, number] {
  let [first, second] = before;
  for (let at = from; at < to; at += 8) {
    first = (first + words.getInt32(at, !bigEndian) + second) | 0;
    second = (second + words.getInt32(at + 4, !bigEndian) + first) | 0;
  }
  return [first, second];
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
