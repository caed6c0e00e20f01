import type { KeyTarget } from './target.ts';

/** A terminal that Sallyport opened and whose screen it keeps. */
export interface OwnedTerminal {
  readonly id: string;
  /** The process that was started in it. */
  readonly pid: number;
  readonly target: KeyTarget;
}

/** The terminals that are open. */
export type OwnedTerminals = () => readonly OwnedTerminal[];
