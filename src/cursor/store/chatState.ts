import type { RunMode } from '../session/runMode.ts';
import type { ChatMeta } from './chatMeta.ts';
import type { PendingCall } from './pending.ts';
import type { UnreadableReason } from './storeUnreadable.ts';

/**
 * What a chat's store says at one moment.
 *
 * `known`: the layout is the one that was checked. `unknownLayout`: something about pending calls lies where it is not known
 * to lie; `pending` is what a search found and may be incomplete. `unknown`: nothing can be said, which never means that
 * nothing is pending: whoever has an earlier state keeps it.
 */
export type ChatState = ReadChat | UnreadChat;

export interface ReadChat {
  certainty: 'known' | 'unknownLayout';
  /** For people; undefined when there is nothing to explain. */
  why: string | undefined;
  meta: ChatMeta;
  /** What the session decides by itself, by the store alone: the arguments of its process may say more. */
  runMode: RunMode;
  /** SHA-256 of the root blob in hex; undefined before the first message. */
  headId: string | undefined;
  /** When the head was written, in milliseconds since the epoch. */
  writtenAtMs: number | undefined;
  messageCount: number;
  /**
   * Whose turn it is, by the newest message: the agent's after words of the person or a tool's result (or it was interrupted
   * then: the store does not say), the person's after words of the agent alone. Undefined where that message does not tell.
   */
  turn: 'agent' | 'person' | undefined;
  /** URIs of the workspace's folders. */
  workspaces: readonly string[];
  surface: string | undefined;
  /** Calls under way, in order. */
  pending: readonly PendingCall[];
  /** False while older messages were not looked at: one of them might say that a pending call is over. Read again. */
  historyComplete: boolean;
}

export interface UnreadChat {
  certainty: 'unknown';
  why: string;
  reason: UnreadableReason;
}
