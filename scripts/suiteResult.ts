import { readFile } from 'node:fs/promises';
import * as z from 'zod';

export interface Failure {
  readonly title: string;
  readonly detail: string;
}

export interface SuiteResult {
  readonly passed: number;
  readonly failures: readonly Failure[];
  /** What did not run, by name. */
  readonly skipped: readonly string[];
}

const mochaTest = z.object({
  fullTitle: z.string(),
  err: z.object({ message: z.string().optional(), stack: z.string().optional() }),
});
const mochaResults = z.object({
  passes: z.array(mochaTest),
  pending: z.array(mochaTest),
  failures: z.array(mochaTest),
});

/** Reads what mocha's json reporter wrote. Null when it wrote nothing, because the run ended before its time. */
export async function readMochaResults(file: string): Promise<SuiteResult | null> {
  const text = await readFile(file, 'utf8').catch(() => '');
  if (text === '') return null;
  const { passes, pending, failures } = mochaResults.parse(JSON.parse(text));
  return {
    passed: passes.length,
    failures: failures.map(({ fullTitle, err }) => ({ title: fullTitle, detail: err.stack ?? err.message ?? '' })),
    skipped: pending.map(({ fullTitle }) => fullTitle),
  };
}

/** One result out of several. */
export function mergeResults(results: readonly SuiteResult[]): SuiteResult {
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failures: results.flatMap(({ failures }) => failures),
    skipped: results.flatMap(({ skipped }) => skipped),
  };
}
