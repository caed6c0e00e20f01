import * as z from 'zod';
import { serverInstructions } from '../src/mcp/prompts/server.ts';
import { outputTemplate } from '../src/mcp/runOutput.ts';
import type { Tool } from '../src/mcp/tool.ts';

const propertySchema = z.object({
  type: z.string(),
  description: z.string(),
  default: z.union([z.string(), z.number()]).optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  items: z.object({ type: z.string() }).optional(),
});
type Property = z.infer<typeof propertySchema>;
const inputSchema = z.object({
  properties: z.record(z.string(), propertySchema).default({}),
  required: z.array(z.string()).default([]),
});

/** docs/mcp.md: what clients are told of the server, as Markdown. */
export function mcpDocument(tools: readonly Tool[]): string {
  const sizes = tools.map((tool) => JSON.stringify(tool.listing()).length);
  const all = sizes.reduce((sum, size) => sum + size, serverInstructions.length);
  return `${[
    '# What MCP clients are told',
    'This page is written by `npm run docs` from the code, and `npm test` compares the two.',
    `What every caller pays before its first call: ${all.toLocaleString('en-US')} characters for ${tools.length} tools and the instructions.`,
    '## Instructions',
    serverInstructions,
    '## Resources',
    `\`${outputTemplate.uriTemplate}\` (${outputTemplate.mimeType}): ${outputTemplate.description}`,
    ...tools.map(toolSection),
  ].join('\n\n')}\n`;
}

function toolSection(tool: Tool): string {
  const listing = tool.listing();
  const { properties, required } = inputSchema.parse(listing.inputSchema);
  const facts = [
    listing.annotations.readOnlyHint ? 'reads only' : 'may write',
    ...(listing._meta?.['anthropic/alwaysLoad'] === true ? ['core tool: always loaded'] : []),
    `${JSON.stringify(listing).length} characters`,
  ];
  const rows = Object.entries(properties).map(([name, property]) =>
    row(`\`${name}\``, typeOf(property), needOf(property, required.includes(name)), cell(property.description)),
  );
  return [
    `## ${tool.name}`,
    listing.description,
    `(${facts.join('; ')})`,
    [row('argument', 'type', 'needed', 'is'), row('---', '---', '---', '---'), ...rows].join('\n'),
    ['```json', JSON.stringify(listing.inputSchema, undefined, 2), '```'].join('\n'),
  ].join('\n\n');
}

function typeOf({ type, enum: words, items, ...limits }: Property): string {
  if (words) return words.map((word) => `\`${word}\``).join(' or ');
  if (items) return `list of ${items.type}s${range(limits.minItems, limits.maxItems)}`;
  return `${type}${range(limits.minimum, limits.maximum)}`;
}

function range(least: number | undefined, most: number | undefined): string {
  if (most === undefined) return '';
  return least === undefined ? `, at most ${most}` : `, ${least} to ${most}`;
}

function needOf({ default: fallback }: Property, required: boolean): string {
  if (required) return 'yes';
  return fallback === undefined ? 'no' : `no: \`${fallback}\``;
}

const cell = (text: string) => text.replaceAll('|', '\\|');
const row = (...cells: string[]) => `| ${cells.join(' | ')} |`;
