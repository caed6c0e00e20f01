import { isAbsolute, relative } from 'node:path';
import type { PlannedCall } from './scenario.ts';

/** What choosing a row of a prompt does. `reject` and `propose` may ask for the reason first. */
export type Choice = 'approve' | 'allow' | 'everything' | 'reject' | 'propose';

/** A row of a prompt: what it says, and the keys that choose it as the row names them. */
export interface Offer {
  label: string;
  keys: readonly string[];
  choice: Choice;
}

/** What the prompt of a call says. */
export interface PromptText {
  kind: 'shell' | 'write' | 'delete' | 'fetch' | 'search' | 'mcp' | 'modeSwitch' | 'other';
  /** What the transcript shows of the call while it waits or runs. */
  activity: string;
  question: string;
  /** The argument, where it stands above the question, without indent. */
  above: readonly string[];
  /** The argument, where it stands below the question. */
  below: readonly string[];
  /** Below the question in every shape. */
  note: readonly string[];
  offers: readonly Offer[];
  /** What may be added to the user's allowlist. */
  rule: string | undefined;
}

const kinds = new Map<string, PromptText['kind']>([
  ['Shell', 'shell'],
  ['Write', 'write'],
  ['StrReplace', 'write'],
  ['Edit', 'write'],
  ['ApplyPatch', 'write'],
  ['Delete', 'delete'],
  ['WebFetch', 'fetch'],
  ['WebSearch', 'search'],
  ['CallMcpTool', 'mcp'],
  ['SwitchMode', 'modeSwitch'],
]);

const maxChangedLines = 8;
const everything: Offer = { label: 'Run Everything', keys: ['shift+tab'], choice: 'everything' };
const runOnce: Offer = { label: 'Run (once)', keys: ['y'], choice: 'approve' };

/** The words of a call's prompt, as cursor-agent 2026.04 to 2026.10 puts them. */
export function promptText(call: PlannedCall, cwd: string): PromptText {
  const fields = new Map(Object.entries(typeof call.args === 'object' && call.args !== null ? call.args : {}));
  const text = (...names: string[]): string | undefined =>
    names.map((name): unknown => fields.get(name)).find((value) => typeof value === 'string');
  const kind = kinds.get(call.toolName) ?? (fields.has('server') ? 'mcp' : 'other');
  return { kind, note: noteOf(call), rule: undefined, ...texts[kind]({ call, cwd, fields, text }) };
}

interface Reading {
  call: PlannedCall;
  cwd: string;
  fields: ReadonlyMap<string, unknown>;
  text: (...names: string[]) => string | undefined;
}

type Words = Omit<PromptText, 'kind' | 'note' | 'rule'> & { rule?: string };

