import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessStates } from '../../process/processStates.ts';

const lookMs = 500;

/**
 * Waits until these processes have ended, looking at each a few times a second. Resolves with whether they have: false once
 * the signal is aborted while one lives. One that cannot be looked at counts as alive.
 */
export async function sessionEnd(
  pids: readonly number[],
  states: Pick<ProcessStates, 'of'>,
  signal: AbortSignal,
): Promise<boolean> {
  const started = new Map<number, string>();
  const isAlive = async (pid: number) => {
    const state = await states.of(pid);
    if (typeof state === 'string') return state !== 'ended';
    const startedAt = started.get(pid) ?? state.startedAt;
    started.set(pid, startedAt);
    return state.startedAt === startedAt;
  };
  for (;;) {
    const alive = await Promise.all(pids.map(isAlive));
    if (!alive.includes(true)) return true;
    if (signal.aborted) return false;
    await pause(lookMs, undefined, { signal }).catch(() => undefined);
  }
}
