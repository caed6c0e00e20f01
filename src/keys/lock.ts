import { createHash, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { toDisposable } from '../base/disposable.ts';
import { pause } from '../base/pause.ts';
import { pidExists } from '../base/pidExists.ts';
import type { ProcessStates } from '../process/processStates.ts';
import { type Claim, claimName, isBefore, parseClaim } from './claim.ts';
import type { TerminalLocks } from './target.ts';

/** Between two looks at who is before us. */
const pauseMs = 30;

/** What the locks are made of. `folder`: absolute, this user's own, on a local disk; made when it is first needed. */
export interface LockOptions {
  folder: string;
  states: ProcessStates;
  clock: Clock;
}

/**
 * Lamport's bakery with one file per claim, first come, first served. A claim of a process that has ended counts for nothing
 * and anybody may delete it, at any time: no other claim ever has its name. So there is no moment in which two could take
 * over what a dead process left behind, which is what locks of one fixed name suffer from.
 *
 * It rests on one property of folders: a listing shows every file that was there from before it began until after it ended.
 */
export function createTerminalLocks({ folder, states, clock }: LockOptions): TerminalLocks {
  let startedAt: Promise<string> | undefined;

  async function claimsOf(queue: string): Promise<Claim[]> {
    const claims = (await readdir(folder)).map(parseClaim).filter((claim) => claim?.queue === queue);
    return claims.filter((claim) => claim !== undefined);
  }

  /** Claims of others that count. Deletes those that no longer do. */
  async function living(queue: string, own: string): Promise<Claim[]> {
    const others = (await claimsOf(queue)).filter(({ id }) => id !== own);
    const alive = await Promise.all(others.map((claim) => isAlive(claim, states)));
    await Promise.all(others.filter((_, index) => alive[index] === false).map((claim) => remove(claim)));
    return others.filter((_, index) => alive[index]);
  }

  const remove = (claim: Claim) => rm(join(folder, claimName(claim)), { force: true });
  const write = (claim: Claim) => writeFile(join(folder, claimName(claim)), '', { flag: 'wx', mode: 0o600 });

  /** A number above all there are. While it is chosen, others wait: it may turn out lower than one that is chosen later. */
  async function draw(base: Omit<Claim, 'number'>): Promise<Claim & { number: number }> {
    const choosing = { ...base, number: undefined };
    await write(choosing);
    try {
      const numbers = (await claimsOf(base.queue)).map(({ number }) => number ?? 0);
      const claim = { ...base, number: Math.max(0, ...numbers) + 1 };
      await write(claim);
      return claim;
    } finally {
      await remove(choosing);
    }
  }

  /** Two listings: who had begun to choose before the first is in the second with the number, or comes after us. */
  async function isFirst(claim: Claim & { number: number }): Promise<boolean> {
    if ((await living(claim.queue, claim.id)).some(({ number }) => number === undefined)) return false;
    const others = await living(claim.queue, claim.id);
    return !others.some(({ number, id }) => number !== undefined && isBefore({ number, id }, claim));
  }

  return {
    async take(targetId, signal) {
      signal.throwIfAborted();
      await mkdir(folder, { recursive: true, mode: 0o700 });
      startedAt ??= ownStart(states);
      const queue = createHash('sha256').update(targetId).digest('hex').slice(0, 32);
      const claim = await draw({ queue, pid: process.pid, startedAt: await startedAt, id: randomUUID() });
      const lease = toDisposable(() => rmSync(join(folder, claimName(claim)), { force: true }));
      try {
        while (!(await isFirst(claim))) await pause(clock, pauseMs, signal);
        signal.throwIfAborted();
        return lease;
      } catch (error) {
        lease.dispose();
        throw error;
      }
    },
  };
}

async function ownStart(states: ProcessStates): Promise<string> {
  const state = await states.of(process.pid);
  return typeof state === 'object' ? state.startedAt : '';
}

/** In doubt it is: two holders are worse than a lock that is waited for too long. */
async function isAlive({ pid, startedAt }: Claim, states: ProcessStates): Promise<boolean> {
  if (!pidExists(pid)) return false;
  const state = await states.of(pid);
  if (state === 'ended') return false;
  return state === 'unknown' || startedAt === '' || state.startedAt === startedAt;
}
