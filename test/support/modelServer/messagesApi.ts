import * as z from 'zod';
import { findWorkspace, readHistory } from './conversation.ts';
import type { HistoryEntry } from './conversation.ts';
import type { DialectCodec } from './dialect.ts';
import { replyUsage, textPieces } from './reply.ts';
import type { Reply, ServerSentEvent } from './reply.ts';

type Content = string | { type?: string | undefined; text?: string | undefined; content?: unknown }[];

const contentSchema: z.ZodType<Content> = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string().optional(), text: z.string().optional(), content: z.unknown().optional() })),
]);
const bodySchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  system: contentSchema.optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: contentSchema })),
  tools: z.array(z.looseObject({ name: z.string().optional() })).optional(),
});

function textOf(content: Content | undefined): string {
  if (content === undefined || typeof content === 'string') return content ?? '';
  return content.map((block) => block.text ?? '').join('\n');
}

/** A user message carries tool results or a prompt; what Claude Code adds to results as text is no turn of its own. */
function entriesOf(message: z.infer<typeof bodySchema>['messages'][number]): HistoryEntry[] {
  if (message.role === 'assistant') return [{ kind: 'assistant' }];
  if (message.role !== 'user') return [];
  const blocks = typeof message.content === 'string' ? [] : message.content;
  const results = blocks.filter((block) => block.type === 'tool_result');
  if (results.length === 0) return [{ kind: 'user', text: textOf(message.content) }];
  return results.map((result) => {
    const content = contentSchema.safeParse(result.content);
    return { kind: 'toolResult', text: content.success ? textOf(content.data) : '' };
  });
}

type Block = Readonly<Record<string, unknown>>;

function blocksOf(reply: Reply): { block: Block; empty: Block; deltas: Block[] }[] {
  const blocks: { block: Block; empty: Block; deltas: Block[] }[] = [];
  if (reply.think !== undefined) {
    const block = { type: 'thinking', thinking: reply.think, signature: 'opaque' };
    blocks.push({
      block,
      empty: { ...block, thinking: '', signature: '' },
      deltas: [
        { type: 'thinking_delta', thinking: reply.think },
        { type: 'signature_delta', signature: block.signature },
      ],
    });
  }
  if (reply.say !== undefined) {
    const deltas = textPieces(reply.say).map((text) => ({ type: 'text_delta', text }));
    blocks.push({ block: { type: 'text', text: reply.say }, empty: { type: 'text', text: '' }, deltas });
  }
  if (reply.tool !== undefined) {
    const { id, name, input } = reply.tool;
    const block = { type: 'tool_use', id: `toolu_${id}`, name, input };
    const deltas = [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }];
    blocks.push({ block, empty: { ...block, input: {} }, deltas });
  }
  return blocks;
}

function messageOf(reply: Reply): Record<string, unknown> {
  return {
    id: `msg_${reply.id}`,
    type: 'message',
    role: 'assistant',
    model: reply.model,
    content: blocksOf(reply).map(({ block }) => block),
    stop_reason: reply.tool === undefined ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: {
      input_tokens: replyUsage.input,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: replyUsage.cached,
      output_tokens: replyUsage.output,
    },
  };
}

function named(data: Block & { type: string }): ServerSentEvent {
  return { event: data.type, data };
}

/** The Anthropic Messages API, as Claude Code speaks it. */
export const messagesApi: DialectCodec = {
  family: 'anthropic',
  read(body) {
    const request = bodySchema.parse(body);
    const texts = [textOf(request.system), ...request.messages.map((message) => textOf(message.content))];
    const tools = (request.tools ?? []).map((tool) => tool.name ?? '');
    return {
      dialect: 'messages',
      model: request.model,
      streamed: request.stream === true,
      workspace: findWorkspace(texts),
      ...readHistory(request.messages.flatMap(entriesOf), tools),
    };
  },
  events(reply) {
    const message = messageOf(reply);
    const start = { ...message, content: [], stop_reason: null };
    const delta = { stop_reason: message.stop_reason, stop_sequence: null };
    return [
      [named({ type: 'message_start', message: start })],
      ...blocksOf(reply).map(({ empty, deltas }, index) => [
        named({ type: 'content_block_start', index, content_block: empty }),
        ...deltas.map((change) => named({ type: 'content_block_delta', index, delta: change })),
        named({ type: 'content_block_stop', index }),
      ]),
      [
        named({ type: 'message_delta', delta, usage: { output_tokens: replyUsage.output } }),
        named({ type: 'message_stop' }),
      ],
    ];
  },
  document: messageOf,
};
