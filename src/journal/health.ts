import { type EngineId, engineIdSchema, type FailureReason } from '../protocol/model.ts';
import type { RunRecord } from './entry.ts';

/** Whether an engine is worth trying. `why` is a clause for people; at `retryAt` (ms since the epoch) it is tried again. */
export type Health = { healthy: true } | { healthy: false; why: string; retryAt: number };

/**
 * How much a failure speaks against its engine. Not counted: what the caller asked for or stopped, and what only the
 * person can mend (not installed, not signed in). The latter fail at once and say what to do, and an engine that was
 * skipped for them would stay skipped after the person has done it. A time-out has cost the most.
 */
const weights: Partial<Record<FailureReason, number>> = {
  timedOut: 1.5,
  rateLimited: 1,
  exited: 1,
  badOutput: 1,
  environment: 1,
};
const halfLifeMs = 30 * 60 * 1000;
/** One failure of any kind is below it; two within some minutes are above. */
const threshold = 1.6;
/** However many failures come at once, the engine is tried again within the hour. */
const maxScore = 4;
/** A run that completed leaves this part of what was held against its engine. */
const forgiveness = 0.25;

interface Incident {
  at: number;
  reason: FailureReason | undefined;
}

/**
 * Which engines are passed over at `now` (ms since the epoch). Every failure weighs half as much after half an hour, a
 * success forgives most of what was before it. Times in the future (the clock was set back) tell nothing.
 */
export function health(records: readonly RunRecord[], now: number): Record<EngineId, Health> {
  const incidents = new Map<EngineId, Incident[]>(engineIdSchema.options.map((engine) => [engine, []]));
  for (const record of records) {
    // Those it sent out tell for themselves.
    if (record.leads !== undefined || record.command) continue;
    // A run that nobody could take comes back to the engine that was asked first, whose failure it reports.
    for (const { engine, reason } of record.moved) incidents.get(engine)?.push({ at: record.startedAt, reason });
    const at = record.endedAt;
    if (at === undefined) continue;
    if (record.status === 'completed') incidents.get(record.engine)?.push({ at, reason: undefined });
    else if (record.reason && !record.moved.some(({ engine }) => engine === record.engine))
      incidents.get(record.engine)?.push({ at, reason: record.reason });
  }
  const of = (engine: EngineId) => judge(incidents.get(engine) ?? [], now);
  return { codex: of('codex'), grok: of('grok'), claude: of('claude'), cursor: of('cursor') };
}

function judge(incidents: Incident[], now: number): Health {
  let score = 0;
  let last = Number.NEGATIVE_INFINITY;
  let counted: Incident[] = [];
  for (const incident of incidents.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at)) {
    const { at, reason } = incident;
    score *= decay(at - last);
    last = at;
    if (reason === undefined) {
      score *= forgiveness;
      counted = [];
    } else {
      const weight = weights[reason] ?? 0;
      score = Math.min(maxScore, score + weight);
      if (weight > 0) counted.push(incident);
    }
  }
  score *= decay(now - last);
  if (score < threshold) return { healthy: true };
  return { healthy: false, why: explain(counted, now), retryAt: now + halfLifeMs * Math.log2(score / threshold) };
}

function decay(ms: number): number {
  return Number.isFinite(ms) ? 0.5 ** (ms / halfLifeMs) : 0;
}

const words: Partial<Record<FailureReason, string>> = {
  timedOut: 'ran out of time',
  rateLimited: 'was rate limited',
  exited: 'ended unexpectedly',
  badOutput: 'printed what could not be read',
  environment: 'could not reach its service',
};

function explain(failures: readonly Incident[], now: number): string {
  const recent = failures.filter(({ at }) => now - at <= 2 * halfLifeMs);
  const last = failures.at(-1);
  const minutes = last ? Math.max(1, Math.round((now - last.at) / 60_000)) : 1;
  const how = words[last?.reason ?? 'exited'] ?? 'failed';
  return `${recent.length} of its runs failed within the hour; the last, ${minutes} min ago, ${how}`;
}
