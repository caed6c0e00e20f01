import * as z from 'zod';
import type { Delegation, LiveRun } from '../delegation/task.ts';
import type { Access, Tier } from '../protocol/model.ts';
import type { Stats, StatsPeriod } from './statsTable.ts';

/** What of the settings the tools obey. A new snapshot for every call. */
export interface McpSettings {
  /** Who reads for `explore`. */
  exploreModel: Tier;
  /** How long a call without a progress token may take before it answers "still running", in milliseconds. */
  maxWaitMs: number;
  /** The longest text a tool returns, in characters, footer included. */
  resultMaxChars: number;
}

/** What a tool may do beside answering: everything that waits, cancels or reports is in here and not in the tools. */
export interface ToolContext {
  settings: McpSettings;
  delegation(): Promise<Delegation>;
  readStats(period: StatsPeriod): Promise<Stats>;
  /** The folder to work in: the caller's own, checked, or the default. Throws a Refusal. */
  folder(cwd: string | undefined): Promise<string>;
  /** Starts a worker, waits for it and answers with its result. Refuses when this server was reached from a worker. */
  work(start: (delegation: Delegation) => LiveRun | Promise<LiveRun>): Promise<ToolResult>;
  /** Waits for a run that is already under way and answers with its result. */
  attend(run: LiveRun): Promise<ToolResult>;
}

/** The text a tool answers with. `isError` marks a failure; its text then says the reason and the next step. */
export interface ToolResult {
  text: string;
  isError?: boolean;
}

/** Why a call is not carried out, for the caller: `message` says what is wrong and what to do instead. */
export class Refusal extends Error {
  override name = 'Refusal';
}

/** A tool as its file declares it. Each line of `input` has a one-line description. */
interface ToolSpec<Shape extends z.ZodRawShape> {
  name: string;
  title: string;
  /** The most it may do; the annotations follow from it. */
  access: Access;
  description: string;
  input: Shape;
  /** A core tool: clients that defer tool schemas load this one at once. */
  alwaysLoad?: boolean;
  run(input: z.output<z.ZodObject<Shape>>, context: ToolContext): Promise<ToolResult>;
}

/** A tool as the server holds it: its input is checked by `call`. */
export interface Tool {
  readonly name: string;
  /** The entry in the answer to `tools/list`. */
  listing(): ToolListing;
  /** Throws a Refusal when `input` breaks the schema. */
  call(input: unknown, context: ToolContext): Promise<ToolResult>;
}

interface ToolListing {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: 'object'; [key: string]: unknown };
  annotations: Record<string, boolean>;
  _meta?: Record<string, unknown>;
  [key: string]: unknown;
}

/** Makes a tool of its declaration. Unknown arguments are refused: an option is never dropped in silence. */
export function defineTool<Shape extends z.ZodRawShape>(spec: ToolSpec<Shape>): Tool {
  const schema = z.strictObject(spec.input);
  return {
    name: spec.name,
    listing: () => ({
      name: spec.name,
      title: spec.title,
      description: spec.description,
      inputSchema: inputSchemaOf(schema),
      annotations: annotationsOf(spec.access),
      ...(spec.alwaysLoad && { _meta: { 'anthropic/alwaysLoad': true } }),
    }),
    async call(input, context) {
      const parsed = schema.safeParse(input ?? {});
      if (!parsed.success) throw new Refusal(`Invalid arguments. ${describeIssues(parsed.error)} Nothing was started.`);
      return spec.run(parsed.data, context);
    },
  };
}

/** What models need of it: `$schema` and the refusal of unknown arguments are not worth their characters. */
function inputSchemaOf(schema: z.ZodType): ToolListing['inputSchema'] {
  const { properties, required } = z.toJSONSchema(schema, { io: 'input' });
  return { type: 'object', properties, ...(required && { required }) };
}

/**
 * Clients skip their confirmation for read-only tools, so the hint follows from access alone. The other hints are left at
 * what the protocol has clients assume without them: a writing tool may destroy, and any may reach beyond this machine.
 */
function annotationsOf(access: Access): Record<string, boolean> {
  return { readOnlyHint: access === 'readOnly' };
}

function describeIssues(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${[...path, message].join(': ')}.`).join(' ');
}
