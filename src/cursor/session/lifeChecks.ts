import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { SessionKeeper } from './chatKeeper.ts';

/** How soon a session that ends without a trace (killed, crashed) is noticed: while calls are under way, and otherwise. */
const askingMs = 1000;
const idleMs = 30_000;

/** Notices the end of sessions that no event tells of. Does nothing while none lives. */
export interface LifeChecks extends Disposable {
  /** A chat came, went, or has other calls under way. */
  update(): void;
}

/** Looks after these, which may become more or fewer. */
export function createLifeChecks(keepers: ReadonlyMap<string, SessionKeeper>, clock: Clock): LifeChecks {
  let timer: { everyMs: number; wait: Disposable } | undefined;
  let checking = false;
  let disposed = false;
  let lookedAtMs = clock.now();

  const update = (): void => {
    const all = [...keepers.values()];
    const everyMs = all.some(({ isAsking }) => isAsking)
      ? askingMs
      : all.some(({ lives }) => lives)
        ? idleMs
        : undefined;
    if (disposed || checking || timer?.everyMs === everyMs) return;
    timer?.wait.dispose();
    timer = everyMs === undefined ? undefined : { everyMs, wait: clock.after(everyMs, () => void check()) };
  };

  const check = async (): Promise<void> => {
    timer = undefined;
    checking = true;
    const since = clock.now() - lookedAtMs;
    const isFull = since >= idleMs || since < 0;
    if (isFull) lookedAtMs = clock.now();
    const live = [...keepers.values()].filter(({ lives }) => lives);
    // A full look also finds a session that has let go of the store and goes on with another chat.
    await Promise.all(
      live.map(async (keeper) => {
        if (isFull) await keeper.lookAtSession();
        else if (keeper.isAsking) await keeper.checkProcesses();
      }),
    );
    checking = false;
    update();
  };

  return {
    update,
    dispose() {
      disposed = true;
      timer?.wait.dispose();
    },
  };
}
