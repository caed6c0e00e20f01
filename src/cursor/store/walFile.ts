import type { FileHandle } from 'node:fs/promises';
import { openPlainFile, type PlainFile, readFully } from '../plainFile.ts';
import { unreadableBy } from './storeUnreadable.ts';
import { walHeaderBytes, type WalIndex } from './walOverlay.ts';

/** A write-ahead log that is open for reading. */
export interface WalFile extends PlainFile {
  /** Its header's bytes; fewer when it holds less. */
  head: Buffer;
}

const chunkBytes = 256 * 1024;

/** Opens a log and reads its header. Undefined when there is none. */
export async function openWal(file: string): Promise<WalFile | undefined> {
  const opened = await openPlainFile(file).catch((error: unknown) => {
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

/** Reads what was added to a log since the last commit that the index knows. */
export async function extend(index: WalIndex, handle: FileHandle): Promise<void> {
  index.rewind();
  // Most often nothing was added, or one frame.
  let frames = 1;
  for (;;) {
    const chunk = Buffer.allocUnsafe(frames * index.frameBytes);
    const got = await readFully(handle, chunk, index.offset);
    const more = index.add(chunk.subarray(0, got));
    if (!more || got < chunk.length) break;
    frames = Math.max(1, Math.floor(chunkBytes / index.frameBytes));
  }
  index.rewind();
}
