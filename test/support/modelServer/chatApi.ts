import * as z from 'zod';
import { findWorkspace, readHistory } from './conversation.ts';
import type { HistoryEntry } from './conversation.ts';
import type { DialectCodec } from './dialect.ts';
import { replyTime, replyUsage, textPieces } from './reply.ts';
import type { Reply, ServerSentEvent } from './reply.ts';

const contentSchema = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]);
const bodySchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: contentSchema.nullish() })),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }).optional() })).optional(),
});

type Message = z.infer<typeof bodySchema>['messages'][number];

function textOf(message: Message): string {
  const { content } = message;
  if (content === undefined || content === null) return '';
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('\n');
}

function entryOf(message: Message): HistoryEntry | undefined {
  if (message.role === 'user') return { kind: 'user', text: textOf(message) };
  if (message.role === 'tool') return { kind: 'toolResult', text: textOf(message) };
  return message.role === 'assistant' ? { kind: 'assistant' } : undefined;
}

function toolCallsOf(reply: Reply): Record<string, unknown>[] | undefined {
  if (reply.tool === undefined) return undefined;
  const { id, name, input } = reply.tool;
  return [{ index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(input) } }];
}

function finishReason(reply: Reply): string {
  return reply.tool === undefined ? 'stop' : 'tool_calls';
}

const usage = {
  prompt_tokens: replyUsage.input,
  prompt_tokens_details: { cached_tokens: replyUsage.cached },
  completion_tokens: replyUsage.output,
  completion_tokens_details: { reasoning_tokens: replyUsage.reasoning },
  total_tokens: replyUsage.input + replyUsage.output,
};

/** The OpenAI chat/completions API, as Grok Build speaks it. Reasoning travels as `reasoning_content`. */
export const chatApi: DialectCodec = {
  family: 'openai',
  read(body) {
    const request = bodySchema.parse(body);
    const tools = (request.tools ?? []).map((tool) => tool.function?.name ?? '');
    return {
      dialect: 'chat',
      model: request.model,
      streamed: request.stream === true,
      workspace: findWorkspace(request.messages.map(textOf)),
      ...readHistory(
        request.messages.map(entryOf).filter((entry) => entry !== undefined),
        tools,
      ),
    };
  },
  events(reply) {
    const chunk = (choices: unknown[], extra: Record<string, unknown> = {}): ServerSentEvent => ({
      data: {
        id: `chatcmpl_${reply.id}`,
        object: 'chat.completion.chunk',
        created: replyTime,
        model: reply.model,
        choices,
        ...extra,
      },
    });
    const delta = (content: Record<string, unknown>): ServerSentEvent =>
      chunk([{ index: 0, delta: content, finish_reason: null }]);
    const groups: ServerSentEvent[][] = [[delta({ role: 'assistant', content: '' })]];
    if (reply.think !== undefined) groups.push([delta({ reasoning_content: reply.think })]);
    if (reply.say !== undefined) groups.push(textPieces(reply.say).map((content) => delta({ content })));
    const calls = toolCallsOf(reply);
    if (calls !== undefined) groups.push([delta({ tool_calls: calls })]);
    const end = chunk([{ index: 0, delta: {}, finish_reason: finishReason(reply) }]);
    groups.push([end, chunk([], { usage }), { data: '[DONE]' }]);
    return groups;
  },
  document: (reply) => ({
    id: `chatcmpl_${reply.id}`,
    object: 'chat.completion',
    created: replyTime,
    model: reply.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: reply.say ?? null, tool_calls: toolCallsOf(reply) },
        finish_reason: finishReason(reply),
      },
    ],
    usage,
  }),
};
