import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const children = new Set<ChildProcessWithoutNullStreams>();

/** A program of the project under this Node, with its output gathered. */
export interface Child {
  process: ChildProcessWithoutNullStreams;
  out(): string;
  err(): string;
  /** The exit code, or the signal. */
  exited: Promise<number | string>;
}

/** Starts a source file with exactly this environment beside PATH. */
export function startChild(file: string, args: readonly string[] = [], env: Record<string, string> = {}): Child {
  const child = spawn(process.execPath, [file, ...args], { cwd: root, env: { PATH: process.env.PATH, ...env } });
  children.add(child);
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdin.on('error', () => undefined);
  const exited = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? ''));
  });
  void exited.then(() => children.delete(child));
  return { process: child, out: () => out, err: () => err, exited };
}

/** Ends what a failed test left behind. */
export function endChildren(): void {
  for (const child of children) child.kill('SIGKILL');
}

/** Polls until the condition holds; rejects with `what` after `ms`. */
export async function until(condition: () => boolean, what: string, ms = 5_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** One JSON-RPC message as a line. */
export function message(method: string, params: object, id?: number): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), method, params })}\n`;
}

/** What a client says first. */
export const hello =
  message(
    'initialize',
    { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    1,
  ) + message('notifications/initialized', {});
