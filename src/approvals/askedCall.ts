import { createHash } from 'node:crypto';
import type { SessionProcess } from '../cursor/session/liveness.ts';
import { runsEverything } from '../cursor/session/runMode.ts';
import type { WatchedChat } from '../cursor/session/watchedChat.ts';
import type { PendingCall } from '../cursor/store/pending.ts';

/** A call that is pending in the store of a live session, with the session it belongs to. */
export interface AskedCall {
  /** The request's. */
  id: string;
  call: PendingCall;
  /** The chat whose store names it. */
  chat: WatchedChat;
  /** The chat of the session: the parent's for a sub-agent, where it is watched. */
  main: WatchedChat;
  /** The id of the session's chat, watched or not. */
  sessionId: string;
  runsEverything: boolean;
  processes: readonly SessionProcess[];
  /** Where it stands among the calls of its message that are still pending, from 0, and how many came with it. */
  place: number;
  batchSize: number;
}

/** Every pending call of these chats, sessions after one another: first their own, then those of their sub-agents. */
export function askedCalls(chats: readonly WatchedChat[]): AskedCall[] {
  const byAgent = new Map(chats.flatMap((chat) => idsOf(chat).map((id) => [id, chat] as const)));
  const asked = chats.flatMap((chat) => {
    const parent = parentOf(chat);
    const main = (parent === undefined ? undefined : byAgent.get(parent)) ?? chat;
    return callsOf(chat, main, parent === undefined ? chat.id : main === chat ? parent : main.id);
  });
  return asked.sort((one, two) => rank(one).localeCompare(rank(two)));
}

/** The chat that started this one; undefined when nobody did. */
export function parentOf({ state }: WatchedChat): string | undefined {
  const info = state?.meta.subagentInfo;
  return info?.rootParentAgentId ?? info?.parentAgentId;
}

/** Says nothing but which call of which chat it is. */
function requestId(chatId: string, toolCallId: string): string {
  return createHash('sha256')
    .update(JSON.stringify([chatId, toolCallId]))
    .digest('hex')
    .slice(0, 32);
}

function callsOf(chat: WatchedChat, main: WatchedChat, sessionId: string): AskedCall[] {
  const pending = chat.state?.pending ?? [];
  const processes = [chat, main].map(({ session }) => (session.state === 'alive' ? session.processes : []));
  const own = processes.find((each) => each.length > 0) ?? [];
  const isSilent =
    [chat, main].some(({ state }) => state?.runMode.runEverything === true) ||
    (own.length > 0 && own.every(({ argv }) => runsEverything(argv)));
  return pending.map((call) => {
    const batch = pending.filter((each) => each.batch === call.batch);
    return {
      id: requestId(chat.id, call.toolCallId),
      ...{ call, chat, main, sessionId },
      runsEverything: isSilent,
      processes: own,
      place: batch.indexOf(call),
      batchSize: batch.length,
    };
  });
}

function idsOf({ id, state }: WatchedChat): string[] {
  const agent = state?.meta.agentId;
  return agent === undefined ? [id] : [id, agent];
}

/** Sorting keeps the order of what ranks the same. */
function rank({ sessionId, main, chat }: AskedCall): string {
  return JSON.stringify([sessionId, main === chat ? 0 : 1, chat.folder]);
}
