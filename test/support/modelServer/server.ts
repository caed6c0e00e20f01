import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as realPause } from 'node:timers/promises';
import { sampleImages } from '../sampleImages.ts';
import { chatApi } from './chatApi.ts';
import type { Conversation, Dialect } from './conversation.ts';
import type { DialectCodec } from './dialect.ts';
import { httpFailure } from './failures.ts';
import { messagesApi } from './messagesApi.ts';
import { replyTo, replyUsage } from './reply.ts';
import type { Reply } from './reply.ts';
import { responsesApi } from './responsesApi.ts';
import { routeOf, selectScenario } from './route.ts';
import type { Route } from './route.ts';
import { stepAt } from './scenario.ts';
import type { Scenario, Step } from './scenario.ts';
import { builtInScenarios } from './scenarios.ts';
import { holdOpen, readBody, sendJson, writeEvents } from './wire.ts';

/** A request as it was understood. Header values that carry credentials are replaced by `(present)`. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly scenario: string;
  readonly model: string;
  readonly prompt: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Settings of a model server. */
export interface ModelServerOptions {
  /** More scenarios, or others under the names of built-in ones. */
  readonly scenarios?: Readonly<Record<string, Scenario>>;
  /** Scenario of a request that names none; `answer` when left out. */
  readonly fallback?: string;
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** Pause before each part of every reply, for those whose scenario name sets none. */
  readonly delayMs?: number;
  readonly onRequest?: (request: RecordedRequest) => void;
  /** How to wait; the real clock when left out. Rejects when the signal aborts. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A running server. */
export interface ModelServer {
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** Ends every connection, also the stalled ones. */
  close(): Promise<void>;
}

const codecs: Readonly<Record<Dialect, DialectCodec>> = {
  responses: responsesApi,
  chat: chatApi,
  messages: messagesApi,
};

/** Starts a scripted model on 127.0.0.1 that speaks the APIs of Codex, Claude Code and Grok. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  const record = (request: RecordedRequest): void => {
    requests.push(request);
    options.onRequest?.(request);
  };
  const server = createServer((request, response) => {
    answer(request, response, options, record).catch((error: unknown) => failLoudly(response, error));
  });
  await listen(server, options.port ?? 0);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The model server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: ModelServerOptions,
  record: (request: RecordedRequest) => void,
): Promise<void> {
  const { target, scenario: pathScenario } = routeOf(request.url ?? '/');
  const body = await readBody(request);
  const fallback = options.fallback ?? 'answer';
  const note = (scenario: string, conversation?: Conversation): void =>
    record({
      method: request.method ?? '',
      path: request.url ?? '',
      scenario,
      model: conversation?.model ?? '',
      prompt: conversation?.prompt ?? '',
      headers: withoutCredentials(request.headers),
      body,
    });
  if (isAside(target)) {
    note(pathScenario ?? fallback);
    answerAside(target, response);
    return;
  }
  const codec = codecs[target];
  const conversation = codec.read(body);
  const selection = selectScenario({ ...conversation, path: pathScenario, fallback });
  note(selection.name, conversation);
  const scenario = scenarioNamed(selection.name, options);
  const delayMs = selection.delayMs ?? options.delayMs ?? 0;
  await play(scenario, codec, conversation, response, { delayMs, pause: options.pause ?? pauseFor });
}

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await realPause(ms, undefined, { signal });
}

function scenarioNamed(name: string, options: ModelServerOptions): Scenario {
  const all = new Map(Object.entries({ ...builtInScenarios, ...options.scenarios }));
  const scenario = all.get(name);
  if (scenario === undefined) throw new Error(`No scenario "${name}". There are: ${[...all.keys()].join(', ')}.`);
  return scenario;
}

interface Pacing {
  readonly delayMs: number;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

async function play(
  scenario: Scenario,
  codec: DialectCodec,
  conversation: Conversation,
  response: ServerResponse,
  pacing: Pacing,
): Promise<void> {
  if ('silent' in scenario) {
    await holdOpen(response);
  } else if ('failure' in scenario) {
    const { status, headers, body } = httpFailure(scenario.failure, codec.family);
    sendJson(response, status, body, headers);
  } else {
    const step = stepAt(scenario.steps, conversation.toolResults);
    const reply = replyTo(step, conversation);
    if (conversation.streamed) await stream(step, reply, codec, response, pacing);
    else await sendDocument(step, reply, codec, response, pacing);
  }
}

async function sendDocument(
  step: Step,
  reply: Reply,
  codec: DialectCodec,
  response: ServerResponse,
  pacing: Pacing,
): Promise<void> {
  await waitOn(response, pacing);
  if (step.breaks !== undefined) await breakOff(step.breaks, response);
  else sendJson(response, 200, codec.document(reply));
}

async function stream(
  step: Step,
  reply: Reply,
  codec: DialectCodec,
  response: ServerResponse,
  pacing: Pacing,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const [index, group] of codec.events(reply).entries()) {
    await waitOn(response, pacing);
    if (response.destroyed) return;
    if (step.breaks !== undefined && index > 0) {
      await writeEvents(response, group.slice(0, -1));
      await breakOff(step.breaks, response);
      return;
    }
    await writeEvents(response, group);
  }
  response.end();
}

async function breakOff(how: 'cut' | 'stall', response: ServerResponse): Promise<void> {
  if (how === 'stall') await holdOpen(response);
  else response.destroy();
}

/** Waits the pacing's pause; comes back early when the client has gone. */
async function waitOn(response: ServerResponse, { delayMs, pause }: Pacing): Promise<void> {
  if (delayMs === 0 || response.destroyed) return;
  const gone = new AbortController();
  const abort = (): void => gone.abort();
  response.once('close', abort);
  try {
    await pause(delayMs, gone.signal);
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    response.off('close', abort);
  }
}

type Aside = Exclude<Route['target'], Dialect>;

function isAside(target: Route['target']): target is Aside {
  return !Object.hasOwn(codecs, target);
}

/** The same picture for every wish, as Grok Build 1.0.41 asks for one: by base64. */
function answerAside(target: Aside, response: ServerResponse): void {
  if (target === 'models') {
    const model = { id: 'mock-answer', object: 'model', created: 0, owned_by: 'loopback' };
    sendJson(response, 200, { object: 'list', data: [model], models: [] });
  } else if (target === 'countTokens') {
    sendJson(response, 200, { input_tokens: replyUsage.input });
  } else if (target === 'images') {
    sendJson(response, 200, { created: 0, data: [{ b64_json: sampleImages.jpeg.toString('base64') }] });
  } else {
    sendJson(response, 404, { error: { message: 'The model server has no such path.', type: 'not_found' } });
  }
}

/** A mistake of the test (unknown scenario, foreign body) becomes an error that no client retries. */
function failLoudly(response: ServerResponse, error: unknown): void {
  const message = `Model server: ${error instanceof Error ? error.message : String(error)}`;
  if (response.headersSent) response.destroy();
  else sendJson(response, 400, { type: 'error', error: { type: 'invalid_request_error', message } });
}

function withoutCredentials(headers: IncomingMessage['headers']): Record<string, string> {
  const secret = /^(authorization|proxy-authorization|cookie|.*api-key.*|.*token.*)$/i;
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secret.test(name) ? '(present)' : Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}
