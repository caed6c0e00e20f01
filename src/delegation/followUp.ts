import type { Resume } from '../engines/engine.ts';
import type { RunRecord } from '../journal/entry.ts';
import type { Access, Failure, SessionHandle } from '../protocol/model.ts';
import type { Job } from './job.ts';
import type { FollowUp } from './task.ts';
import type { Candidate } from './tiers.ts';

/**
 * What a follow-up comes to. `known` are the journal's records of the handle, newest first. Nobody may take over: only
 * the engine that has the session can continue it. A run of the session in this process is waited for later; for one in
 * another process nobody can wait.
 */
export function followUpJob(
  followUp: FollowUp,
  handle: SessionHandle | undefined,
  known: readonly RunRecord[],
  allowWiden: boolean,
  isLiveHere: (runId: string) => boolean = () => false,
): Job {
  const newest = known[0];
  const { access, notes } = accessOf(followUp, known, allowWiden);
  const busy = known.find(({ runId, status }) => status === 'running' && !isLiveHere(runId));
  const closed = known.find((record) => record.closed !== undefined)?.closed;
  const refused = problemOfFollowUp(followUp, handle, newest, busy, closed);
  const candidate: Candidate = {
    engine: handle?.engine ?? 'codex',
    ...(newest?.model !== undefined && { model: newest.model }),
    ...(newest?.effort !== undefined && { effort: newest.effort }),
    ...(newest?.level !== undefined && { level: newest.level }),
  };
  return {
    task: {
      tool: followUp.tool,
      prompt: followUp.question,
      access,
      ...(known.at(-1)?.web && { web: true }),
      cwd: followUp.cwd ?? newest?.cwd ?? '',
      choice: { by: 'tier', tier: candidate },
      ...(followUp.timeoutMs !== undefined && { timeoutMs: followUp.timeoutMs }),
    },
    candidates: [candidate],
    ...(handle && { resume: resumeOf(handle.id, known) }),
    ...(followUp.cwd === undefined && newest?.origin !== undefined && { origin: newest.origin }),
    notes,
    ...(refused && { refused }),
  };
}

/** The session that an id (its own, or that of a run) stands for. `known` are its records, newest first. */
export function resumeOf(id: string, known: readonly RunRecord[]): Resume {
  const threadUsage = known.find((record) => record.threadUsage)?.threadUsage;
  return { id: known[0]?.sessionId ?? id, ...(threadUsage && { threadUsage }) };
}

/** A session keeps the access of the run that began it; `mode` narrows it, and only the person's setting widens it. */
function accessOf(
  { mode }: FollowUp,
  known: readonly RunRecord[],
  allowWiden: boolean,
): { access: Access; notes: string[] } {
  const first = known.at(-1);
  if (!first) {
    return {
      access: 'readOnly',
      notes: ['This session is not in the journal, so its access is unknown: the follow-up ran read-only.'],
    };
  }
  if (mode !== undefined) return { access: 'readOnly', notes: [] };
  if (first.access === 'readOnly' && allowWiden) {
    return {
      access: 'workspaceWrite',
      notes: ['The session began read-only; sallyport.followUp.allowWiden let this follow-up write.'],
    };
  }
  return { access: first.access, notes: [] };
}

function problemOfFollowUp(
  followUp: FollowUp,
  handle: SessionHandle | undefined,
  newest: RunRecord | undefined,
  busy: RunRecord | undefined,
  closed: string | undefined,
): Failure | undefined {
  const bad = (message: string): Failure => ({ reason: 'badRequest', message });
  if (!handle) {
    return bad(
      `${JSON.stringify(followUp.handle.slice(0, 80))} is no session. Pass the session_id line of an earlier result, such as codex:0199a213-….`,
    );
  }
  if (closed !== undefined) return bad(closed);
  if (newest?.leads !== undefined) {
    return bad('It sent out other workers and has no session of its own. Ask one of those that its result names.');
  }
  if (newest?.command && newest.sessionId === undefined) {
    return bad('It was a command and has no session. Ask the agent that filtered its output, if its result names one.');
  }
  if (busy) {
    return bad(
      `The session is at work in another window or server (pid ${busy.owner.pid}). Ask it once that run has ended.`,
    );
  }
  if (newest && newest.sessionId === undefined) {
    if (newest.status === 'running') {
      return bad('Its session has not begun yet. Fetch the result of that run first, then ask.');
    }
    return bad(
      `That run ended before its ${handle.engine} session began, so there is nothing to continue. Delegate anew.`,
    );
  }
  if (handle.engine === 'claude' && newest && followUp.cwd !== undefined && followUp.cwd !== newest.cwd) {
    return bad(`Claude Code finds a session only in the folder it began in. Leave cwd out, or pass ${newest.cwd}.`);
  }
  if (!newest && followUp.cwd === undefined) {
    return bad('This session is not in the journal, so its folder is unknown. Pass cwd.');
  }
  return undefined;
}
