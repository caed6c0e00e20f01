import assert from 'node:assert/strict';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ListToolsResultSchema } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { createMcpServer } from '../../src/mcp/server.ts';
import { FakeDelegation } from '../support/fakes/delegation.ts';
import { McpTestClient } from '../support/mcpClient.ts';
import { mcpDeps } from '../support/mcpDeps.ts';

/** Characters that all of them and the instructions may take together, and one tool of them. */
const limit = 9_000;
const limitOfOne = 1_000;

const answerSchema = z.object({ result: z.record(z.string(), z.unknown()) });

/** What the server answers to a client's first two requests, whole, as it goes over the wire. */
async function firstAnswers(): Promise<{ initialize: Record<string, unknown>; toolsList: Record<string, unknown> }> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const sent: Record<string, unknown>[] = [];
  const send = far.send.bind(far);
  far.send = (message, options) => {
    sent.push(answerSchema.parse(message).result);
    return send(message, options);
  };
  await createMcpServer(mcpDeps(new FakeDelegation({}))).connect(far);
  const client = await McpTestClient.connect(near);
  await client.client.listTools();
  await client.close();
  const [initialize, toolsList] = sent;
  if (initialize === undefined || toolsList === undefined) throw new Error('the server did not answer');
  return { initialize, toolsList };
}

describe('what every caller pays before the first call', () => {
  let first: Awaited<ReturnType<typeof firstAnswers>>;
  before(async () => {
    first = await firstAnswers();
  });

  const size = (value: unknown) => JSON.stringify(value).length;

  it('is little: names, titles, descriptions, schemas, annotations, _meta, instructions and what is around them', () => {
    const { tools } = ListToolsResultSchema.parse(first.toolsList);
    const { serverInfo, ...initialize } = z.looseObject({ serverInfo: z.looseObject({}) }).parse(first.initialize);
    // The icon is for the person's list of servers: no client gives it to its model.
    const all = size({ ...initialize, serverInfo: { ...serverInfo, icons: [] } }) + size(first.toolsList);
    assert.ok(typeof first.initialize.instructions === 'string', 'there are instructions');
    assert.equal(tools.length, 12);
    assert.ok(all <= limit, `${tools.length} tools and the instructions take ${all} characters`);
  });

  it('holds no tool that takes more than its share', () => {
    const { tools } = z.object({ tools: z.array(z.looseObject({ name: z.string() })) }).parse(first.toolsList);
    for (const tool of tools) assert.ok(size(tool) <= limitOfOne, `${tool.name} takes ${size(tool)} characters`);
  });
});
