import { performance } from 'node:perf_hooks';

/** Milliseconds an action takes. */
export async function timed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

/**
 * Measures several things by turns, so that what else the machine does meets all of them alike: in order in one round,
 * in reverse order in the next. One round before the first is thrown away. The nth samples of all belong together.
 */
export async function byTurns<Name extends string, Sample>(
  rounds: number,
  subjects: Readonly<Record<Name, () => Promise<Sample>>>,
): Promise<ReadonlyMap<Name, readonly Sample[]>>;
export async function byTurns<Sample>(
  rounds: number,
  subjects: Readonly<Record<string, () => Promise<Sample>>>,
): Promise<ReadonlyMap<string, readonly Sample[]>> {
  const samples = new Map<string, Sample[]>();
  const entries = Object.entries(subjects);
  for (let round = -1; round < rounds; round++) {
    for (const [name, measure] of round % 2 === 0 ? entries : entries.toReversed()) {
      const sample = await measure();
      if (round >= 0) samples.set(name, [...(samples.get(name) ?? []), sample]);
    }
  }
  return samples;
}

/** What `change` makes of each pair of samples that belong together. */
export function paired(
  ours: readonly number[],
  theirs: readonly number[],
  change: (ours: number, theirs: number) => number,
): number[] {
  return ours.flatMap((mine, round) => {
    const other = theirs[round];
    return other === undefined ? [] : [change(mine, other)];
  });
}
