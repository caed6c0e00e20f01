import type { BigIntStats } from 'node:fs';
import { constants, readSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { LazyBytes } from './lazyBytes.ts';
import { StoreUnreadable, unreadableBy } from './storeUnreadable.ts';
import { parseWalHeader, walHeaderBytes, WalIndex } from './walOverlay.ts';

/** The bytes of a database in one consistent state, as sql.js takes them: a plain Uint8Array would be copied. */
export type DatabaseBytes = Buffer | LazyBytes;

/** A file of a store that is open for reading. */
interface OpenFile {
  handle: FileHandle;
  stats: BigIntStats;
}

interface WalFile extends OpenFile {
  head: Buffer;
}

/** How often a store that changes under the reader is looked at again before it is given up as busy. */
const maxAttempts = 50;
/** Up to this many bytes in all (main file and log) a store is read whole. */
const defaultWholeBytes = 2 * 1024 * 1024;
const walChunkBytes = 1024 * 1024;
/** In page 1: 1 says rollback journal, 2 says write-ahead log, which sql.js cannot open (SQLite file format, 1.3.3). */
const versionBytes = { from: 18, to: 20 };
const sqliteMagic = Buffer.from('SQLite format 3\0', 'latin1');

/**
 * Reads one SQLite database together with its write-ahead log, from their bytes alone: no lock is taken, nothing is created
 * or written. Keeps what it knows of the log, so that the next look reads only what was added.
 */
export class StoreImage {
  readonly #file: string;
  readonly #wholeBytes: number;
  #index: WalIndex | undefined;
  #indexedHead: Buffer = Buffer.alloc(0);

  /** `wholeBytes`: stores larger than this are filled lazily. */
  constructor(file: string, { wholeBytes = defaultWholeBytes } = {}) {
    this.#file = file;
    this.#wholeBytes = wholeBytes;
  }

  /**
   * Gives `query` the committed state of this moment. It must be done with the bytes when it returns, and may be called
   * again when the store changed meanwhile: only what it returns, or throws, on an undisturbed look counts. Rejects with
   * StoreUnreadable when there is no such state to be had.
   */
  async read<T>(query: (bytes: DatabaseBytes) => T): Promise<T> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const look = await this.#look(query).catch((error: unknown) => {
        throw unreadableBy(error);
      });
      if (!look.undisturbed) continue;
      if (look.failed) throw look.error;
      return look.value;
    }
    throw new StoreUnreadable('busy', 'The chat store changed faster than it could be read. It will be read again.');
  }

  async #look<T>(query: (bytes: DatabaseBytes) => T): Promise<Look<T> & { undisturbed: boolean }> {
    const main = await openRegular(this.#file);
    try {
      const wal = await openWal(`${this.#file}-wal`);
      try {
        // Its size counts from here on: before, a checkpoint may have moved another generation of the log into it.
        const stats = await main.handle.stat({ bigint: true });
        return await this.#lookAt({ ...main, stats }, wal, query);
      } finally {
        await wal?.handle.close();
      }
    } finally {
      await main.handle.close();
    }
  }

  /**
   * The order makes it safe. Every page that a checkpoint moves into the main file is still in the log as long as the log's
   * header stays the same. A whole image reads the main file before the log, so the log has whatever moved meanwhile; a lazy
   * one reads it afterwards, so the log is looked at once more for the pages that were taken from the main file.
   */
  async #lookAt<T>(
    main: OpenFile,
    wal: WalFile | undefined,
    query: (bytes: DatabaseBytes) => T,
  ): Promise<Look<T> & { undisturbed: boolean }> {
    const size = Number(main.stats.size) + Number(wal?.stats.size ?? 0);
    const whole = size <= this.#wholeBytes ? await readWhole(main) : undefined;
    const index = this.#indexFor(wal);
    if (wal && index) await extend(index, wal.handle);

    const pages = new Pages(main, wal, index, whole);
    const look = attempt(() => query(pages.bytes()));
    if (pages.error !== undefined) throw unreadableBy(pages.error);

    if (wal && index && !whole) await extend(index, wal.handle);
    const undisturbed = !pages.haveMoved() && (await this.#isUndisturbed(main, wal, index));
    return { ...look, undisturbed };
  }

  /** What is known of this generation of the log; nothing when there is no valid log. */
  #indexFor(wal: WalFile | undefined): WalIndex | undefined {
    const header = parseWalHeader(wal?.head ?? Buffer.alloc(0));
    if (header === 'unsupported') {
      throw new StoreUnreadable('failed', 'The chat store has a write-ahead log of a version that is not known.');
    }
    const known = this.#index;
    const isKnown = known !== undefined && wal?.head.equals(this.#indexedHead) && wal.stats.size >= known.offset;
    if (!isKnown) this.#index = header === 'empty' ? undefined : new WalIndex(header);
    this.#indexedHead = wal?.head ?? Buffer.alloc(0);
    return this.#index;
  }

  async #isUndisturbed(main: OpenFile, wal: WalFile | undefined, index: WalIndex | undefined): Promise<boolean> {
    const after = await openWal(`${this.#file}-wal`);
    await after?.handle.close();
    const sameWal = wal?.stats.ino === after?.stats.ino && (wal === undefined || wal.head.equals(after?.head ?? wal.head));
    const mainNow = await stat(this.#file, { bigint: true });
    if (!sameWal || mainNow.ino !== main.stats.ino || mainNow.dev !== main.stats.dev) return false;
    // Without a valid log every change is one of the main file.
    const { size, mtimeNs, ctimeNs } = main.stats;
    return index !== undefined || (mainNow.size === size && mainNow.mtimeNs === mtimeNs && mainNow.ctimeNs === ctimeNs);
  }
}

