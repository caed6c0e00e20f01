// An MCP server over stdio with many wordy tools, as a person's own servers are. `node notesServer.mjs <file>` makes the
// file, which tells that it was started.
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

writeFileSync(process.argv[2], 'started');
const inputSchema = { type: 'object', properties: { text: { type: 'string', description: 'The text of the note.' } } };
const tools = Array.from({ length: 20 }, (_, index) => ({
  name: `note_${index}`,
  description: `heavyhome tool ${index}: ${'keeps a note of what was said. '.repeat(10)}`,
  inputSchema,
}));
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'notes', version: '1' },
  }),
  'tools/list': () => ({ tools }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = answers[method];
  const reply = answer ? { result: answer(params) } : { error: { code: -32601, message: 'not here' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`);
}
