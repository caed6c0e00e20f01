import { posix } from 'node:path';
import type { Conversation, Dialect } from './conversation.ts';
import type { ToolCall } from './scenario.ts';

/** A tool call as a client receives it: JSON arguments, or free text for the custom tools of Codex. */
export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>> | string;
}

interface ToolForm {
  readonly name: string;
  readonly input: ToolUse['input'];
}

type FormsOf = (call: ToolCall, absolute: (path: string) => string) => readonly [ToolForm, ...ToolForm[]];

/** An `apply_patch` envelope of Codex for a file call. */
function codexPatch(call: ToolCall & { kind: 'write' | 'replace' }): string {
  const body =
    call.kind === 'write'
      ? [`*** Add File: ${call.path}`, ...lines(call.content).map((line) => `+${line}`)]
      : [
          `*** Update File: ${call.path}`,
          '@@',
          ...lines(call.before).map((line) => `-${line}`),
          ...lines(call.after).map((line) => `+${line}`),
        ];
  return ['*** Begin Patch', ...body, '*** End Patch', ''].join('\n');
}

function lines(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

/** How many matches a search wants to see. */
const searchLimit = 80;

const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Codex 0.171: `exec_command` for everything, `apply_patch` as its own tool only for models that are known to have it. The
 * newest models it knows get neither: their one tool is `exec`, a script that calls the others.
 */
const codexForms: FormsOf = (call) => {
  switch (call.kind) {
    case 'shell':
      return codexShell(call.command, call.background === true);
    case 'read': {
      const [first, last] = call.lines ?? [];
      const part = first === undefined ? '' : ` | sed -n '${first},${last}p'`;
      return codexShell(`cat -n ${shellQuoted(call.path)}${part}`, false);
    }
    case 'search': {
      const [pattern, path] = [shellQuoted(call.pattern), shellQuoted(call.path)];
      return codexShell(`grep -rnE -e ${pattern} ${path} | head -n ${searchLimit}`, false);
    }
    case 'write':
    case 'replace': {
      const patch = codexPatch(call);
      return [
        { name: 'apply_patch', input: patch },
        { name: 'exec', input: `text(await tools.apply_patch(${JSON.stringify(patch)}));\n` },
        ...codexShell(`apply_patch <<'PATCH'\n${patch}PATCH`, false),
      ];
    }
    case 'picture':
      return [{ name: 'imagegen', input: { prompt: call.prompt } }];
    case 'ask':
      return [
        {
          name: 'request_user_input',
          input: {
            questions: [
              {
                id: 'choice',
                header: 'Choice',
                question: call.question,
                options: call.options.map((label) => ({ label, description: label })),
              },
            ],
          },
        },
      ];
  }
};

/** `yield_time_ms` is how long Codex waits before it hands a running command back as a session. */
function codexShell(command: string, background: boolean): readonly [ToolForm, ...ToolForm[]] {
  const input = { cmd: command, yield_time_ms: background ? 250 : 30_000 };
  return [
    { name: 'exec_command', input },
    { name: 'exec', input: `text((await tools.exec_command(${JSON.stringify(input)})).output);\n` },
    { name: 'shell_command', input: { command } },
    { name: 'shell', input: { command: ['bash', '-lc', command] } },
  ];
}

const claudeForms: FormsOf = (call, absolute) => {
  switch (call.kind) {
    case 'shell': {
      const background = call.background === true ? { run_in_background: true } : {};
      return [{ name: 'Bash', input: { command: call.command, description: 'Run a command', ...background } }];
    }
    case 'read':
      return [{ name: 'Read', input: { file_path: absolute(call.path), ...portionOf(call.lines) } }];
    case 'search': {
      const { pattern, path } = call;
      const form = { output_mode: 'content', '-n': true, head_limit: searchLimit };
      return [{ name: 'Grep', input: { pattern, path: absolute(path), ...form } }];
    }
    case 'write':
      return [{ name: 'Write', input: { file_path: absolute(call.path), content: call.content } }];
    case 'replace':
      return [
        {
          name: 'Edit',
          input: { file_path: absolute(call.path), old_string: call.before, new_string: call.after },
        },
      ];
    case 'picture':
      return [grokPicture(call, absolute)];
    case 'ask':
      return [{ name: 'AskUserQuestion', input: claudeQuestion(call) }];
  }
};

/** Grok Build first; `bash` is the shell of other chat-completions clients. */
const grokForms: FormsOf = (call, absolute) => {
  switch (call.kind) {
    case 'shell': {
      const background = call.background === true ? { background: true } : {};
      const input = { command: call.command, description: 'Run a command', ...background };
      return [
        { name: 'run_terminal_command', input },
        { name: 'bash', input: { command: call.command, description: 'Run a command' } },
      ];
    }
    case 'read':
      return [{ name: 'read_file', input: { target_file: absolute(call.path), ...portionOf(call.lines) } }];
    case 'search':
      return [{ name: 'grep', input: { pattern: call.pattern, path: absolute(call.path), head_limit: searchLimit } }];
    case 'write':
      return [{ name: 'write', input: { file_path: absolute(call.path), content: call.content } }];
    case 'replace':
      return [
        {
          name: 'search_replace',
          input: { file_path: absolute(call.path), old_string: call.before, new_string: call.after },
        },
      ];
    case 'picture':
      return [grokPicture(call, absolute)];
    case 'ask':
      return [{ name: 'ask_user_question', input: claudeQuestion(call) }];
  }
};

/** As Claude Code and Grok Build take it. */
function portionOf(lines: readonly [number, number] | undefined): { offset?: number; limit?: number } {
  return lines === undefined ? {} : { offset: lines[0], limit: lines[1] - lines[0] + 1 };
}

/** Claude Code has no tool for pictures; it is asked for Grok's, and refuses. */
function grokPicture({ prompt, from }: ToolCall & { kind: 'picture' }, absolute: (path: string) => string): ToolForm {
  if (from === undefined) return { name: 'image_gen', input: { prompt } };
  return { name: 'image_edit', input: { prompt, image: [absolute(from)] } };
}

function claudeQuestion(call: ToolCall & { kind: 'ask' }): Record<string, unknown> {
  const options = call.options.map((label) => ({ label, description: label }));
  return { questions: [{ question: call.question, header: 'Choice', multiSelect: false, options }] };
}

const formsByDialect: Readonly<Record<Dialect, FormsOf>> = {
  responses: codexForms,
  messages: claudeForms,
  chat: grokForms,
};

/**
 * The form of `call` that the client offers, whichever dialect it speaks (Grok speaks Responses with its own models). When it
 * offers none, the usual one of the dialect is called all the same: whether a restricted client then refuses is exactly what
 * a test wants to see.
 */
export function chooseTool(call: ToolCall, conversation: Conversation, id: string): ToolUse {
  const absolute = (path: string): string => posix.join(conversation.workspace ?? '.', path);
  const usual = formsByDialect[conversation.dialect](call, absolute);
  const all = [...usual, ...Object.values(formsByDialect).flatMap((formsOf) => formsOf(call, absolute))];
  return { id, ...(all.find((form) => conversation.tools.includes(form.name)) ?? usual[0]) };
}
