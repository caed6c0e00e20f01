import { fileURLToPath } from 'node:url';
import { oneLine } from '../base/displayText.ts';
import { questionsOf } from '../cursor/calls/questions.ts';
import { requestHash } from '../cursor/calls/requestHash.ts';
import { fieldsOf, subjectOf } from '../cursor/calls/subject.ts';
import { versionOf } from '../cursor/calls/version.ts';
import type { PendingCall } from '../cursor/store/pending.ts';
import type { AskedQuestion, RequestField, RequestSession, RequestSubject } from '../protocol/request.ts';
import { type AskedCall, parentOf } from './askedCall.ts';

/** What is shown of a call, whatever becomes of it. */
export interface CallDetails {
  hash: string;
  fields: readonly RequestField[];
  body:
    | { kind: 'permission'; subject: RequestSubject }
    | { kind: 'question'; title: string; questions: readonly AskedQuestion[] };
}

const maxLine = 200;

export function detailsOf(call: PendingCall): CallDetails {
  const form = questionsOf(call);
  const body = form
    ? ({ kind: 'question', ...form } as const)
    : ({ kind: 'permission', subject: subjectOf(call) } as const);
  return { hash: requestHash(call), fields: fieldsOf(call), body };
}

/** What was asked, in one line. */
export function lineOf({ body }: CallDetails): string {
  if (body.kind === 'permission') return oneLine(lineOfSubject(body.subject), maxLine);
  return oneLine(body.title === '' ? (body.questions[0]?.prompt ?? 'Questions') : body.title, maxLine);
}

/** The session behind a call. `terminal`: where it runs, for people. */
export function sessionFor(
  { chat, main, sessionId, processes }: AskedCall,
  terminal: string | undefined,
): RequestSession {
  const argv = processes[0]?.argv;
  return {
    id: sessionId,
    cwd: cwdOf(main) ?? cwdOf(chat),
    title: titleOf(main),
    subagent: parentOf(chat) === undefined ? undefined : (chat.state?.meta.subagentInfo?.typeName ?? 'sub-agent'),
    terminal,
    version: argv && versionOf(argv),
  };
}

/** What a chat is about; empty where it does not say. */
export function titleOf({ info, state }: AskedCall['chat']): string {
  return info?.title ?? state?.meta.name ?? '';
}

/** The working folder of a chat's session, absolute. */
export function cwdOf({ info, state }: AskedCall['chat']): string | undefined {
  return info?.cwd ?? state?.workspaces.map(pathOf).find((path) => path !== undefined);
}

function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

function lineOfSubject(subject: RequestSubject): string {
  switch (subject.kind) {
    case 'command':
      return subject.command;
    case 'write':
    case 'replace':
    case 'delete':
      return subject.path;
    case 'patch':
      return subject.paths.join(', ');
    case 'fetch':
      return subject.url;
    case 'search':
      return subject.query;
    case 'mcpTool':
      return `${subject.server}: ${subject.tool}`;
    case 'modeSwitch':
      return `Switch to ${subject.mode}`;
    case 'other':
      return subject.tool;
  }
}
