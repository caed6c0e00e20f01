import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { mcpDocument } from '../../../scripts/mcpDocument.ts';
import { tools } from '../../../src/mcp/toolList.ts';

const root = resolve(import.meta.dirname, '..', '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('the documents about the tools', () => {
  it('docs/mcp.md is what the code says (npm run docs writes it)', () => {
    assert.equal(read('docs/mcp.md'), mcpDocument(tools));
  });

  it('the table of the README has every tool with its arguments, in their order', () => {
    const documented = [...read('README.md').matchAll(/^\| `(\w+)\((.*)\)` \|/gm)].map(([, name, args]) => [
      name,
      args,
    ]);
    const listed = tools.map((tool) => {
      const { inputSchema } = tool.listing();
      const needed = new Set(inputSchema.required as string[] | undefined);
      const names = Object.keys(inputSchema.properties as object);
      return [tool.name, names.map((name) => (needed.has(name) ? name : `${name}?`)).join(', ')];
    });
    assert.deepEqual(documented, listed);
  });
});
