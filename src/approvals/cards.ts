import { canGate } from '../cursor/calls/gates.ts';
import { isCovered } from '../cursor/session/allowRules.ts';
import { paintMs, settle, type SettleFacts, type Settled } from '../requests/settle.ts';
import { cwdOf } from './describe.ts';
import type { ScreenFact, SessionTerminal } from './sessionTerminal.ts';
import { isAccepted, isAnswered, type Track } from './track.ts';

/** Which of several terminals counts: what is certain comes first. */
const facts: readonly ScreenFact[] = ['ownPrompt', 'unreadable', 'unrecognised', 'withoutPrompt'];

/** What the terminals of a call say about it. Without any it cannot be seen. */
export function screenOf({ asked }: Track, terminals: readonly SessionTerminal[]): ScreenFact {
  const found = terminals.map((terminal) => terminal.factOf(asked.id));
  return facts.find((fact) => found.includes(fact)) ?? 'unreadable';
}

/** Whether a call waits, as far as its own screen and the time tell. Times in milliseconds since the epoch. */
export function settledOf(track: Track, screen: ScreenFact, settleMs: number, now: number): Settled {
  const { session } = track.asked.chat;
  const seen: SettleFacts = {
    runsEverything: track.asked.runsEverything,
    session: session.state,
    screen,
    canGate: canGate(track.asked.call.toolName),
    isCovered: isAllowed(track),
    pendingForMs: now - track.pendingSinceMs,
    childlessForMs: track.childlessSinceMs === undefined ? 0 : now - track.childlessSinceMs,
  };
  return settle(seen, settleMs);
}

/** Whether the call waits behind another one of its batch whose prompt is, or was a moment ago, on the screen. */
export function noteLater(track: Track, all: readonly Track[], now: number): boolean {
  const { asked, promptSeen } = track;
  if (promptSeen || asked.runsEverything || !canGate(asked.call.toolName) || isAllowed(track)) return false;
  if (all.some((other) => leads(other, track))) track.laterUntilMs = now + paintMs;
  return now < track.laterUntilMs;
}

/** It is the one that the batch waits for. */
function leads(other: Track, { asked }: Track): boolean {
  const isSameBatch = other.asked.chat.folder === asked.chat.folder && other.asked.call.batch === asked.call.batch;
  if (!isSameBatch || other.asked.place >= asked.place) return false;
  return isAnswered(other) ? !isAccepted(other) : other.promptSeen && other.card?.certainty === 'waiting';
}

function isAllowed({ asked }: Track): boolean {
  const { chat, main, call } = asked;
  const cwd = cwdOf(chat) ?? cwdOf(main);
  return cwd !== undefined && isCovered(call, chat.permissions, cwd);
}