type Look<T> = { failed: false; value: T } | { failed: true; error: unknown };

function attempt<T>(query: () => T): Look<T> {
  try {
    return { failed: false, value: query() };
  } catch (error) {
    return { failed: true, error };
  }
}

/** Serves the pages of one look: from the log where it has them, else from the main file. */
class Pages {
  /** What reading ran into. It is kept, not thrown, because an exception must not pass through SQLite's own code. */
  error: unknown;
  readonly #main: OpenFile;
  readonly #wal: WalFile | undefined;
  readonly #index: WalIndex | undefined;
  readonly #whole: Buffer | undefined;
  /** The index while it holds something. */
  readonly #log: WalIndex | undefined;
  /** The pages that are not from the log, with their checksums where there is no log. */
  readonly #fromMain = new Map<number, number>();

  constructor(main: OpenFile, wal: WalFile | undefined, index: WalIndex | undefined, whole: Buffer | undefined) {
    this.#main = main;
    this.#wal = wal;
    this.#index = index;
    this.#whole = whole;
    // SQLite throws a log away that it finds beside an empty main file.
    this.#log = main.stats.size === 0n || index?.databasePages === 0 ? undefined : index;
  }

  /**
   * Whether pages of the main file were written since they were read. A log has such pages by now; where there is none they
   * differ when they are read once more, for which times of change are too coarse.
   */
  haveMoved(): boolean {
    const index = this.#index;
    if (index) return !this.#whole && [...this.#fromMain.keys()].some((page) => index.offsetOf(page) !== undefined);
    const buffer = Buffer.alloc(this.#pageSize);
    return [...this.#fromMain].some(([page, checksum]) => {
      this.#fill(this.#main, buffer, (page - 1) * buffer.length);
      return crc32(buffer) !== checksum;
    });
  }

