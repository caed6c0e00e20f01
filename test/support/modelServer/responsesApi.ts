import * as z from 'zod';
import { findWorkspace, readHistory } from './conversation.ts';
import type { HistoryEntry } from './conversation.ts';
import type { DialectCodec } from './dialect.ts';
import { replyTime, replyUsage, textPieces } from './reply.ts';
import type { Reply, ServerSentEvent } from './reply.ts';
import type { ToolUse } from './tools.ts';

const contentSchema = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]);
/** A tool, or a `namespace` of them. */
const toolSchema = z.looseObject({
  type: z.string().optional(),
  name: z.string().optional(),
  get tools(): z.ZodOptional<z.ZodArray<typeof toolSchema>> {
    return z.array(toolSchema).optional();
  },
});
const itemSchema = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  content: contentSchema.nullish(),
  output: contentSchema.nullish(),
  tools: z.array(toolSchema).optional(),
});
const bodySchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  input: z.union([z.string(), z.array(itemSchema)]),
  tools: z.array(toolSchema).optional(),
});

type Item = z.infer<typeof itemSchema>;
type Tool = z.infer<typeof toolSchema>;

function namesOf(tools: readonly Tool[]): string[] {
  return tools.flatMap((tool) => (tool.tools ? namesOf(tool.tools) : [tool.name ?? tool.type ?? '']));
}

/** For its newest models Codex 0.171 sends the tools not as a member of the request but as an item of this type. */
const toolsItem = 'additional_tools';

function textOf(content: z.infer<typeof contentSchema> | null | undefined): string {
  if (content === undefined || content === null) return '';
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('\n');
}

function entryOf(item: Item): HistoryEntry | undefined {
  const type = item.type ?? 'message';
  if (type === toolsItem) return undefined;
  if (type === 'message' && item.role === 'user') return { kind: 'user', text: textOf(item.content) };
  if (type.endsWith('_output')) return { kind: 'toolResult', text: textOf(item.output) };
  if (type === 'message' && item.role !== 'assistant') return undefined;
  return { kind: 'assistant' };
}

interface NamedEvent {
  readonly event: string;
  readonly data: OutputItem;
}

type OutputItem = Readonly<Record<string, unknown>>;

/** The finished output items of a reply, each with the deltas that lead to it. */
function outputOf(reply: Reply): { item: OutputItem; empty: OutputItem; deltas: OutputItem[] }[] {
  const output: { item: OutputItem; empty: OutputItem; deltas: OutputItem[] }[] = [];
  if (reply.think !== undefined) output.push(reasoningItem(reply.id, reply.think));
  if (reply.say !== undefined) output.push(messageItem(reply.id, reply.say));
  if (reply.tool !== undefined) output.push(toolItem(reply.id, reply.tool));
  return output;
}

function reasoningItem(id: string, text: string): { item: OutputItem; empty: OutputItem; deltas: OutputItem[] } {
  const item = {
    type: 'reasoning',
    id: `rs_${id}`,
    summary: [{ type: 'summary_text', text }],
    encrypted_content: 'opaque',
  };
  const place = { item_id: item.id, summary_index: 0 };
  return {
    item,
    empty: { ...item, summary: [] },
    deltas: [
      { type: 'response.reasoning_summary_part.added', ...place, part: { type: 'summary_text', text: '' } },
      { type: 'response.reasoning_summary_text.delta', ...place, delta: text },
    ],
  };
}

function messageItem(id: string, text: string): { item: OutputItem; empty: OutputItem; deltas: OutputItem[] } {
  const content = [{ type: 'output_text', text, annotations: [] }];
  const item = { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content };
  const deltas = textPieces(text).map((delta) => ({
    type: 'response.output_text.delta',
    item_id: item.id,
    content_index: 0,
    delta,
  }));
  return { item, empty: { ...item, status: 'in_progress', content: [] }, deltas };
}

function toolItem(id: string, tool: ToolUse): { item: OutputItem; empty: OutputItem; deltas: OutputItem[] } {
  const common = { call_id: tool.id, name: tool.name, status: 'completed' };
  if (typeof tool.input === 'string') {
    const item = { type: 'custom_tool_call', id: `ctc_${id}`, ...common, input: tool.input };
    return { item, empty: { ...item, status: 'in_progress', input: '' }, deltas: [] };
  }
  const item = { type: 'function_call', id: `fc_${id}`, ...common, arguments: JSON.stringify(tool.input) };
  return { item, empty: { ...item, status: 'in_progress', arguments: '' }, deltas: [] };
}

function responseOf(reply: Reply): Record<string, unknown> {
  return {
    id: `resp_${reply.id}`,
    object: 'response',
    created_at: replyTime,
    status: 'completed',
    model: reply.model,
    parallel_tool_calls: false,
    tool_choice: 'auto',
    tools: [],
    output: outputOf(reply).map(({ item }) => item),
    usage: {
      input_tokens: replyUsage.input,
      input_tokens_details: { cached_tokens: replyUsage.cached },
      output_tokens: replyUsage.output,
      output_tokens_details: { reasoning_tokens: replyUsage.reasoning },
      total_tokens: replyUsage.input + replyUsage.output,
    },
  };
}

function named(data: OutputItem & { type: string }): NamedEvent {
  return { event: data.type, data };
}

/** Every event of this API carries its place in the stream; Codex does not look at it, Grok insists. */
function numbered(groups: NamedEvent[][]): ServerSentEvent[][] {
  let next = 0;
  return groups.map((group) => group.map(({ event, data }) => ({ event, data: { ...data, sequence_number: next++ } })));
}

/** The OpenAI Responses API, as Codex speaks it (`wire_api = "responses"`). */
export const responsesApi: DialectCodec = {
  family: 'openai',
  read(body) {
    const request = bodySchema.parse(body);
    const items = typeof request.input === 'string' ? [{ role: 'user', content: request.input }] : request.input;
    const entries = items.map(entryOf).filter((entry) => entry !== undefined);
    const offered = [request.tools ?? [], ...items.map((item) => (item.type === toolsItem ? (item.tools ?? []) : []))];
    return {
      dialect: 'responses',
      model: request.model,
      streamed: request.stream === true,
      workspace: findWorkspace(items.map((item) => textOf(item.content))),
      ...readHistory(entries, namesOf(offered.flat())),
    };
  },
  events(reply) {
    const response = responseOf(reply);
    const started = { ...response, status: 'in_progress', output: [] };
    const items = outputOf(reply).map(({ item, empty, deltas }, index) => [
      named({ type: 'response.output_item.added', output_index: index, item: empty }),
      ...deltas.map((delta) => named({ type: String(delta.type), output_index: index, ...delta })),
      named({ type: 'response.output_item.done', output_index: index, item }),
    ]);
    return numbered([
      [named({ type: 'response.created', response: started })],
      ...items,
      [named({ type: 'response.completed', response })],
    ]);
  },
  document: responseOf,
};
