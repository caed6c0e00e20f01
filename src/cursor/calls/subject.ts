import type { RequestField, RequestSubject } from '../../protocol/request.ts';
import { isJsonObject, type Json } from '../store/json.ts';
import type { ToolCall } from '../store/message.ts';
import { type ArgumentKind, argumentNames } from './argumentNames.ts';
import { questionsOf } from './questions.ts';

/** What a call wants to do, and every part of it that its subject does not show. */
interface Described {
  subject: RequestSubject;
  fields: RequestField[];
}

/** What exactly a call wants to do. Never throws, whatever the arguments are. */
export function subjectOf(call: ToolCall): RequestSubject {
  return describe(call).subject;
}

/**
 * Everything the call holds that its subject does not show: other arguments, unknown fields, its tool's name and its id. Of
 * a form, whose questions show a part of it only, everything but the title.
 */
export function fieldsOf(call: ToolCall): RequestField[] {
  if (questionsOf(call) === undefined) return describe(call).fields;
  const args = new Arguments(call.args);
  args.text('title');
  return [...args.unused(), ...outside(call)];
}

/** Text as it is, anything else as JSON. */
function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}

function describe(call: ToolCall): Described {
  const args = new Arguments(call.args);
  const known = readers.get(call.toolName) ?? readMcpTool;
  const subject = known(args, call);
  if (!subject) {
    const other = { kind: 'other', tool: call.toolName, input: asText(call.args) } as const;
    return { subject: other, fields: [...outside(call)] };
  }
  return { subject, fields: [...args.unused(), { name: 'tool', value: call.toolName }, ...outside(call)] };
}

function outside({ toolCallId, otherFields, cut }: ToolCall): RequestField[] {
  const note = 'Part of this call is nested too deeply to show.';
  return [
    ...Object.entries(otherFields).map(([name, value]) => ({ name, value: asText(value) })),
    { name: 'toolCallId', value: toolCallId },
    ...(cut ? [{ name: 'note', value: note }] : []),
  ];
}

/** Reads the subject from the arguments. Undefined when they are not as this tool's are known to be. */
type Reader = (args: Arguments, call: ToolCall) => RequestSubject | undefined;

const readCommand: Reader = (args) => {
  const command = args.text('command');
  return command === undefined ? undefined : { kind: 'command', command, folder: args.text('folder') };
};

const readWrite: Reader = (args) => {
  const [path, contents] = [args.text('path'), args.text('contents')];
  return path === undefined || contents === undefined ? undefined : { kind: 'write', path, contents };
};

const readReplace: Reader = (args) => {
  const [path, before, after] = [args.text('path'), args.text('before'), args.text('after')];
  if (path === undefined || before === undefined || after === undefined) return undefined;
  return { kind: 'replace', path, before, after };
};

const readPatch: Reader = (args) => {
  const patch = args.whole() ?? args.text('patch');
  return patch === undefined ? undefined : { kind: 'patch', paths: patchedPaths(patch), patch };
};

const readDelete: Reader = (args) => {
  const path = args.text('path');
  return path === undefined ? undefined : { kind: 'delete', path };
};

const readFetch: Reader = (args) => {
  const url = args.text('url');
  return url === undefined ? undefined : { kind: 'fetch', url };
};

const readSearch: Reader = (args) => {
  const query = args.text('query');
  return query === undefined ? undefined : { kind: 'search', query };
};

/** A tool of a server goes by its own name, or by one that stands for all of them. */
const readMcpTool: Reader = (args, { toolName }) => {
  const server = args.text('server');
  if (server === undefined) return undefined;
  const tool = args.text('tool') ?? toolName;
  const input = args.value('input');
  return { kind: 'mcpTool', server, tool, input: input === undefined ? '' : JSON.stringify(input, undefined, 2) };
};

const readModeSwitch: Reader = (args) => {
  const mode = args.text('mode');
  return mode === undefined ? undefined : { kind: 'modeSwitch', mode, explanation: args.text('explanation') ?? '' };
};

const readers: ReadonlyMap<string, Reader> = new Map([
  ['Shell', readCommand],
  ['Write', readWrite],
  ['StrReplace', readReplace],
  ['Edit', readReplace],
  ['ApplyPatch', readPatch],
  ['Delete', readDelete],
  ['WebFetch', readFetch],
  ['WebSearch', readSearch],
  ['SwitchMode', readModeSwitch],
]);

const touched = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;

function patchedPaths(patch: string): string[] {
  return [...new Set([...patch.matchAll(touched)].map(([, path = '']) => path.trim()))];
}

/** The arguments of a call; remembers which of them were asked for and there. */
class Arguments {
  readonly #fields: ReadonlyMap<string, Json>;
  readonly #used = new Set<string>();
  /** Arguments that are no object, until they were asked for. */
  #loose: Json | undefined;

  constructor(args: Json) {
    this.#fields = new Map(isJsonObject(args) ? Object.entries(args) : []);
    this.#loose = isJsonObject(args) ? undefined : args;
  }

  /** The arguments, when they are one text. */
  whole(): string | undefined {
    if (typeof this.#loose !== 'string') return undefined;
    const text = this.#loose;
    this.#loose = undefined;
    return text;
  }

  text(kind: ArgumentKind): string | undefined {
    const value = this.#find(kind, (each) => typeof each === 'string');
    return typeof value === 'string' ? value : undefined;
  }

  value(kind: ArgumentKind): Json | undefined {
    return this.#find(kind, () => true);
  }

  /** What was not asked for. */
  unused(): RequestField[] {
    const named = [...this.#fields].filter(([name]) => !this.#used.has(name));
    const all: [string, Json][] = this.#loose === undefined ? named : [['args', this.#loose]];
    return all.map(([name, value]) => ({ name, value: asText(value) }));
  }

  #find(kind: ArgumentKind, fits: (value: Json) => boolean): Json | undefined {
    for (const name of argumentNames[kind]) {
      const value = this.#fields.get(name);
      if (value === undefined || this.#used.has(name) || !fits(value)) continue;
      this.#used.add(name);
      return value;
    }
    return undefined;
  }
}
