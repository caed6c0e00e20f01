// npm run docs: writes the pages of docs/ that come from the code.
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { tools } from '../src/mcp/toolList.ts';
import { mcpDocument } from './mcpDocument.ts';

await writeFile(join(resolve(import.meta.dirname, '..'), 'docs', 'mcp.md'), mcpDocument(tools));
