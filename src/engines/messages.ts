import { z } from 'zod';
import type { FileChange, RunEvent, Usage } from '../protocol/model.ts';
import { toolTitle } from './toolTitle.ts';
import { workspacePath } from './workspacePath.ts';

/** The end of a turn, as the last line of the stream tells it. */
export interface TurnResult {
  /** Undefined when the line did not say: then only its kind tells. */
  failed: boolean;
  /** The answer, or the words of the failure. */
  text: string;
  apiStatus?: number;
  stopReason?: string;
  deniedTools: string[];
}

/** What one line meant. */
export interface Reading {
  events: RunEvent[];
  result?: TurnResult;
}

/** What differs between the CLIs that speak this format. */
export interface MessagesOptions {
  cwd: string;
  /** Whether a successful call of this tool changes the file its input names. */
  writes(tool: string): boolean;
  /** Whether a call's result says that the file is new. */
  created(result: unknown): boolean;
  /** Whether a call failed though its result is no error: a command that ended with a code of its own. */
  failed?(result: unknown): boolean;
}

const text = z.string().optional().catch(undefined);
const unreadableBlock = { type: 'unreadable' };
const blockSchema = z
  .object({
    type: z.string(),
    text,
    id: text,
    name: text,
    input: z.unknown(),
    tool_use_id: text,
    content: z.unknown(),
    is_error: z.boolean().optional().catch(undefined),
  })
  .partial({ input: true, content: true })
  .catch({ ...unreadableBlock });
type Block = z.infer<typeof blockSchema>;

const contentSchema = z
  .union([z.array(blockSchema), z.string().transform((only): Block[] => [{ type: 'text', text: only }])])
  .catch([]);
const messageSchema = z.object({
  message: z.object({ content: contentSchema }),
  parent_tool_use_id: z.string().nullish().catch(undefined),
  tool_use_result: z.unknown().optional(),
});
const initSchema = z.object({ subtype: z.literal('init'), session_id: z.string() });
const tokens = z.number().nonnegative().catch(0);
const usageSchema = z
  .object({
    input_tokens: tokens,
    output_tokens: tokens,
    cache_read_input_tokens: tokens,
    cache_creation_input_tokens: tokens,
  })
  .optional()
  .catch(undefined);
const resultSchema = z.object({
  subtype: z.string().catch(''),
  is_error: z.boolean().optional().catch(undefined),
  result: text,
  errors: z.array(z.string()).catch([]),
  api_error_status: z.number().nullish().catch(undefined),
  stop_reason: z.string().nullish().catch(undefined),
  usage: usageSchema,
  permission_denials: z.array(z.object({ tool_name: z.string() })).catch([]),
});
/** Claude Code 2.1.332 puts `type` behind the answer, where a cut line has lost it. */
const headSchema = z.union([
  z.object({ type: z.string() }),
  z.object({ subtype: z.string(), num_turns: z.number() }).transform(() => ({ type: 'result' })),
]);

/**
 * A reader of the stream that Claude Code calls `stream-json` and Grok Build `streaming-messages-json`: one JSON object a
 * line, `system`, `assistant` and `user` messages in the wire format of the Anthropic Messages API, and one `result`.
 * Gives undefined for what is no such line; unknown types are readable and mean nothing.
 */
export function createMessagesReader(options: MessagesOptions): (line: unknown) => Reading | undefined {
  const callsThatWrite = new Map<string, string>();
  let lastText = '';

  const readBlock = (block: Block, ofSubagent: boolean, toolResult: unknown): RunEvent[] => {
    if (block.type === 'text' && block.text !== undefined && !ofSubagent) {
      lastText = block.text;
      return [{ kind: 'message', text: block.text }];
    }
    if (block.type === 'tool_use' && block.id !== undefined) {
      const tool = block.name ?? 'tool';
      const file = pathSchema.safeParse(block.input);
      if (options.writes(tool) && file.success) callsThatWrite.set(block.id, file.data);
      return [{ kind: 'toolStarted', id: block.id, title: toolTitle(tool, block.input) }];
    }
    if (block.type !== 'tool_result' || block.tool_use_id === undefined) return [];
    const ok = block.is_error !== true && options.failed?.(block.content) !== true;
    const events: RunEvent[] = [{ kind: 'toolEnded', id: block.tool_use_id, ok }];
    const path = callsThatWrite.get(block.tool_use_id);
    if (!ok || path === undefined) return events;
    const kind = options.created(toolResult ?? block.content) ? 'added' : 'modified';
    const change: FileChange = { path: workspacePath(options.cwd, path), kind };
    return [...events, { kind: 'fileChange', change }];
  };

  const readMessage = (raw: unknown, from: 'assistant' | 'user'): Reading | undefined => {
    const line = messageSchema.safeParse(raw);
    if (!line.success) return undefined;
    const { message, parent_tool_use_id: parent, tool_use_result: toolResult } = line.data;
    const ofSubagent = typeof parent === 'string';
    const blocks = from === 'user' ? message.content.filter(({ type }) => type !== 'text') : message.content;
    return { events: blocks.flatMap((block) => readBlock(block, ofSubagent, toolResult)) };
  };

  return (raw) => {
    const head = headSchema.safeParse(raw);
    if (!head.success) return undefined;
    switch (head.data.type) {
      case 'system': {
        const init = initSchema.safeParse(raw);
        return { events: init.success ? [{ kind: 'session', id: init.data.session_id }] : [] };
      }
      case 'assistant':
      case 'user':
        return readMessage(raw, head.data.type);
      case 'result': {
        const result = resultSchema.safeParse(raw);
        return result.success ? readResult(result.data, lastText) : undefined;
      }
      default:
        return { events: [] };
    }
  };
}

const pathSchema = z
  .union([z.object({ file_path: z.string() }), z.object({ notebook_path: z.string() })])
  .transform((input) => ('file_path' in input ? input.file_path : input.notebook_path));

/** Whether a turn failed is in `is_error` alone: the subtype of an API error is `success`. */
function readResult(line: z.infer<typeof resultSchema>, lastText: string): Reading {
  const failed = line.is_error ?? line.subtype !== 'success';
  const words = [line.result, ...line.errors].filter((each) => each !== undefined && each !== '').join('\n');
  return {
    events: usageEvents(line.usage),
    result: {
      failed,
      text: failed ? words : (line.result ?? lastText),
      ...(typeof line.api_error_status === 'number' && { apiStatus: line.api_error_status }),
      ...(typeof line.stop_reason === 'string' && { stopReason: line.stop_reason }),
      deniedTools: line.permission_denials.map(({ tool_name: tool }) => tool),
    },
  };
}

/** The three input counts of this format exclude each other. */
function usageEvents(usage: z.infer<typeof usageSchema>): RunEvent[] {
  if (!usage) return [];
  const { input_tokens: fresh, cache_read_input_tokens: cached, cache_creation_input_tokens: stored } = usage;
  const run: Usage = { input: fresh + cached + stored, cachedInput: cached, output: usage.output_tokens };
  return run.input + run.output === 0 ? [] : [{ kind: 'usage', run }];
}
