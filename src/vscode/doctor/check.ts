import type { Clock } from '../../base/clock.ts';
import type { L10n } from '../l10n.ts';
import { failed, type Finding, restricted, silent } from './finding.ts';

/** One line of the page. */
export interface Check {
  readonly id: string;
  readonly title: string;
  readonly group: 'agents' | 'machine' | 'sallyport';
  /** It starts programs, so it is left out in Restricted Mode. */
  readonly startsPrograms: boolean;
  /** Milliseconds after which nothing is expected any more. */
  readonly limitMs: number;
  look(): Promise<Finding>;
}

interface CheckContext {
  readonly clock: Clock;
  readonly l10n: L10n;
  readonly isTrusted: boolean;
}

/** Resolves to the work's result, or to `silent` when that takes longer. The work itself goes on. Rejects as the work does. */
export async function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | 'silent'> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(ms, () => resolve('silent'));
    work.then(resolve, reject).finally(() => timer.dispose());
  });
}

/** Carries out one check. Never rejects, and never takes longer than its limit. */
export async function carryOut(check: Check, { clock, l10n, isTrusted }: CheckContext): Promise<Finding> {
  if (check.startsPrograms && !isTrusted) return restricted(l10n);
  try {
    const finding = await within(clock, check.limitMs, check.look());
    return finding === 'silent' ? silent(check.limitMs / 1000, l10n) : finding;
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error), l10n);
  }
}
