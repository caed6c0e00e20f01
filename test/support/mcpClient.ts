import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { CallToolResultSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createMcpServer, type McpConnection, type McpDeps } from '../../src/mcp/server.ts';

/** What a tool answered. */
export interface Answer {
  text: string;
  isError: boolean;
}

/** The SDK's own client with the few calls tests make. */
export class McpTestClient {
  readonly client: Client;

  private constructor(client: Client) {
    this.client = client;
  }

  /** Connects over any transport. `roots` are folder URIs the client offers; without them it has no such capability. */
  static async connect(transport: Transport, roots?: readonly string[]): Promise<McpTestClient> {
    const client = new Client({ name: 'test', version: '1' }, { capabilities: roots ? { roots: {} } : {} });
    if (roots) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots.map((uri) => ({ uri })) }));
    await client.connect(transport);
    return new McpTestClient(client);
  }

  async call(name: string, args: Record<string, unknown> = {}, options?: RequestOptions): Promise<Answer> {
    const result = await this.client.request(
      { method: 'tools/call', params: { name, arguments: args } },
      CallToolResultSchema,
      options,
    );
    const text = result.content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
    return { text, isError: result.isError ?? false };
  }

  /** The text of a resource. */
  async read(uri: string): Promise<string> {
    const { contents } = await this.client.readResource({ uri });
    return contents.map((content) => ('text' in content ? content.text : '[bytes]')).join('\n');
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** A client and a server in one process. */
export async function connectInMemory(
  deps: McpDeps,
  roots?: readonly string[],
): Promise<{ client: McpTestClient; server: McpConnection }> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = createMcpServer(deps);
  await server.connect(far);
  return { client: await McpTestClient.connect(near, roots), server };
}
