import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { McpConnection, McpDeps } from '../../src/mcp/server.ts';
import { FakeDelegation, type FakeOptions } from './fakes/delegation.ts';
import { type Answer, connectInMemory, type McpTestClient } from './mcpClient.ts';
import { mcpDeps } from './mcpDeps.ts';

/** Workers that end at once, with a session and three words. */
export const answering: FakeOptions = { answer: () => ({ sessionId: 'abc-123', text: 'It is done.' }) };

/** Clients of the tools in memory, around workers that are none, and a small workspace with links that lead out of it. */
export class ToolBench {
  /** The folder around the workspace, absolute and real. */
  root = '';
  workspace = '';
  #clients: McpTestClient[] = [];

  open(): void {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-tools-')));
    this.workspace = join(this.root, 'workspace');
    mkdirSync(join(this.workspace, 'src'), { recursive: true });
    this.write('src/a.ts', '');
    writeFileSync(join(this.root, 'secret.txt'), '');
    symlinkSync(join(this.root, 'secret.txt'), join(this.workspace, 'leak.txt'));
    symlinkSync(this.root, join(this.workspace, 'up'));
    symlinkSync(this.workspace, join(this.root, 'alias'));
  }

  /** Writes a file of the workspace. */
  write(path: string, content: string | Uint8Array): void {
    writeFileSync(join(this.workspace, path), content);
  }

  async connect(
    options: FakeOptions,
    given: Partial<McpDeps> = {},
    roots?: string[],
  ): Promise<{ delegation: FakeDelegation; client: McpTestClient; server: McpConnection }> {
    const delegation = new FakeDelegation(options);
    const inWindow = { workspace: { kind: 'window', folders: () => [this.workspace] } } as const;
    const { client, server } = await connectInMemory(mcpDeps(delegation, { ...inWindow, ...given }), roots);
    this.#clients.push(client);
    return { delegation, client, server };
  }

  async disconnect(): Promise<void> {
    for (const client of this.#clients) await client.close();
    this.#clients = [];
  }

  close(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Opens a bench for the tests of the block it is called in. */
export function useToolBench(): ToolBench {
  const bench = new ToolBench();
  before(() => bench.open());
  afterEach(() => bench.disconnect());
  after(() => bench.close());
  return bench;
}

export function refused(answer: Answer, why: RegExp): void {
  assert.equal(answer.isError, true, answer.text);
  assert.match(answer.text, why);
}
