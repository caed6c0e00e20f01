import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { WatchedChat } from '../cursor/session/watchedChat.ts';
import type { Locator } from '../keys/target.ts';
import { paintMs, unsettledLookMs } from '../requests/settle.ts';
import type { AskedCall } from './askedCall.ts';
import { SessionTerminal } from './sessionTerminal.ts';

export interface TerminalsDeps {
  locator: Locator;
  clock: Clock;
  onDidLook: () => void;
}

interface Entry {
  terminal: SessionTerminal;
  calls: readonly AskedCall[];
  /** The states of the chats in it that were last seen, to look again when one moves on. */
  chats: ReadonlySet<WatchedChat>;
  /** Since when each call is pending, in milliseconds since the epoch. */
  sinceMs: Map<string, number>;
}

const cardPaceMs = 500;

/** The terminals of the sessions that have pending calls: each process is located once, and looked at only while calls are pending. */
export class Terminals implements Disposable {
  readonly #deps: TerminalsDeps;
  readonly #entries = new Map<string, Entry>();

  constructor(deps: TerminalsDeps) {
    this.#deps = deps;
  }

  /** Takes on what is pending now. `chats`: all that are watched. */
  update(asked: readonly AskedCall[], chats: readonly WatchedChat[]): void {
    const alive = new Set(
      chats.flatMap(({ session }) => (session.state === 'alive' ? session.processes.map(keyOf) : [])),
    );
    for (const [key, { terminal }] of this.#entries) {
      if (alive.has(key)) continue;
      terminal.dispose();
      this.#entries.delete(key);
    }
    const processes = new Map(
      asked.flatMap((each) => each.processes.map((process) => [keyOf(process), process] as const)),
    );
    for (const [key, { pid, tty }] of processes) if (!this.#entries.has(key)) this.#add(key, { pid, tty });
    for (const [key, entry] of this.#entries) {
      this.#take(
        entry,
        asked.filter(({ processes: own }) => own.some((process) => keyOf(process) === key)),
      );
    }
  }

  of({ processes }: AskedCall): SessionTerminal[] {
    return processes.flatMap((process) => this.#entries.get(keyOf(process))?.terminal ?? []);
  }

  /** The calls that are pending in this terminal. */
  callsIn(terminal: SessionTerminal): readonly AskedCall[] {
    return [...this.#entries.values()].find((entry) => entry.terminal === terminal)?.calls ?? [];
  }

  dispose(): void {
    for (const { terminal } of this.#entries.values()) terminal.dispose();
    this.#entries.clear();
  }

  #add(key: string, process: { pid: number; tty: string | undefined }): void {
    const { locator, clock, onDidLook } = this.#deps;
    const calls = (): readonly AskedCall[] => this.#entries.get(key)?.calls ?? [];
    const terminal = new SessionTerminal({ process, locator, clock, onDidLook, calls });
    this.#entries.set(key, { terminal, calls: [], chats: new Set(), sinceMs: new Map() });
  }

  #take(entry: Entry, calls: readonly AskedCall[]): void {
    const now = this.#deps.clock.now();
    const chats = new Set(calls.map(({ chat }) => chat));
    const hasMoved = [...chats].some((chat) => !entry.chats.has(chat));
    const sinceMs = new Map(calls.map(({ id }) => [id, entry.sinceMs.get(id) ?? now]));
    const hasNew = calls.some(({ id }) => !entry.sinceMs.has(id));
    Object.assign(entry, { calls, chats, sinceMs });
    entry.terminal.retain(new Set(sinceMs.keys()));
    if (hasNew) entry.terminal.relocate();
    entry.terminal.setPace(hasMoved ? 0 : this.#paceOf(entry, now));
  }

  #paceOf({ terminal, calls, sinceMs }: Entry, now: number): number | undefined {
    const asking = calls.filter((call) => !call.runsEverything);
    if (asking.length === 0) return undefined;
    const isFresh = asking.some(({ id }) => now - (sinceMs.get(id) ?? now) < paintMs && !terminal.shows(id));
    const hasChanged = now - terminal.changedAtMs < paintMs && asking.some(({ id }) => !terminal.shows(id));
    if (isFresh || hasChanged || terminal.isUncertain) return unsettledLookMs;
    const tells = terminal.target?.onDidChange !== undefined;
    return terminal.shownCount > 0 || !tells ? cardPaceMs : undefined;
  }
}

function keyOf({ pid, tty }: { pid: number; tty: string | undefined }): string {
  return `${pid} ${tty ?? ''}`;
}
