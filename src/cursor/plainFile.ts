import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** A file that is open for reading; whoever opened it closes the handle. */
export interface PlainFile {
  handle: FileHandle;
  stats: BigIntStats;
}

/** What is at the path is a folder, a device, a named pipe. */
export class NotAPlainFile extends Error {
  constructor() {
    super('not a plain file');
    this.name = 'NotAPlainFile';
  }
}

/**
 * Opens for reading. Never waits for the other end of a named pipe. Rejects with NotAPlainFile, or the file system's error.
 */
export async function openPlainFile(file: string): Promise<PlainFile> {
  // Windows has neither the flag nor the pipes.
  const nonBlocking = process.platform === 'win32' ? 0 : constants.O_NONBLOCK;
  const handle = await open(file, constants.O_RDONLY | nonBlocking);
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw new NotAPlainFile();
    return { handle, stats };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Fills the buffer from a position on. Returns how much there was. */
export async function readFully(handle: FileHandle, buffer: Buffer, position: number): Promise<number> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}
