import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../base/logger.ts';

/** How long a claim is kept: no request is new to a window after that. */
const keptMs = 7 * 24 * 3_600_000;

interface ClaimsDeps {
  /** Absolute path; made when it is first needed. */
  folder: string;
  /** Milliseconds since the epoch. */
  now: () => number;
  log: Logger;
}

/**
 * Lets one of all windows, and that one once, have what an id names: who makes the file has it. Where the folder cannot be
 * written, every window has it once. The returned function never rejects.
 */
export function openClaims({ folder, now, log }: ClaimsDeps): (id: string) => Promise<boolean> {
  const own = new Set<string>();
  let ready: Promise<void> | undefined;
  const prepare = async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await prune(folder, now());
  };
  return async (id) => {
    if (own.has(id)) return false;
    own.add(id);
    try {
      ready ??= prepare();
      await ready;
      // The id may be any text, and is nobody's business: its hash names the file.
      const name = createHash('sha256').update(id).digest('hex');
      await writeFile(join(folder, name), '', { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
      ready = undefined;
      log.warn(`notifications may come twice: ${error instanceof Error ? error.message : String(error)}`);
      return true;
    }
  };
}

async function prune(folder: string, nowMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: nowMs }));
    if (nowMs - mtimeMs > keptMs) await rm(path, { force: true });
  }
}
