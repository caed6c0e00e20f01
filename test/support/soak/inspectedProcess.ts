import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import * as z from 'zod';
import { eventually } from '../processes/runs.ts';

const replySchema = z.looseObject({
  id: z.number().exactOptional(),
  result: z.unknown(),
  error: z.looseObject({ message: z.string() }).exactOptional(),
});
const evaluatedSchema = z.looseObject({
  result: z.looseObject({ value: z.unknown() }),
  exceptionDetails: z.looseObject({ text: z.string() }).exactOptional(),
});
const targetsSchema = z.array(z.looseObject({ webSocketDebuggerUrl: z.string() }));

/** A running Node process, looked into by the protocol of its inspector. Linux only. */
export class InspectedProcess {
  readonly pid: number;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (reply: z.infer<typeof replySchema>) => void>();
  #sent = 0;

  private constructor(pid: number, socket: WebSocket) {
    this.pid = pid;
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const reply = replySchema.parse(JSON.parse(String(data)));
      if (reply.id !== undefined) this.#waiting.get(reply.id)?.(reply);
    });
    socket.addEventListener('close', () => {
      for (const settle of this.#waiting.values())
        settle({ error: { message: 'the process has ended' }, result: null });
    });
  }

  /**
   * Has a process open its inspector, on Node's usual port: the editor keeps the variable that would name another one from its
   * extension host. The caller closes it.
   */
  static async open(pid: number): Promise<InspectedProcess> {
    const before = await listeningPorts(pid);
    process.kill(pid, 'SIGUSR1');
    let url: string | undefined;
    await eventually(
      'the inspector listens (another one on its port, 9229, would keep it from that)',
      async () => {
        for (const port of await listeningPorts(pid)) {
          if (!before.has(port)) url ??= await addressAt(port);
        }
        return url !== undefined;
      },
      30_000,
    );
    const socket = new WebSocket(url ?? '');
    await once(socket, 'open');
    return new InspectedProcess(pid, socket);
  }

  /** The value of an expression, as JSON carries it. */
  async evaluate(expression: string): Promise<unknown> {
    const reply = await this.#call('Runtime.evaluate', { expression, returnByValue: true });
    const { result, exceptionDetails } = evaluatedSchema.parse(reply);
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result.value;
  }

  /** Lets go of all that nobody refers to. Twice, because finalizers run after the first time. */
  async collectGarbage(): Promise<void> {
    for (const _ of [1, 2]) await this.#call('HeapProfiler.collectGarbage');
  }

  close(): void {
    this.#socket.close();
  }

  async #call(method: string, params: Record<string, unknown> = {}): Promise<unknown> {
    const id = ++this.#sent;
    const { promise, resolve } = Promise.withResolvers<z.infer<typeof replySchema>>();
    this.#waiting.set(id, resolve);
    this.#socket.send(JSON.stringify({ id, method, params }));
    const { result, error } = await promise;
    this.#waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }
}

/** proc_pid_net(5): the local address in hex and the state (0A: listening) stand before the inode, the tenth field. */
async function listeningPorts(pid: number): Promise<Set<number>> {
  const fds = await readdir(`/proc/${pid}/fd`);
  const links = await Promise.all(fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  const ports = (await readFile(`/proc/${pid}/net/tcp`, 'utf8')).split('\n').flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    const isOwn = fields[3] === '0A' && links.includes(`socket:[${fields[9] ?? ''}]`);
    return isOwn ? [Number.parseInt(fields[1]?.split(':')[1] ?? '', 16)] : [];
  });
  return new Set(ports);
}

async function addressAt(port: number): Promise<string | undefined> {
  const response = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => undefined);
  return response && targetsSchema.parse(await response.json())[0]?.webSocketDebuggerUrl;
}
