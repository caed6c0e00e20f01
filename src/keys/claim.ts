/** A process's place in the queue for a terminal: the name of a file that only this claim ever has. */
export interface Claim {
  /** Names what is queued for. */
  queue: string;
  /** Undefined while the number is being chosen. */
  number: number | undefined;
  pid: number;
  /** Token of ProcessState; empty where the platform tells none. */
  startedAt: string;
  /** Tells a process's claims apart. */
  id: string;
}

/** The file's name: fields that hold no dot, parted by dots. */
export function claimName({ queue, number, pid, startedAt, id }: Claim): string {
  return [queue, number ?? 'choosing', pid, Buffer.from(startedAt).toString('hex'), id].join('.');
}

/** Undefined for any other file. */
export function parseClaim(name: string): Claim | undefined {
  const match = /^([\da-f]+)\.(\d+|choosing)\.(\d+)\.([\da-f]*)\.([\da-f-]+)$/.exec(name);
  if (!match) return undefined;
  const [, queue = '', number, pid, startedAt = '', id = ''] = match;
  return {
    queue,
    number: number === 'choosing' ? undefined : Number(number),
    pid: Number(pid),
    startedAt: Buffer.from(startedAt, 'hex').toString(),
    id,
  };
}

/** Whether a claim comes before another: by number, and equal ones, which were chosen at once, by id. */
export function isBefore(one: { number: number; id: string }, other: { number: number; id: string }): boolean {
  return one.number === other.number ? one.id < other.id : one.number < other.number;
}
