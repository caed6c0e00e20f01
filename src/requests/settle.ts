/** What is known of a pending call at one moment. */
export interface SettleFacts {
  /** The session asks about nothing, or this process was told not to. */
  runsEverything: boolean;
  session: 'alive' | 'dead' | 'unknown';
  /**
   * `ownPrompt`: it shows the call's own prompt. `withoutPrompt`: it can be read and does not. `unrecognised`: it can be read, but
   * not what it shows: perhaps a prompt of an unknown version. `unreadable`: there is no terminal, or it cannot be read.
   */
  screen: 'ownPrompt' | 'withoutPrompt' | 'unrecognised' | 'unreadable';
  /** Calls of this kind are asked about. */
  canGate: boolean;
  /** The person's rules let it run without a question. */
  isCovered: boolean;
  /** Since it appeared, without a break. */
  pendingForMs: number;
  /** For how long no child of the session was alive that may be this call's; 0 while there is one. */
  childlessForMs: number;
}

/** Whether a pending call waits for the person. `lookAgainInMs`: when that may be different though nothing else happens. */
export interface Settled {
  verdict: 'none' | 'mayBeWaiting' | 'waiting';
  lookAgainInMs: number | undefined;
}

/** How often a screen is looked at whose prompt may not be painted yet. */
export const unsettledLookMs = 150;
/** The store leads the screen by up to 3.8 s. */
export const paintMs = 5000;
/** A call that runs has a child, mostly; without one for so long it is taken to wait. */
const childlessMs = 10_000;

const none: Settled = { verdict: 'none', lookAgainInMs: undefined };
const waiting: Settled = { verdict: 'waiting', lookAgainInMs: undefined };

/**
 * Decides by the first row of this table that applies, since a store tells a waiting call from a running one by nothing.
 * `settleMs`: how long a call must be pending before it may be said to wait where the screen says nothing.
 */
export function settle(facts: SettleFacts, settleMs: number): Settled {
  if (facts.runsEverything || facts.session === 'dead') return none;
  switch (facts.screen) {
    case 'ownPrompt':
      return waiting;
    case 'withoutPrompt':
      return facts.pendingForMs < paintMs ? { verdict: 'none', lookAgainInMs: unsettledLookMs } : none;
    case 'unrecognised':
      return quietly(settleUnseen(facts, settleMs));
    case 'unreadable':
      return settleUnseen(facts, settleMs);
  }
}

/** The screen says nothing: by the kind of the call, and by time. */
function settleUnseen({ canGate, isCovered, pendingForMs, childlessForMs }: SettleFacts, settleMs: number): Settled {
  if (!canGate || isCovered) return none;
  const leftMs = childlessMs - Math.min(pendingForMs, childlessForMs);
  if (leftMs <= 0) return waiting;
  if (pendingForMs < settleMs) return { verdict: 'none', lookAgainInMs: Math.min(settleMs - pendingForMs, leftMs) };
  return { verdict: 'mayBeWaiting', lookAgainInMs: leftMs };
}

/** Where there is a screen, nothing is said of it before it is certain enough to ask for the person. */
function quietly(settled: Settled): Settled {
  return settled.verdict === 'mayBeWaiting' ? { ...settled, verdict: 'none' } : settled;
}
