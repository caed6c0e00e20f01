import type { Event } from '../base/event.ts';
import type { Key } from '../protocol/key.ts';

/** What is sent in one go: one key, or text that goes in literally (no control characters in it). */
export type Input = { key: Key } | { text: string };

/**
 * What a terminal is like at one moment. `ready`: `rows` is its screen, and a key would reach the agent. `held`: its screen can be
 * read, but a key would not reach the agent now (the pane is in copy mode; another program is in the foreground). `gone`: the
 * terminal, or the agent in it, is no more. `unreadable`: could not be asked; that may pass.
 */
export type Look =
  | { state: 'ready'; rows: readonly string[] }
  | { state: 'held'; rows: readonly string[]; why: string }
  | { state: 'gone'; why: string }
  | { state: 'unreadable'; why: string };

/** A terminal in which one certain agent process runs. */
export interface KeyTarget {
  /** The same for the same terminal and process in every window, different for any other: names its lock. */
  readonly id: string;
  /** For people: `tmux %3`, `Sallyport: greeter`. */
  readonly title: string;
  /** Fires when the screen may have changed, where the terminal tells; without it whoever cares must look again. */
  readonly onDidChange: Event<void> | undefined;
  /** Never rejects, except when aborted. */
  look(signal: AbortSignal): Promise<Look>;
  /** Sends one input. Rejects when it is not known to have been sent. The caller has looked right before. */
  send(input: Input, signal: AbortSignal): Promise<void>;
  /** Holds back what the person types into it until the returned lease is disposed; undefined where that cannot be done. */
  holdTyping?(): { dispose(): void };
}

/** Where a process's terminal was found. `place` is for showing it to the person. */
export type Located =
  { kind: 'target'; target: KeyTarget; place: Place } | { kind: 'unreachable'; why: string; place: Place | undefined };

/** A terminal that can be brought before the person's eyes. */
export type Place =
  | { kind: 'tmux'; socket: string; pane: string }
  | { kind: 'owned'; id: string }
  /** Perhaps in a terminal of this editor: the process and its ancestors, nearest first. */
  | { kind: 'process'; pids: readonly number[] };

/** Finds the terminal of a process. */
export interface Locator {
  /** Never rejects, except when aborted. `tty` is the absolute path of its controlling terminal. */
  locate(process: { pid: number; tty: string | undefined }, signal: AbortSignal): Promise<Located>;
}

/** One sender at a time for each terminal, in this process and all others of this user. */
export interface TerminalLocks {
  /** Waits for its turn. The lock ends with the returned lease, and with this process however that ends. Rejects when aborted. */
  take(targetId: string, signal: AbortSignal): Promise<{ dispose(): void }>;
}
