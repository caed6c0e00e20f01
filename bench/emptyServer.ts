// The least that an MCP server on this SDK can be: what the MCP process is measured against. Bundled like it.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const { server } = new McpServer({ name: 'empty', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [] }));
process.stdin.once('end', () => process.exit(0));
void server.connect(new StdioServerTransport());
