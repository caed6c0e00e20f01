import { fileURLToPath } from 'node:url';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Delegation, LiveRun } from '../delegation/task.ts';
import { attend } from './attend.ts';
import { serverInstructions } from './prompts/server.ts';
import { outputTemplate, readOutput } from './runOutput.ts';
import { serverIcon } from './serverIcon.ts';
import type { Stats, StatsPeriod } from './statsTable.ts';
import { Refusal, type McpSettings, type ToolContext, type ToolResult } from './tool.ts';
import { tools } from './toolList.ts';
import { workFolder, type Workspace } from './workFolder.ts';

/** What a server needs of the process it lives in. */
export interface McpDeps {
  version: string;
  clock: Clock;
  log: Logger;
  workspace: Workspace;
  /** A snapshot, taken anew for every call. */
  settings(): McpSettings;
  /** Loaded by the first call that needs it, so that listing the tools stays cheap. Gives the same one every time. */
  delegation(): Promise<Delegation>;
  readStats(period: StatsPeriod): Promise<Stats>;
  /** Why no worker may be started from here: this server was reached from inside one. Undefined when it was not. */
  recursion(): Promise<string | undefined>;
  /** A client has called a tool. */
  onToolCalled?(): void;
}

/** One client's server, without a transport of its own. */
export interface McpConnection {
  connect(transport: Transport): Promise<void>;
  /** Cancels the runs this client asked for, lets calls under way answer (2 s at most), then closes the transport. */
  close(): Promise<void>;
}

const rootsTimeoutMs = 2_000;
const closeGraceMs = 2_000;

/** Makes a server for one client. When its transport closes, every run the client asked for is cancelled. */
export function createMcpServer(deps: McpDeps): McpConnection {
  return new Connection(deps);
}

/** The SDK checks what clients answer to a form; nobody is sent one here, and its own checker costs every start. */
const noElicitation = {
  getValidator(): never {
    throw new Error('This server sends no forms.');
  },
};

/** What the SDK hands to a request's handler, as far as it matters here. */
interface CallExtra {
  signal: AbortSignal;
  _meta?: { progressToken?: string | number | undefined } | undefined;
  sendNotification: (notification: {
    method: 'notifications/progress';
    params: { progressToken: string | number; progress: number; message: string };
  }) => Promise<void>;
}

class Connection implements McpConnection {
  readonly #deps: McpDeps;
  readonly #server: McpServer['server'];
  /** Runs this client asked for and that have not ended. Those that answered "still running" outlive their call. */
  readonly #runs = new Set<LiveRun>();
  readonly #calls = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();

  constructor(deps: McpDeps) {
    this.#deps = deps;
    const info = { name: 'sallyport', title: 'Sallyport', version: deps.version, icons: [serverIcon] };
    const options = { instructions: serverInstructions, jsonSchemaValidator: noElicitation };
    this.#server = new McpServer(info, options).server;
    this.#server.registerCapabilities({ tools: {}, resources: {} });
    this.#server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map((tool) => tool.listing()) }));
    this.#server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
      this.#tracked(this.#call(params.name, params.arguments, extra)),
    );
    this.#serveOutputs();
    this.#server.onclose = () => this.#cancelAll();
    this.#server.onerror = (error) => deps.log.warn(`mcp: ${error.message}`);
  }

  connect(transport: Transport): Promise<void> {
    return this.#server.connect(transport);
  }

  async close(): Promise<void> {
    this.#cancelAll();
    const grace = new Promise<void>((resolve) => this.#deps.clock.after(closeGraceMs, resolve));
    await Promise.race([Promise.allSettled(this.#calls), grace]);
    // The SDK sends an answer some microtasks after its handler has returned.
    await new Promise((resolve) => setImmediate(resolve));
    await this.#server.close();
  }

  #serveOutputs(): void {
    this.#server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [] }));
    this.#server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [outputTemplate] }));
    this.#server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
      this.#tracked(this.#readOutput(params.uri)),
    );
  }

  async #readOutput(uri: string): Promise<ReadResourceResult> {
    return readOutput(uri, await this.#deps.delegation(), this.#deps.settings().resultMaxChars);
  }

  #cancelAll(): void {
    this.#closing.abort();
    for (const run of this.#runs) run.cancel();
  }

  async #tracked<T>(call: Promise<T>): Promise<T> {
    this.#calls.add(call);
    try {
      return await call;
    } finally {
      this.#calls.delete(call);
    }
  }

  async #call(name: string, input: unknown, extra: CallExtra): Promise<CallToolResult> {
    const tool = tools.find((known) => known.name === name);
    try {
      if (!tool)
        throw new Refusal(`There is no tool ${JSON.stringify(name.slice(0, 80))}. List the tools to see them.`);
      this.#deps.onToolCalled?.();
      return asContent(await tool.call(input, this.#contextFor(extra)));
    } catch (error) {
      if (error instanceof Refusal) return asContent({ text: error.message, isError: true });
      const why = error instanceof Error ? error.message : String(error);
      this.#deps.log.error(`mcp: ${name}: ${why}`);
      return asContent({ text: `Sallyport could not carry this out: ${why}`, isError: true });
    }
  }

  #contextFor(extra: CallExtra): ToolContext {
    const deps = this.#deps;
    const settings = deps.settings();
    const signal = AbortSignal.any([extra.signal, this.#closing.signal]);
    const attendTo = async (run: LiveRun): Promise<ToolResult> =>
      attend(run, {
        delegation: await deps.delegation(),
        clock: deps.clock,
        settings,
        signal,
        cancelsRun: this.#runs.has(run),
        report: reporterFor(extra),
      });
    return {
      settings,
      delegation: () => deps.delegation(),
      readStats: (period) => deps.readStats(period),
      folder: (cwd) => workFolder(cwd, deps.workspace, () => this.#roots()),
      attend: attendTo,
      work: async (start) => {
        const refused = await deps.recursion();
        if (refused !== undefined) throw new Refusal(refused);
        const delegation = await deps.delegation();
        signal.throwIfAborted();
        return attendTo(this.#adopt(await start(delegation)));
      },
    };
  }

  #adopt(run: LiveRun): LiveRun {
    this.#runs.add(run);
    void run.result.then(() => this.#runs.delete(run));
    return run;
  }

  /** The client's roots that are folders on this machine. A client that fails to answer has none. */
  async #roots(): Promise<string[]> {
    if (!this.#server.getClientCapabilities()?.roots) return [];
    try {
      const { roots } = await this.#server.listRoots(undefined, { timeout: rootsTimeoutMs });
      return roots.flatMap(({ uri }) => pathOf(uri) ?? []);
    } catch (error) {
      this.#deps.log.warn(`mcp: the client did not give its roots: ${String(error)}`);
      return [];
    }
  }
}

/** Undefined for what lies on no disk of this machine. */
function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

function asContent({ text, isError }: ToolResult): CallToolResult {
  return { content: [{ type: 'text', text }], ...(isError && { isError }) };
}

/** Progress must grow with every notification (MCP, progress); how much is left nobody knows, so there is no total. */
function reporterFor({ _meta, sendNotification }: CallExtra): ((message: string) => void) | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return (message) => {
    progress += 1;
    // A client that is gone cancels the call by other means.
    sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(
      () => undefined,
    );
  };
}
