import { posix } from 'node:path';
import { isObject } from '../store/json.ts';
import type { ToolCall } from '../store/message.ts';
import type { Permissions } from './permissions.ts';
import { shellSegments } from './shellSegments.ts';
import { matchesPath, matchesWildcards } from './wildcards.ts';

/** Something a rule can be about. A call is covered when every one of its subjects is. */
type Subject =
  | { kind: 'Shell'; words: readonly string[] }
  | { kind: 'Read' | 'Write'; path: string }
  | { kind: 'WebFetch'; domain: string }
  | { kind: 'Mcp'; server: string; tool: string };

const rulePattern = /^(Shell|Read|Write|WebFetch|Mcp)\((.*)\)$/s;
const kindOfTool: ReadonlyMap<string, 'Read' | 'Write'> = new Map([
  ['Read', 'Read'],
  ['Write', 'Write'],
  ['StrReplace', 'Write'],
  ['Edit', 'Write'],
]);

/**
 * Whether the person's rules let a call run without a question: every part of it is allowed and none denied. False whenever
 * the call or a rule is not fully understood, because then the session may well be asking. `cwd` is the session's working
 * folder, absolute.
 */
export function isCovered(call: ToolCall, { allow, deny }: Permissions, cwd: string): boolean {
  const subjects = subjectsOf(call, cwd);
  if (!subjects || subjects.length === 0 || call.cut) return false;
  const matchesOne = (subject: Subject, rules: readonly string[]): boolean =>
    rules.some((rule) => matchesRule(subject, rule, cwd));
  return subjects.every((subject) => matchesOne(subject, allow) && !matchesOne(subject, deny));
}

function subjectsOf({ toolName, args }: ToolCall, cwd: string): Subject[] | undefined {
  if (!isObject(args)) return undefined;
  const text = (...names: string[]): string | undefined => textUnder(args, names);
  const path = text('path', 'file_path');
  const kind = kindOfTool.get(toolName);
  if (kind !== undefined) return path === undefined ? undefined : [{ kind, path: absolute(path, cwd) }];
  if (toolName === 'Shell') {
    return shellSegments(text('command') ?? '')?.map((words) => ({ kind: 'Shell', words }));
  }
  if (toolName === 'WebFetch') {
    const domain = URL.parse(text('url') ?? '')?.hostname;
    return domain === undefined ? undefined : [{ kind: 'WebFetch', domain }];
  }
  const server = text('server', 'serverName');
  const tool = text('toolName', 'tool');
  if (server === undefined || tool === undefined) return undefined;
  return [{ kind: 'Mcp', server, tool }];
}

function textUnder(args: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined {
  return names
    .map((name) => (Object.hasOwn(args, name) ? args[name] : undefined))
    .find((value) => typeof value === 'string');
}

function matchesRule(subject: Subject, rule: string, cwd: string): boolean {
  const [, kind, inside = ''] = rulePattern.exec(rule.trim()) ?? [];
  if (kind !== subject.kind || inside === '') return false;
  switch (subject.kind) {
    case 'Shell':
      return matchesShell(subject.words, inside);
    case 'Read':
    case 'Write':
      return matchesPath(subject.path, absolute(inside, cwd));
    case 'WebFetch':
      return matchesWildcards(subject.domain.toLowerCase(), inside.toLowerCase());
    case 'Mcp': {
      const [server = '', tool = ''] = splitAtColon(inside);
      return matchesWildcards(subject.server, server) && matchesWildcards(subject.tool, tool);
    }
  }
}

/** `command` matches the first word, `command:arguments` the rest as well. */
function matchesShell([program = '', ...rest]: readonly string[], inside: string): boolean {
  const [command = '', args] = splitAtColon(inside);
  return matchesWildcards(program, command) && (args === undefined || matchesWildcards(rest.join(' '), args));
}

function splitAtColon(text: string): string[] {
  const colon = text.indexOf(':');
  return colon === -1 ? [text] : [text.slice(0, colon), text.slice(colon + 1)];
}

/** Forward slashes, and without `..`, so that no path climbs out of what a pattern allows. */
function absolute(path: string, cwd: string): string {
  const slashes = (each: string): string => each.replaceAll('\\', '/');
  const isAbsolute = path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path);
  return posix.normalize(isAbsolute ? slashes(path) : `${slashes(cwd)}/${slashes(path)}`);
}
