import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** The child processes of approved commands: real ones, so that the agent is seen to have them. */
export class Commands {
  readonly #live = new Set<ChildProcess>();

  /** Runs something for so long, and returns what came of it. Never rejects. */
  async run(ms: number, signal: AbortSignal): Promise<string> {
    if (ms > 0 && !signal.aborted) {
      const child = spawn('sleep', [String(ms / 1000)], { stdio: 'ignore' });
      const stop = (): void => void child.kill('SIGKILL');
      this.#live.add(child);
      signal.addEventListener('abort', stop);
      await once(child, 'close').catch(() => undefined);
      signal.removeEventListener('abort', stop);
      this.#live.delete(child);
    }
    return signal.aborted ? 'Aborted by the user' : `Exit code: 0\n\nCommand completed in ${ms} ms.`;
  }

  /** Ends all of them. */
  stop(): void {
    for (const child of this.#live) child.kill('SIGKILL');
  }
}