  get #pageSize(): number {
    return this.#log?.header.pageSize ?? this.#pageSizeOfMain();
  }

  bytes(): DatabaseBytes {
    const pageSize = this.#pageSize;
    const count = this.#log?.databasePages ?? Math.ceil(Number(this.#main.stats.size) / pageSize);
    const buffer = Buffer.alloc(pageSize);
    const lazy = new LazyBytes(count, pageSize, (page) => {
      this.#read(page, buffer);
      if (page === 1) buffer.fill(1, versionBytes.from, versionBytes.to);
      return buffer;
    });
    if (!this.#whole) return lazy;
    const image = Buffer.alloc(count * pageSize);
    for (let page = 0; page < count; page++) image.set(lazy.subarray(page * pageSize, (page + 1) * pageSize), page * pageSize);
    return image;
  }

  #pageSizeOfMain(): number {
    const head = Buffer.alloc(100);
    if (!this.#fill(this.#main, head, 0) || !head.subarray(0, sqliteMagic.length).equals(sqliteMagic)) {
      throw this.#main.stats.size === 0n
        ? new StoreUnreadable('noTables', 'The chat store is still empty.')
        : new StoreUnreadable('notAStore', 'The file is not an SQLite database, or it is encrypted.');
    }
    const size = head.readUInt16BE(16);
    if (size === 1) return 65536;
    if (size < 512 || (size & (size - 1)) !== 0) {
      throw new StoreUnreadable('damaged', 'The chat store names a page size that does not exist.');
    }
    return size;
  }

  #read(page: number, buffer: Buffer): void {
    const inLog = this.#log?.offsetOf(page);
    if (inLog !== undefined && this.#wal) {
      this.#fill(this.#wal, buffer, inLog);
      return;
    }
    const from = (page - 1) * buffer.length;
    if (this.#whole) {
      buffer.fill(0);
      buffer.set(this.#whole.subarray(from, from + buffer.length));
    } else this.#fill(this.#main, buffer, from);
    this.#fromMain.set(page, this.#index ? 0 : crc32(buffer));
  }

  /** Fills the buffer, with zeros past the end of the file. Returns whether anything was there. */
  #fill(file: OpenFile, buffer: Buffer, position: number): boolean {
    let filled = 0;
    try {
      while (filled < buffer.length) {
        const count = readSync(file.handle.fd, buffer, filled, buffer.length - filled, position + filled);
        if (count === 0) break;
        filled += count;
      }
    } catch (error) {
      this.error ??= error;
    }
    buffer.fill(0, filled);
    return filled > 0;
  }
}

/** Reads what was added to the log since the last commit that the index knows. */
async function extend(index: WalIndex, handle: FileHandle): Promise<void> {
  index.rewind();
  const framesAtOnce = Math.max(1, Math.floor(walChunkBytes / index.frameBytes));
  const first = Buffer.allocUnsafe(index.frameBytes);
  const { bytesRead } = await handle.read(first, 0, first.length, index.offset);
  // Most often nothing was added, or one frame.
  if (bytesRead < first.length || !index.add(first)) return index.rewind();
  const chunk = Buffer.allocUnsafe(framesAtOnce * index.frameBytes);
  for (;;) {
    const got = await readFully(handle, chunk, index.offset);
    const more = index.add(chunk.subarray(0, got));
    if (!more || got < chunk.length) break;
  }
  index.rewind();
}

async function readWhole({ handle, stats }: OpenFile): Promise<Buffer> {
  const bytes = Buffer.alloc(Number(stats.size));
  await readFully(handle, bytes, 0);
  return bytes;
}

async function readFully(handle: FileHandle, buffer: Buffer, position: number): Promise<number> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

async function openWal(file: string): Promise<WalFile | undefined> {
  const opened = await openRegular(file).catch((error: unknown) => {
    if (unreadableBy(error).reason === 'gone') return undefined;
    throw error;
  });
  if (!opened) return undefined;
  const head = Buffer.alloc(walHeaderBytes);
  try {
    const got = await readFully(opened.handle, head, 0);
    return { ...opened, head: head.subarray(0, got) };
  } catch (error) {
    await opened.handle.close();
    throw error;
  }
}

/** Opens for reading. Never waits for the other end of a named pipe, and refuses whatever is not a plain file. */
async function openRegular(file: string): Promise<OpenFile> {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw new StoreUnreadable('notAStore', 'The chat store is not a plain file.');
    return { handle, stats };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
