/** How a measured number is written. */
export type Unit = 'ms' | 'times' | 'MB' | 'kB' | 'chars' | '%';

/** One line of the report. */
export interface Row {
  readonly what: string;
  readonly unit: Unit;
  /** In order of measuring; a single one has no spread. */
  readonly samples: readonly number[];
  /** The median may be this much at most. */
  readonly atMost?: number;
}

/** A table of another form, for what is counted and has no spread, with what its columns mean. */
export interface Grid {
  readonly about: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A part of the report that can be run by itself. */
export interface Group {
  readonly name: string;
  readonly about: string;
  readonly run: (effort: Effort) => Promise<Row[] | Grid>;
}

/** How much to measure. */
export interface Effort {
  /** Scales a usual number of rounds, at least 2. */
  rounds(usual: number): number;
}

/** Median and the tenth and ninetieth percentile, by the nearest rank. */
export interface Summary {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Throws for an empty list: a row without a measurement is no row. */
export function summarise(samples: readonly number[]): Summary {
  const sorted = samples.toSorted((a, b) => a - b);
  const last = sorted.length - 1;
  const at = (share: number): number => {
    const value = sorted[Math.round(share * last)];
    if (value === undefined) throw new Error('nothing was measured');
    return value;
  };
  const median = (at(Math.floor(last / 2) / Math.max(last, 1)) + at(Math.ceil(last / 2) / Math.max(last, 1))) / 2;
  return { median, low: at(0.1), high: at(0.9) };
}

/** A time's own row, and one for its 95th percentile (by the nearest rank), which may be `p95AtMost` at most. */
export function latencyRows(what: string, samples: readonly number[], p95AtMost?: number): Row[] {
  const p95 = samples.toSorted((a, b) => a - b)[Math.ceil(samples.length * 0.95) - 1];
  if (p95 === undefined) throw new Error('nothing was measured');
  const atMost = p95AtMost === undefined ? {} : { atMost: p95AtMost };
  return [
    { what, unit: 'ms', samples },
    { what: `95th percentile ${what}`, unit: 'ms', samples: [p95], ...atMost },
  ];
}

/** Whether the target is met; undefined where there is none. */
export function isMet({ samples, atMost }: Row): boolean | undefined {
  return atMost === undefined ? undefined : summarise(samples).median <= atMost;
}
