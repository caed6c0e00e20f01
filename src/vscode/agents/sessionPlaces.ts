import { Emitter } from '../../base/event.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { SessionProcess } from '../../cursor/session/liveness.ts';
import type { Located, Locator } from '../../keys/target.ts';

type Process = Pick<SessionProcess, 'pid' | 'tty'>;

/** Where the terminals of sessions are: each is looked for once, and again only when asked to. */
export class SessionPlaces implements Disposable {
  readonly #locate: Locator['locate'];
  readonly #ending = new AbortController();
  readonly #changes = new Emitter<void>();
  readonly #found = new Map<string, Located | 'sought'>();
  readonly onDidChange = this.#changes.event;

  constructor(locate: Locator['locate']) {
    this.#locate = locate;
  }

  of(process: Process): Located | undefined {
    const found = this.#found.get(keyOf(process));
    return found === 'sought' ? undefined : found;
  }

  /** Looks for those of these processes that were not looked for yet, and forgets all others. */
  seek(processes: readonly Process[]): void {
    const keys = new Set(processes.map(keyOf));
    for (const key of this.#found.keys()) if (!keys.has(key)) this.#found.delete(key);
    for (const process of processes) if (!this.#found.has(keyOf(process))) void this.#seekOne(process);
  }

  /** Has those looked for again that nobody can type into: they may have come back to a terminal. */
  forgetUnreachable(): void {
    for (const [key, found] of this.#found) {
      if (found !== 'sought' && found.kind === 'unreachable') this.#found.delete(key);
    }
  }

  dispose(): void {
    this.#ending.abort();
    this.#changes.dispose();
  }

  async #seekOne(process: Process): Promise<void> {
    const key = keyOf(process);
    this.#found.set(key, 'sought');
    // It only rejects when aborted.
    const found = await this.#locate(process, this.#ending.signal).catch(() => undefined);
    if (!found || !this.#found.has(key)) return;
    this.#found.set(key, found);
    this.#changes.fire();
  }
}

const keyOf = ({ pid, tty }: Process) => `${pid} ${tty ?? ''}`;
