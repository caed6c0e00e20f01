import { readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { PlainFile } from '../plainFile.ts';
import { LazyBytes } from './lazyBytes.ts';
import { StoreUnreadable } from './storeUnreadable.ts';
import type { WalFile } from './walFile.ts';
import type { WalIndex } from './walOverlay.ts';

/** The bytes of a database in one consistent state, as sql.js takes them: a plain Uint8Array would be copied. */
export type DatabaseBytes = Buffer | LazyBytes;

/** In page 1: 1 says rollback journal, 2 says write-ahead log, which sql.js cannot open (SQLite file format, 1.3.3). */
const versionBytes = { from: 18, to: 20 };
const sqliteMagic = Buffer.from('SQLite format 3\0', 'latin1');

/** Serves the pages of one look at a store: from the log where it has them, else from the main file. */
export class StorePages {
  /** What reading ran into. It is kept, not thrown, because an exception must not pass through SQLite's own code. */
  error: unknown;
  readonly #main: PlainFile;
  readonly #wal: WalFile | undefined;
  readonly #index: WalIndex | undefined;
  readonly #whole: Buffer | undefined;
  /** The index while it holds something. */
  readonly #log: WalIndex | undefined;
  /** The pages that are not from the log, with their checksums where there is no log. */
  readonly #fromMain = new Map<number, number>();

  constructor(main: PlainFile, wal: WalFile | undefined, index: WalIndex | undefined, whole: Buffer | undefined) {
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
    for (let page = 0; page < count; page++)
      image.set(lazy.subarray(page * pageSize, (page + 1) * pageSize), page * pageSize);
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
  #fill(file: PlainFile, buffer: Buffer, position: number): boolean {
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
