import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { SessionCommand } from './sessionProcess.ts';

const program = fileURLToPath(new URL('sessionProcess.ts', import.meta.url));

/** A process that holds a chat store and writes to it as cursor-agent does. */
export class Session {
  readonly id: string;
  /** The chat's. */
  readonly folder: string;
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;

  private constructor(child: ChildProcess, lines: Interface, folder: string, id: string) {
    this.#child = child;
    this.#answers = lines[Symbol.asyncIterator]();
    this.folder = folder;
    this.id = id;
  }

  /** Resolves once the chat is there. */
  static async start(
    root: string,
    { cwd = '/work', id = randomUUID(), subagent = false }: { cwd?: string; id?: string; subagent?: boolean } = {},
  ): Promise<Session> {
    const args = [program, root, cwd, id, ...(subagent ? ['subagent'] : [])];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout });
    const session = new Session(child, lines, folderOf(root, cwd, id), id);
    await session.#answers.next();
    return session;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Returns the time at which it was done, in milliseconds since the epoch, with fractions. */
  async tell(command: SessionCommand): Promise<number> {
    this.#child.stdin?.write(`${JSON.stringify(command)}\n`);
    const answer = await this.#answers.next();
    if (answer.done === true) throw new Error('the session has ended');
    return Number(answer.value);
  }

  /** Ends as a clean exit does. */
  async exit(): Promise<void> {
    await this.#end(() => this.#child.stdin?.end());
  }

  /** kill -9. */
  async kill(): Promise<void> {
    await this.#end(() => this.#child.kill('SIGKILL'));
  }

  async #end(how: () => void): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'close');
    how();
    await gone;
  }
}

/** Where cursor-agent keeps a chat. */
export function folderOf(root: string, cwd: string, id: string): string {
  return join(root, 'chats', createHash('md5').update(cwd).digest('hex'), id);
}
