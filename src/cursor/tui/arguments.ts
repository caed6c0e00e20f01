import { posix } from 'node:path';
import * as z from 'zod';
import { argumentNames } from '../calls/argumentNames.ts';

/** What a prompt can show of a call, by which it is known to be this call's prompt. */
export type ShownArgument =
  | { kind: 'command'; command: string; folder: string | undefined }
  | { kind: 'path'; path: string }
  | { kind: 'text'; text: string }
  | { kind: 'tool'; server: string; tool: string; args: unknown };

/** A call as far as its prompt is concerned. */
export interface PromptedCall {
  toolName: string;
  args: unknown;
}

const patchedFile = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;
/** More than a screen can show, and paths longer than systems allow, need not be looked for. */
const maxLength = 100_000;
const maxPathLength = 4096;
const maxTails = 64;
const maxTexts = 50;
const fieldsSchema = z.record(z.string(), z.unknown());

/**
 * The arguments by which the call's prompt is recognised, the telling ones first; an empty list when there are none.
 * Names of arguments as public readers of the store report them; of an unknown tool every text counts.
 */
export function shownArguments({ toolName, args }: PromptedCall): ShownArgument[] {
  if (typeof args === 'string') {
    return patchedPaths(args) ?? nonEmpty(args).map((text) => ({ kind: 'text', text }));
  }
  const fields = fieldsSchema.safeParse(args).data ?? {};
  const text = (names: readonly string[]): string[] => names.flatMap((name) => nonEmpty(fields[name]));
  const [command] = text(argumentNames.command);
  if (command !== undefined) return [{ kind: 'command', command, folder: text(argumentNames.folder)[0] }];
  const paths = text(argumentNames.path);
  if (paths.length > 0) return paths.map((path) => ({ kind: 'path', path }));
  const patched = text(argumentNames.patch).flatMap((patch) => patchedPaths(patch) ?? []);
  if (patched.length > 0) return patched;
  const tool = mcpTool(toolName, fields, text);
  if (tool) return [tool];
  const texts = text([...argumentNames.url, ...argumentNames.query]);
  return (texts.length > 0 ? texts : Object.values(fields).slice(0, maxTexts).flatMap(nonEmpty)).map((each) => ({
    kind: 'text',
    text: each,
  }));
}

/** The path and what a prompt may show of it: its last parts, as seen from a folder above the file. */
export function pathTails(path: string): string[] {
  if (path.length > maxPathLength) return [];
  const parts = posix.normalize(path.replaceAll('\\', '/')).split('/');
  const tails = parts.map((_, index) => parts.slice(index).join('/')).filter((tail) => tail !== '');
  return [...tails.slice(0, 1), ...tails.slice(1).slice(-maxTails)];
}

function mcpTool(
  toolName: string,
  fields: Readonly<Record<string, unknown>>,
  text: (names: readonly string[]) => string[],
): ShownArgument | undefined {
  const [server] = text(argumentNames.server);
  if (server === undefined) return undefined;
  const [tool = toolName] = text(argumentNames.tool);
  return { kind: 'tool', server, tool, args: fields.arguments ?? fields.args };
}

function patchedPaths(patch: string): ShownArgument[] | undefined {
  const paths = [...patch.matchAll(patchedFile)].flatMap(([, path]) => nonEmpty(path?.trim()));
  return paths.length > 0 ? paths.map((path) => ({ kind: 'path', path })) : undefined;
}

function nonEmpty(value: unknown): string[] {
  return typeof value === 'string' && value.length <= maxLength && value.trim() !== '' ? [value] : [];
}
