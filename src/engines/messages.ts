import * as z from 'zod';
import type { FileChange, RunEvent, Usage } from '../protocol/model.ts';
import { readJson } from './outputLine.ts';
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
interface Reading {
  events: RunEvent[];
  result?: TurnResult;
}

/** What differs between the CLIs that speak this format. */
interface MessagesOptions {
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

const partialSchema = z.object({
  parent_tool_use_id: z.string().nullish().catch(undefined),
  event: z.discriminatedUnion('type', [
    z.object({ type: z.literal('message_start') }),
    z.object({
      type: z.literal('content_block_start'),
      index: z.number(),
      content_block: z.discriminatedUnion('type', [
        z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string() }),
        z.object({ type: z.literal('text') }),
      ]),
    }),
    z.object({
      type: z.literal('content_block_delta'),
      index: z.number(),
      delta: z.object({ text: z.string(), partial_json: z.string() }).partial(),
    }),
    z.object({ type: z.literal('content_block_stop'), index: z.number() }),
  ]),
});

/** A block that is still being written. */
type Draft = { kind: 'tool'; id: string; tool: string; input: string } | { kind: 'text'; text: string };

/** Enough of an input for a title: a file that is written whole need not be kept. */
const maxDraftChars = 4_000;

/**
 * A reader of the stream that Claude Code calls `stream-json` and Grok Build `streaming-messages-json`: one JSON object a
 * line, `system`, `assistant` and `user` messages in the wire format of the Anthropic Messages API, and one `result`.
 * Gives undefined for what is no such line; unknown types are readable and mean nothing.
 */
export function createMessagesReader(options: MessagesOptions): (line: unknown) => Reading | undefined {
  const callsThatWrite = new Map<string, string>();
  const started = new Set<string>();
  const drafts = new Map<number, Draft>();
  /** Texts of the message being written that were told before the whole message came. */
  const told = new Set<string>();
  let lastText = '';

  const tell = (words: string): RunEvent[] => {
    lastText = words;
    return [{ kind: 'message', text: words }];
  };

  const startTool = (id: string, tool: string, input: unknown): RunEvent[] => {
    if (started.has(id)) return [];
    started.add(id);
    return [{ kind: 'toolStarted', id, title: toolTitle(tool, input) }];
  };

  const readPartial = (raw: unknown): RunEvent[] => {
    const partial = partialSchema.safeParse(raw);
    if (!partial.success) return [];
    const { event } = partial.data;
    if (event.type === 'message_start') {
      drafts.clear();
      told.clear();
      return [];
    }
    if (event.type === 'content_block_start') {
      drafts.set(event.index, draftOf(event.content_block));
      return [];
    }
    const draft = drafts.get(event.index);
    if (!draft) return [];
    if (event.type === 'content_block_delta') {
      if (draft.kind === 'text') draft.text += event.delta.text ?? '';
      else draft.input = (draft.input + (event.delta.partial_json ?? '')).slice(0, maxDraftChars);
      return [];
    }
    drafts.delete(event.index);
    if (draft.kind === 'tool') return startTool(draft.id, draft.tool, readJson(draft.input, true));
    if (draft.text === '' || typeof partial.data.parent_tool_use_id === 'string') return [];
    told.add(draft.text);
    return tell(draft.text);
  };

  const readBlock = (block: Block, ofSubagent: boolean, toolResult: unknown): RunEvent[] => {
    if (block.type === 'text' && block.text !== undefined && !ofSubagent) {
      return told.delete(block.text) ? [] : tell(block.text);
    }
    if (block.type === 'tool_use' && block.id !== undefined) {
      const tool = block.name ?? 'tool';
      const file = pathSchema.safeParse(block.input);
      if (options.writes(tool) && file.success) callsThatWrite.set(block.id, file.data);
      return startTool(block.id, tool, block.input);
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
      case 'stream_event':
        return { events: readPartial(raw) };
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

function draftOf(block: { type: 'tool_use'; id: string; name: string } | { type: 'text' }): Draft {
  if (block.type === 'text') return { kind: 'text', text: '' };
  return { kind: 'tool', id: block.id, tool: block.name, input: '' };
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
