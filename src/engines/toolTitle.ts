import * as z from 'zod';
import { oneLine } from '../base/displayText.ts';

/** Longer than anybody shows: what is cut before it is looked through for secrets may end in half of one. */
const maxChars = 8_000;

/** The arguments that tell best what a call does, by the names the CLIs give them, best first. */
const telling = [
  'command',
  'file_path',
  'notebook_path',
  'target_file',
  'path',
  'pattern',
  'query',
  'url',
  'description',
];
const inputSchema = z.record(z.string(), z.unknown());

/** One line that says what a tool call does: the command itself, else the tool and its most telling argument. */
export function toolTitle(tool: string, input: unknown): string {
  const given = inputSchema.safeParse(input);
  const argument = given.success
    ? telling.map((name) => [name, given.data[name]] as const).find(([, value]) => isText(value))
    : undefined;
  if (!argument) return oneLine(tool, maxChars);
  const [name, value] = argument;
  return oneLine(name === 'command' ? String(value) : `${tool} ${String(value)}`, maxChars);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
