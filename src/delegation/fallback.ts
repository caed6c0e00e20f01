import type { Entry } from '../journal/entry.ts';
import type { Failure } from '../protocol/model.ts';
import type { Verdict } from './answer.ts';
import { attempt, type Attempt } from './attempt.ts';
import { type DelegationDeps, noteInJournal } from './deps.ts';
import type { Job } from './job.ts';
import type { RunInProgress } from './liveRun.ts';
import type { Candidate } from './tiers.ts';

/** Gives the job to its candidates, best first, until one cannot pass it on. */
export async function tryInOrder(run: RunInProgress, job: Job, deps: DelegationDeps): Promise<Verdict> {
  const tried: { title: string; candidate: Candidate; attempt: Attempt }[] = [];
  for (const candidate of job.candidates) {
    const engine = deps.engines.get(candidate.engine);
    if (!engine) continue;
    const before = tried.at(-1);
    if (before) move(run, candidate, before.attempt, deps);
    const now = await attempt(run, { ...job, candidate, engine }, deps);
    if (!now.mayMove) return { ...now, notes: [...job.notes, ...tried.map(passedOver), ...now.notes] };
    tried.push({ title: engine.title, candidate, attempt: now });
  }
  const [first, ...rest] = tried;
  const last = rest.at(-1);
  if (first && last) move(run, first.candidate, last.attempt, deps);
  const nobody: Failure = { reason: 'environment', message: 'No engine is configured for this.' };
  return { failure: nobody, ...first?.attempt, notes: [...job.notes, ...rest.map(passedOver)] };
}

function move(run: RunInProgress, candidate: Candidate, before: Attempt, deps: DelegationDeps): void {
  const failed = { engine: run.record.engine, reason: before.failure?.reason ?? ('environment' as const) };
  run.handOver(candidate, failed);
  const entry: Entry = {
    type: 'moved',
    at: deps.clock.now(),
    runId: run.id,
    engine: candidate.engine,
    ...(candidate.model !== undefined && { model: candidate.model }),
    ...(candidate.effort !== undefined && { effort: candidate.effort }),
    failed,
  };
  void noteInJournal(entry, deps);
}

const passedOver = ({ title, attempt: { failure } }: { title: string; attempt: Attempt }) =>
  `${title} could not take this: ${failure?.message ?? 'it gave no reason.'}`;
