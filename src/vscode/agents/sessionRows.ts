import { parentOf } from '../../approvals/askedCall.ts';
import { cwdOf, titleOf } from '../../approvals/describe.ts';
import type { SessionProcess } from '../../cursor/session/liveness.ts';
import type { WatchedChat } from '../../cursor/session/watchedChat.ts';
import type { Located } from '../../keys/target.ts';
import type { PendingRequest } from '../../protocol/request.ts';
import { isDelivered } from '../waiting/cardModel.ts';
import type { AgentRow, AgentState } from './agentRow.ts';

export interface RowsInput {
  chats: readonly WatchedChat[];
  requests: readonly PendingRequest[];
  locatedOf: (process: SessionProcess) => Located | undefined;
  /** Milliseconds since the epoch. */
  nowMs: number;
}

/** A model has the word for so long at most; then it may as well have been interrupted, which the chat does not say. */
export const maxThinkingMs = 10 * 60_000;

const order: readonly AgentState[] = ['waiting', 'mayBeWaiting', 'working', 'idle', 'unknown', 'ended'];

/** One row for each session: those that wait first, then by their folder. Sub-agents are told with their parent. Pure. */
export function agentRows({ chats, requests, locatedOf, nowMs }: RowsInput): AgentRow[] {
  const ids = new Set(chats.flatMap(({ id, state }) => [id, state?.meta.agentId ?? id]));
  const isOwn = (chat: WatchedChat): boolean => !ids.has(parentOf(chat) ?? '');
  return chats
    .filter(isOwn)
    .map((chat): AgentRow => {
      const children = chats.filter((each) => isChildOf(each, chat));
      const own = requests.filter(({ session, delivery }) => session.id === chat.id && !isDelivered(delivery));
      const processes = chat.session.state === 'alive' ? chat.session.processes : [];
      const waiting = own.filter(({ certainty }) => certainty === 'waiting');
      return {
        kind: 'agent',
        id: chat.folder,
        chatId: chat.id,
        cwd: cwdOf(chat),
        title: titleOf(chat),
        ...stateOf([chat, ...children], own, nowMs),
        requestId: (waiting[0] ?? own[0])?.id,
        waiting: waiting.length,
        writtenAtMs: chat.state?.writtenAtMs,
        subagents: children.map(({ state }) => state?.meta.subagentInfo?.typeName ?? 'sub-agent'),
        processes,
        located: processes.map(locatedOf).find((each) => each !== undefined),
      };
    })
    .sort(byNeed);
}

/** The same session once it has ended. */
export function endedRow(row: AgentRow): AgentRow {
  const nothing = {
    why: undefined,
    requestId: undefined,
    waiting: 0,
    subagents: [],
    processes: [],
    located: undefined,
  };
  return { ...row, ...nothing, state: 'ended' };
}

/** When a row may say something else by itself, in milliseconds since the epoch. */
export function expiryOf({ state, writtenAtMs }: AgentRow): number | undefined {
  return state === 'working' && writtenAtMs !== undefined ? writtenAtMs + maxThinkingMs : undefined;
}

function isChildOf(chat: WatchedChat, { id, state }: WatchedChat): boolean {
  const parent = parentOf(chat);
  return parent !== undefined && (parent === id || parent === state?.meta.agentId);
}

function stateOf(
  chats: readonly [WatchedChat, ...WatchedChat[]],
  requests: readonly PendingRequest[],
  nowMs: number,
): Pick<AgentRow, 'state' | 'why'> {
  const known = (state: AgentState) => ({ state, why: undefined });
  if (requests.some(({ certainty }) => certainty === 'waiting')) return known('waiting');
  if (requests.length > 0) return known('mayBeWaiting');
  const [{ session, state, problem }] = chats;
  if (session.state === 'unknown') return { state: 'unknown', why: session.why };
  if (chats.some((chat) => (chat.state?.pending.length ?? 0) > 0)) return known('working');
  if (!state || problem !== undefined) return { state: 'unknown', why: problem };
  if (state.turn === 'person') return known('idle');
  const isFresh = state.writtenAtMs !== undefined && nowMs - state.writtenAtMs < maxThinkingMs;
  return state.turn === 'agent' && isFresh ? known('working') : { state: 'unknown', why: state.why };
}

function byNeed(one: AgentRow, two: AgentRow): number {
  const rank = ({ state }: AgentRow) => order.indexOf(state);
  return rank(one) - rank(two) || (one.cwd ?? '').localeCompare(two.cwd ?? '') || one.id.localeCompare(two.id);
}
