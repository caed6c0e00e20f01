// Plain JavaScript on built-ins alone: withSetup.mjs needs it before anything is installed.
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 250;
/** No set-up takes this long: an older lock belongs to a process whose id was reused. */
const staleAfterMs = 30 * 60_000;

/** Runs `work` while this process alone holds the lock file; a lock whose owner is gone is taken over. */
export async function withLockFile(path, work) {
  await mkdir(dirname(path), { recursive: true });
  while (!(await take(path))) {
    await removeIfStale(path);
    await sleep(pollMs);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function take(path) {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

async function removeIfStale(path) {
  const [owner, age] = await Promise.all([
    readFile(path, 'utf8').catch(() => ''),
    stat(path).then(
      (entry) => Date.now() - entry.mtimeMs,
      () => 0,
    ),
  ]);
  // An empty file is one whose owner is just writing its id into it.
  const abandoned = owner === '' ? age > 5_000 : !isAlive(Number(owner)) || age > staleAfterMs;
  if (!abandoned) return;
  // Moved, then looked at again: between reading and removing, another process may have taken the lock anew.
  const moved = `${path}.${randomUUID()}`;
  await rename(path, moved).catch(() => undefined);
  const now = await readFile(moved, 'utf8').catch(() => owner);
  if (now !== owner) await rename(moved, path).catch(() => undefined);
  await rm(moved, { force: true });
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
