import type { JSONPath } from 'jsonc-parser';
import * as z from 'zod';
import { hookScriptName } from './claudeHookScript.ts';
import { shellQuoted } from './commandLine.ts';
import { appendItem, removeItem } from './jsonEdit.ts';

/** A settings file with our hook in it or taken out, or why it was left alone. */
export type Edited = { ok: true; text: string } | { ok: false; why: string };

/** Seconds; the hook takes some milliseconds. */
const timeout = 5;

/** The parts of Claude Code's settings that hold hooks (code.claude.com/docs/en/hooks); all else passes as it is. */
const settingsSchema = z.looseObject({
  hooks: z
    .looseObject({ PreToolUse: z.array(z.looseObject({ hooks: z.array(z.unknown()).optional() })).optional() })
    .optional(),
});
type Settings = z.infer<typeof settingsSchema>;

const hookSchema = z.looseObject({ type: z.literal('command'), command: z.string() });

/** Whether our hook is in a settings file. False for one that cannot be read. */
export function hasHook(text: string): boolean {
  const read = readSettings(text);
  return read.ok && oursIn(read.settings).length > 0;
}

/**
 * Adds the hook that runs `script` (absolute), replacing an earlier one of ours. An empty text is a file to be made. All else
 * stays, byte for byte.
 */
export function withHook(text: string, script: string, platform: NodeJS.Platform): Edited {
  const cleared = withoutHook(text);
  if (!cleared.ok) return cleared;
  const read = readSettings(cleared.text);
  if (!read.ok) return read;
  const { mark, json } = split(cleared.text);
  const given = json.trim() === '' ? '{}\n' : json;
  const group = { matcher: 'Read|WebSearch', hooks: [hookEntry(script, platform)] };
  return { ok: true, text: mark + appended(given, read.settings, group) };
}

function appended(json: string, { hooks }: Settings, group: object): string {
  if (hooks?.PreToolUse) return appendItem(json, ['hooks', 'PreToolUse'], group);
  if (hooks) return appendItem(json, ['hooks'], [group], 'PreToolUse');
  return appendItem(json, [], { PreToolUse: [group] }, 'hooks');
}

/** Takes out our hook, and what held nothing else. */
export function withoutHook(text: string): Edited {
  const read = readSettings(text);
  if (!read.ok) return read;
  const { mark, json } = split(text);
  return { ok: true, text: mark + oursIn(read.settings).reverse().reduce(removeItem, json) };
}

/**
 * Reads it as Claude Code 2.1.332 does: plain JSON, a byte order mark at most. A file with comments it ignores altogether.
 */
function readSettings(text: string): { ok: true; settings: Settings } | { ok: false; why: string } {
  const { json } = split(text);
  let value: unknown;
  try {
    value = json.trim() === '' ? {} : JSON.parse(json);
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
  const parsed = settingsSchema.safeParse(value);
  if (parsed.success) return { ok: true, settings: parsed.data };
  const [issue] = parsed.error.issues;
  return { ok: false, why: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}` };
}

/** Where our entries are, in the order of the file: each as what may be deleted because it holds nothing else. */
function oursIn({ hooks }: Settings): JSONPath[] {
  const groups = hooks?.PreToolUse ?? [];
  const found = groups.map(({ hooks: entries = [] }) => entries.flatMap((entry, at) => (isOurs(entry) ? [at] : [])));
  const isWhole = (at: number) => found[at]?.length === groups[at]?.hooks?.length && found[at]?.length !== 0;
  if (groups.length > 0 && groups.every((_, at) => isWhole(at))) {
    return Object.keys(hooks ?? {}).length === 1 ? [['hooks']] : [['hooks', 'PreToolUse']];
  }
  return found.flatMap((entries, group): JSONPath[] =>
    isWhole(group)
      ? [['hooks', 'PreToolUse', group]]
      : entries.map((entry) => ['hooks', 'PreToolUse', group, 'hooks', entry]),
  );
}

function isOurs(entry: unknown): boolean {
  const hook = hookSchema.safeParse(entry);
  return hook.success && hook.data.command.includes(hookScriptName);
}

/**
 * Exit code 2 would block the tool, and a shell gives it when the script is gone: hence the `|| true`. On Windows Claude Code
 * runs hooks in Git's bash, in PowerShell where there is none.
 */
function hookEntry(script: string, platform: NodeJS.Platform): object {
  const path = platform === 'win32' ? script.replaceAll('\\', '/') : script;
  const command = `sh ${shellQuoted(path)} 2>/dev/null || true`;
  return { type: 'command', command, timeout, ...(platform === 'win32' && { shell: 'bash' }) };
}

function split(text: string): { mark: string; json: string } {
  return text.startsWith('\uFEFF') ? { mark: '\uFEFF', json: text.slice(1) } : { mark: '', json: text };
}
