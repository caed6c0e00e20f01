import { stat } from 'node:fs/promises';
import { openPlainFile, type PlainFile, readFully } from '../plainFile.ts';
import { type DatabaseBytes, StorePages } from './storePages.ts';
import { StoreUnreadable, unreadableBy } from './storeUnreadable.ts';
import { extend, openWal, type WalFile } from './walFile.ts';
import { parseWalHeader, WalIndex } from './walOverlay.ts';

/** How often a store that changes under the reader is looked at again before it is given up as busy. */
const maxAttempts = 50;
/** Up to this many bytes in all (main file and log) a store is read whole. */
const defaultWholeBytes = 2 * 1024 * 1024;

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
    const main = await openPlainFile(this.#file);
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
    main: PlainFile,
    wal: WalFile | undefined,
    query: (bytes: DatabaseBytes) => T,
  ): Promise<Look<T> & { undisturbed: boolean }> {
    const size = Number(main.stats.size) + Number(wal?.stats.size ?? 0);
    const whole = size <= this.#wholeBytes ? await readWhole(main) : undefined;
    const index = this.#indexFor(wal);
    if (wal && index) await extend(index, wal.handle);

    const pages = new StorePages(main, wal, index, whole);
    const look = attempt(() => query(pages.bytes()));
    if (pages.error !== undefined) throw unreadableBy(pages.error);

    if (wal && index && !whole) await extend(index, wal.handle);
    // In this order: a log that is empty in between says that the main file was complete then.
    const undisturbed = (await this.#isUndisturbed(main, wal, index)) && !pages.haveMoved();
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

  async #isUndisturbed(main: PlainFile, wal: WalFile | undefined, index: WalIndex | undefined): Promise<boolean> {
    const after = await openWal(`${this.#file}-wal`);
    await after?.handle.close();
    const sameWal =
      wal?.stats.ino === after?.stats.ino && (wal === undefined || wal.head.equals(after?.head ?? wal.head));
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

async function readWhole({ handle, stats }: PlainFile): Promise<Buffer> {
  const bytes = Buffer.alloc(Number(stats.size));
  await readFully(handle, bytes, 0);
  return bytes;
}
