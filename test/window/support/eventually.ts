import { setTimeout as sleep } from 'node:timers/promises';

/** Asks until the answer is something, and rejects with what was waited for when it never is. */
export async function eventually<T>(
  what: string,
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs / 1000} s in vain for ${what}`);
    await sleep(50);
  }
}
