import { openPlainFile, readFully } from './plainFile.ts';

const maxBytes = 1024 * 1024;

/**
 * Parses a JSON file of at most 1 MB. Undefined when it cannot be read or is no JSON: what an error would quote may be a
 * secret.
 */
export async function readSmallJson(file: string): Promise<unknown> {
  try {
    const { handle, stats } = await openPlainFile(file);
    try {
      if (stats.size > maxBytes) return undefined;
      const bytes = Buffer.alloc(Number(stats.size));
      const length = await readFully(handle, bytes, 0);
      return JSON.parse(bytes.toString('utf8', 0, length));
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}