const texts: Record<PromptText['kind'], (reading: Reading) => Words> = {
  shell({ call, cwd, text }) {
    const command = text('command') ?? '';
    const folder = text('working_directory') ?? cwd;
    const rule = `Shell(${/\S+/.exec(command)?.[0] ?? ''})`;
    return {
      activity: `$ ${command}`,
      question: call.outsideSandbox ? 'Run this command outside the sandbox?' : 'Run this command?',
      above: [`$  ${command} in ${folder === cwd ? '.' : folder}`],
      below: [`$ ${command}`],
      offers: [runOnce, allow(`Add ${rule} to allowlist?`), everything, skip(call)],
      rule,
    };
  },
  write({ call, cwd, text }) {
    const paths = writtenPaths(call, text).map((path) => shownPath(path, cwd));
    const rule = `Write(${paths[0] ?? ''})`;
    return {
      activity: `Writing ${paths.join(', ')}`,
      question: 'Write to this file?',
      above: [...changedLines(call, text).slice(0, maxChangedLines), ''],
      below: [],
      offers: [
        { label: 'Proceed', keys: ['y'], choice: 'approve' },
        { label: 'Reject & propose changes', keys: ['esc', 'n', 'p'], choice: 'reject' },
        allow(`Add ${rule} to allowlist?`),
        everything,
      ],
      rule,
    };
  },
  delete({ cwd, text }) {
    const path = shownPath(text('path', 'target_file') ?? '', cwd);
    return {
      activity: `Deleting ${path}`,
      question: 'Delete this file?',
      above: [`Delete file: ${path}`, ''],
      below: [path],
      offers: [
        { label: 'Delete', keys: ['y'], choice: 'approve' },
        { label: 'Keep', keys: ['n'], choice: 'reject' },
      ],
    };
  },
  fetch({ call, text }) {
    const url = text('url') ?? '';
    const host = URL.parse(url)?.host ?? url;
    return {
      activity: `Fetching ${url}`,
      question: 'Allow this web fetch?',
      above: [`🌐 Web Fetch: ${url}`],
      below: [url],
      offers: [{ label: 'Fetch', keys: ['y'], choice: 'approve' }, allow(`Always allow ${host}`), skip(call)],
      rule: `WebFetch(${host})`,
    };
  },
  search({ call, text }) {
    const query = text('search_term', 'query') ?? '';
    return {
      activity: `Searching the web for ${query}`,
      question: 'Allow this web search?',
      above: [`🔍 Web Search: ${query}`],
      below: [query],
      offers: [{ label: 'Allow search', keys: ['y'], choice: 'approve' }, everything, skip(call)],
    };
  },
  mcp({ call, fields, text }) {
    const name = `${text('server') ?? ''}: ${text('toolName', 'tool', 'name') ?? call.toolName}`;
    const json = JSON.stringify(fields.get('arguments') ?? fields.get('args') ?? {}, undefined, 2);
    const rows = [name, ...json.split('\n').map((row) => `  ${row}`)];
    return {
      activity: name,
      question: 'Run this MCP tool?',
      above: [...rows, ''],
      below: rows,
      offers: [
        runOnce,
        allow('Allowlist MCP Tool'),
        { label: 'Reject & propose changes', keys: ['p'], choice: 'propose' },
        { label: 'Skip', keys: ['esc', 'n'], choice: 'reject' },
      ],
      rule: `Mcp(${name.replace(': ', ':')})`,
    };
  },
  modeSwitch({ text }) {
    const mode = text('target_mode_id', 'mode') ?? 'agent';
    return {
      activity: `Switching to ${mode} mode`,
      question: `Switch to ${mode.charAt(0).toUpperCase()}${mode.slice(1)} mode?`,
      above: [],
      below: ['', text('explanation') ?? '', ''],
      offers: [
        { label: 'Approve mode switch', keys: ['y'], choice: 'approve' },
        { label: 'Reject', keys: ['n', 'esc'], choice: 'reject' },
      ],
    };
  },
  other({ call, fields }) {
    const texts = typeof call.args === 'string' ? [call.args] : [...fields.values()];
    const text = texts.find((each) => typeof each === 'string') ?? '';
    return {
      activity: `${call.toolName} ${text}`,
      question: 'Run this tool?',
      above: [`${call.toolName}: ${text}`, ''],
      below: [text],
      offers: [runOnce, everything, skip(call)],
    };
  },
};

function noteOf({ notInAllowlist }: PlannedCall): string[] {
  return notInAllowlist === undefined ? [] : [`Not in allowlist: ${notInAllowlist}`];
}

function allow(label: string): Offer {
  return { label, keys: ['tab'], choice: 'allow' };
}

function skip({ wording }: PlannedCall): Offer {
  const label = wording === 'new' ? 'Skip & tell the agent what to do instead' : 'Skip';
  return { label, keys: ['esc', 'n'], choice: 'reject' };
}

/** What the prompt shows of the change. */
function changedLines(call: PlannedCall, text: Reading['text']): string[] {
  const patch = typeof call.args === 'string' ? call.args : text('patch', 'input');
  const lines = (sign: string, whole: string | undefined): string[] =>
    whole === undefined || whole === '' ? [] : whole.split('\n').map((line) => `▎${sign} ${line}`);
  if (patch === undefined) return [...lines('-', text('old_string')), ...lines('+', text('contents', 'new_string'))];
  return [...patch.matchAll(/^([+-])(.*)$/gm)].map(([, sign = '', line = '']) => `▎${sign} ${line}`);
}

function writtenPaths(call: PlannedCall, text: Reading['text']): string[] {
  const path = text('path', 'file_path', 'target_file');
  if (path !== undefined) return [path];
  const patch = typeof call.args === 'string' ? call.args : (text('patch', 'input') ?? '');
  return [...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].slice(0, 1).map(([, each]) => each ?? '');
}

function shownPath(path: string, cwd: string): string {
  const inside = isAbsolute(path) ? relative(cwd, path) : path;
  return inside.startsWith('..') ? path : inside;
}
