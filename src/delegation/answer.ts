import type { Clock } from '../base/clock.ts';
import type { RunRecord } from '../journal/entry.ts';
import type { Failure } from '../protocol/model.ts';
import type { Attempt } from './attempt.ts';
import { formatHandle } from './handle.ts';
import { madeUpConsent } from './madeUpConsent.ts';
import type { Redacted, Redactor } from './redact.ts';
import type { RunEnd } from './run.ts';
import type { RunFolders } from './runFolder.ts';
import type { RunResult, Task } from './task.ts';

/** How a run was decided: the last attempt, with what the reader should know besides. */
export interface Verdict extends Partial<Attempt> {
  /** It was no run at all: what was asked could not be begun. */
  refused?: true;
  /** The answer, redacted, where it is that of other runs; and the session to ask about it. */
  led?: { text: string; handle?: string };
  /** The branch its changes came back as. */
  branch?: string;
  /** Characters of what was read, where no worker printed them. */
  charsRead?: number;
  notes: string[];
}

export interface AnswerDeps {
  clock: Clock;
  redactor: Redactor;
  folders: RunFolders;
}

/** The first ones tell the most, and a result is short. */
const maxUnasked = 5;

/** What of a task has a say in its answer. */
type Asked = Pick<Task, 'check'>;

/**
 * Turns a verdict into the result people and callers get, and keeps its text in the run's folder. An answer that could
 * not be looked through for secrets is held back: that is then the failure.
 */
export async function answerOf(
  record: RunRecord,
  asked: Asked,
  verdict: Verdict,
  deps: AnswerDeps,
): Promise<RunResult> {
  try {
    return await answer(record, asked, verdict, deps);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const failure: Failure = { reason: 'environment', message };
    return bareResult(record, { ...verdict, failure }, message, deps);
  }
}

async function answer(record: RunRecord, asked: Asked, verdict: Verdict, deps: AnswerDeps): Promise<RunResult> {
  const { end } = verdict;
  const redacted = await deps.redactor.redact(rawText(verdict));
  const unchecked = redacted.text.trim() === '' ? 'The worker ended without an answer.' : redacted.text;
  const checked = (verdict.failure ? undefined : await asked.check?.(unchecked)) ?? { text: unchecked, notes: [] };
  const failure = verdict.failure ?? checked.failure;
  const text = checked.failure?.message ?? checked.text;
  const notes = [...(await consentNotes(text, end, deps.redactor))];
  if (end || verdict.led) notes.push(...(await keep(record.runId, text, deps.folders)));
  for (const note of verdict.notes) notes.push((await deps.redactor.redact(note)).text);
  return {
    ...bareResult(record, { ...verdict, ...(failure && { failure }) }, text, deps),
    notes: [...notes, ...checked.notes, ...redactionNote(redacted)],
  };
}

/** What must stand at the top, lest a result pass for the consent of a person. */
async function consentNotes(text: string, end: RunEnd | undefined, redactor: Redactor): Promise<string[]> {
  const notes = [madeUpConsent(text)].filter((note) => note !== undefined);
  for (const decided of end?.unasked.slice(0, maxUnasked) ?? []) {
    notes.push(`Nobody was asked. ${(await redactor.redact(decided)).text}`);
  }
  return notes;
}

function rawText({ failure, end, led }: Verdict): string {
  if (led) return led.text;
  if (failure) return failureText(failure, end?.lastMessage);
  return end?.outcome.status === 'completed' ? end.outcome.text : '';
}

/** A disk that is full costs the copy that outlives this process, never the answer. */
async function keep(runId: string, text: string, folders: RunFolders): Promise<string[]> {
  try {
    await folders.keepResult(runId, text);
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const next = 'Free space in the folder for its state, or check who may write there.';
    return [`This result is not kept for later (${why}): it is gone when Sallyport ends. ${next}`];
  }
}

/** Everything of a result but its notes, which may need redaction. */
function bareResult(
  record: RunRecord,
  { failure, files, end, led, branch }: Verdict,
  text: string,
  deps: AnswerDeps,
): RunResult {
  return {
    runId: record.runId,
    status: failure ? (failure.reason === 'cancelled' ? 'cancelled' : 'failed') : 'completed',
    ...(failure && { reason: failure.reason }),
    text,
    ...(record.sessionId !== undefined && { handle: formatHandle({ engine: record.engine, id: record.sessionId }) }),
    ...(led?.handle !== undefined && { handle: led.handle }),
    engine: record.engine,
    ...(record.model !== undefined && { model: record.model }),
    access: record.access,
    cwd: record.cwd,
    durationMs: deps.clock.now() - record.startedAt,
    notes: [],
    files: files ?? [],
    ...(branch !== undefined && { branch }),
    ...(end?.usage && { usage: end.usage }),
  };
}

function failureText({ message }: Failure, lastMessage: string | undefined): string {
  return lastMessage === undefined ? message : `${message}\n\nThe worker's last message before that:\n\n${lastMessage}`;
}

function redactionNote({ found }: Redacted): string[] {
  if (found.length === 0) return [];
  const kinds = found.map(({ rule, count }) => (count > 1 ? `${rule} (${count} times)` : rule));
  return [`Secrets were taken out of the answer: ${kinds.join(', ')}.`];
}
