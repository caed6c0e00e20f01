import * as z from 'zod';
import { formatHandle, parseHandle } from '../../delegation/handle.ts';
import type { Delegation } from '../../delegation/task.ts';
import type { RunRecord } from '../../journal/entry.ts';
import { followUpPrompt, modes } from '../prompts/followUp.ts';
import { type Ending, resultOf } from '../resultText.ts';
import { defineTool, Refusal, type ToolContext, type ToolResult } from '../tool.ts';
import { cwd } from './common.ts';

export const followUp = defineTool({
  name: 'follow_up',
  title: 'Follow up',
  // A session continues with its own access, which may be a writing one.
  access: 'workspaceWrite',
  description:
    'Asks an earlier worker more, with its context and access. Without a question: waits for its run and returns the result.',
  input: {
    session_id: z.string().describe('engine:id, ends every answer.'),
    question: z.string().optional().describe('Leave out to get the result.'),
    mode: z.enum(modes).optional().describe('Read-only: an answer, or a plan.'),
    cwd,
  },
  async run(input, context) {
    const handle = parseHandle(input.session_id);
    if (!handle) {
      const given = JSON.stringify(input.session_id.slice(0, 80));
      throw new Refusal(
        `session_id ${given} is not a session id. Copy it from the end of an earlier answer: engine:id.`,
      );
    }
    const session = formatHandle(handle);
    if (input.question === undefined) return fetchResult(session, context);
    if (input.question.trim() === '')
      throw new Refusal('question is empty. Ask something, or leave it out to fetch the result.');
    const { question, mode } = input;
    const folder = await folderOf(session, input.cwd, context);
    return context.work((delegation) =>
      delegation.followUp({
        tool: 'follow_up',
        handle: session,
        question: followUpPrompt(question, mode),
        ...(mode && { mode }),
        ...(folder !== undefined && { cwd: folder }),
      }),
    );
  },
});

/** The journal is shared by all windows: a session may only go on where this server may send workers. */
async function folderOf(
  session: string,
  wanted: string | undefined,
  context: ToolContext,
): Promise<string | undefined> {
  const delegation = await context.delegation();
  const known = delegation.findLive(session)?.record ?? (await delegation.findRecord(session));
  const folder = await context.folder(wanted ?? known?.origin ?? known?.cwd);
  return wanted === undefined && known ? undefined : folder;
}

async function fetchResult(session: string, context: ToolContext): Promise<ToolResult> {
  const delegation = await context.delegation();
  const live = delegation.findLive(session);
  if (live) return context.attend(live);
  const record = await delegation.findRecord(session);
  if (!record) {
    throw new Refusal(
      `No run of ${session} is known here. Check the session_id, or ask it a question to continue that session.`,
    );
  }
  const answer = await answerOf(record, delegation, context);
  delegation.noteReturned(record.runId, answer.text.length);
  return answer;
}

async function answerOf(record: RunRecord, delegation: Delegation, context: ToolContext): Promise<ToolResult> {
  const { engine, runId, sessionId } = record;
  const handle = formatHandle({ engine, id: sessionId ?? runId });
  switch (record.status) {
    case 'running':
      return { text: runsElsewhere(record, handle) };
    case 'lost':
      return resultOf(
        { ...lost, ...closedOf(record), runId, handle, files: record.files },
        context.settings.resultMaxChars,
      );
    case 'completed':
    case 'failed':
    case 'cancelled': {
      const { status, reason, files, closed } = record;
      const notes = closed === undefined ? record.notes : [closed, ...record.notes];
      const text = (await delegation.readResult(runId)) ?? record.message ?? gone;
      return resultOf(
        { runId, status, text, files, notes, handle, ...(reason && { reason }) },
        context.settings.resultMaxChars,
      );
    }
  }
}

const gone = 'Its result is no longer kept. Ask the session a question to have it said again.';

const lost: Pick<Ending, 'status' | 'text' | 'notes'> = {
  status: 'failed',
  text: 'The process that ran it ended before the run did, so there is no result. The files it had changed by then stay changed. Ask the session a question to continue.',
  notes: [],
};

/** What a run left in a worktree went with it. */
function closedOf({ closed }: RunRecord): { text?: string } {
  return closed === undefined ? {} : { text: closed };
}

function runsElsewhere({ owner, startedAt }: RunRecord, handle: string): string {
  const where = owner.kind === 'window' ? 'another editor window' : 'another server process';
  return [
    `Still running in ${where} (pid ${owner.pid}), since ${new Date(startedAt).toISOString()}. Only that process can be waited on; ask again later.`,
    '',
    `session_id: ${handle}`,
    'To fetch its result once it has ended: follow_up(session_id), without a question.',
  ].join('\n');
}
