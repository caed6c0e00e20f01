import type { Decision, Understood } from './log.ts';

/** What became of a key: in words, and the decision if it was one. */
export interface Effect {
  did: string;
  decision?: Decision;
  /** What the decision brings with it, for what comes after. */
  also?: 'allow' | 'everything';
}

/** Something at the bottom of the screen that waits for keys. */
export interface Dialog {
  rows(width: number): string[];
  /** Whether letters go into an input line now. */
  readonly isTyping: boolean;
  /** Whether it takes Ctrl+C, which otherwise stops the turn. */
  readonly takesStop?: boolean;
  receive(input: Understood): Effect;
}

/** The keys that move along a list, and how far. */
export const moves: ReadonlyMap<string, number> = new Map([
  ['Up', -1],
  ['Down', 1],
]);
