/** Repeatable randomness: the same seed gives the same run. */
export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<T>(choices: readonly [T, ...T[]]): T;
  /** Bytes that compress badly, so that every page of a blob differs. */
  bytes(length: number): Buffer;
}

/** xorshift32 (Marsaglia, "Xorshift RNGs"). */
export function createRandom(seed: number): Random {
  let state = (seed * 2654435761 + 1) | 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  const below = (limit: number): number => next() % limit;
  return {
    below,
    chance: (probability) => next() / 2 ** 32 < probability,
    pick: (choices) => choices[below(choices.length)] ?? choices[0],
    bytes(length) {
      const bytes = Buffer.alloc(Math.ceil(length / 4) * 4);
      for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(next(), at);
      return bytes.subarray(0, length);
    },
  };
}
