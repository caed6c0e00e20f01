import type { SessionProcess } from '../cursor/session/liveness.ts';
import type { WatchedChat } from '../cursor/session/watchedChat.ts';
import type { AskedCall } from './askedCall.ts';

/**
 * Tells the children of a session that may be a pending call's from those that were there before any was pending, such as MCP
 * servers and what runs in the background.
 */
export class SessionChildren {
  readonly #helpers = new Map<number, ReadonlySet<number>>();

  update(chats: readonly WatchedChat[], asked: readonly AskedCall[]): void {
    const asking = new Set(asked.flatMap(({ processes }) => processes.map(({ pid }) => pid)));
    const alive = chats.flatMap(({ session }) => (session.state === 'alive' ? session.processes : []));
    const pids = new Set(alive.map(({ pid }) => pid));
    for (const pid of this.#helpers.keys()) if (!pids.has(pid)) this.#helpers.delete(pid);
    for (const { pid, children } of alive) if (!asking.has(pid)) this.#helpers.set(pid, new Set(children));
  }

  /** Whether none of them has a child that may be a pending call's. */
  areChildless(processes: readonly SessionProcess[]): boolean {
    return processes.every(({ pid, children }) => children.every((child) => this.#helpers.get(pid)?.has(child)));
  }
}
