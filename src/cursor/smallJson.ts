import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

const maxBytes = 1024 * 1024;

/**
 * Parses a JSON file of at most 1 MB. Undefined when it cannot be read or is no JSON: what an error would quote may be a
 * secret. Never waits for the other end of a named pipe.
 */
export async function readSmallJson(file: string): Promise<unknown> {
  try {
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = await handle.stat();
      if (!stats.isFile() || stats.size > maxBytes) return undefined;
      const bytes = Buffer.alloc(stats.size);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
      return JSON.parse(bytes.toString('utf8', 0, bytesRead));
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}
