import { randomUUID } from 'node:crypto';
import { oneLine } from '../base/displayText.ts';
import type { Entry, RunRecord } from '../journal/entry.ts';
import type { EngineId } from '../protocol/model.ts';
import type { Verdict } from './answer.ts';
import type { DelegationDeps } from './deps.ts';
import type { Assigned } from './assigned.ts';
import type { RunResult } from './task.ts';

const maxTitleChars = 120;
/** Longer than a title: a secret is only known for one while it is whole. */
const firstLine = (prompt: string) => (prompt.trim().split('\n', 1)[0] ?? '').slice(0, 4_000);

type RecordDeps = Pick<DelegationDeps, 'clock' | 'owner' | 'redactor'>;

/** The record of a run that begins now, as its first candidate would carry it out. */
export function newRecord(job: Assigned, { clock, owner, redactor }: RecordDeps): RunRecord {
  const { task } = job;
  const first = job.candidates[0];
  return {
    runId: randomUUID(),
    startedAt: clock.now(),
    status: 'running',
    owner,
    tool: task.tool,
    engine: first?.engine ?? 'codex',
    ...(first?.model !== undefined && { model: first.model }),
    ...(first?.effort !== undefined && { effort: first.effort }),
    ...(first?.level !== undefined && { level: first.level }),
    access: task.access,
    ...(task.web && { web: task.web }),
    cwd: task.cwd,
    ...(job.origin !== undefined && { origin: job.origin }),
    ...(job.lead && { leads: job.lead.workers }),
    ...(job.own && { command: true }),
    ...(job.ledBy !== undefined && { ledBy: job.ledBy }),
    title: oneLine(redactor.quick(firstLine(task.prompt)), maxTitleChars),
    ...(job.resume && { resumes: job.resume.id, sessionId: job.resume.id }),
    charsRead: 0,
    charsReturned: 0,
    files: [],
    notes: [],
    moved: [],
  };
}

/** A run answers to its session's id, and to its own whichever engine took it in the end. */
export function answersTo(record: RunRecord, engine: EngineId, id: string): boolean {
  return record.runId === id || (record.engine === engine && record.sessionId === id);
}

/** The journal's first word of a run. */
export function startedEntry(record: RunRecord): Entry {
  const {
    runId,
    startedAt,
    owner,
    tool,
    engine,
    model,
    effort,
    level,
    access,
    web,
    cwd,
    origin,
    leads,
    command,
    ledBy,
    title,
    resumes,
  } = record;
  return {
    type: 'started',
    at: startedAt,
    runId,
    owner,
    tool,
    engine,
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { effort }),
    ...(level !== undefined && { level }),
    access,
    ...(web && { web }),
    cwd,
    ...(origin !== undefined && { origin }),
    ...(leads !== undefined && { leads }),
    ...(command && { command }),
    ...(ledBy !== undefined && { ledBy }),
    title,
    ...(resumes !== undefined && { resumes }),
  };
}

/** Its last word; `at` in ms since the epoch. */
export function endedEntry(result: RunResult, verdict: Verdict, at: number, { redactor }: RecordDeps): Entry {
  return {
    type: 'ended',
    at,
    runId: result.runId,
    status: result.status,
    ...(result.reason && { reason: result.reason }),
    ...(verdict.failure && { message: redactor.quick(verdict.failure.message) }),
    ...(result.usage && { usage: result.usage }),
    ...(verdict.end?.threadUsage && { threadUsage: verdict.end.threadUsage }),
    charsRead: verdict.end?.charsRead ?? verdict.charsRead ?? 0,
    files: result.files,
    ...(result.branch !== undefined && { branch: result.branch }),
    notes: result.notes,
  };
}
