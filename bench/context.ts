import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseConfig } from '../src/config.ts';
import type { Tier } from '../src/protocol/model.ts';
import { Bench } from '../test/support/bench/bench.ts';
import { serverFor } from '../test/support/bench/mcpServer.ts';
import { McpTestClient } from '../test/support/mcpClient.ts';
import type { RecordedRequest } from '../test/support/modelServer/server.ts';
import { type ContextCase, contextCases } from './contextCases.ts';
import { type Corpus, loadCorpus } from './corpus/corpus.ts';
import type { Grid, Group } from './row.ts';

const root = resolve(import.meta.dirname, '..');
/** Gets what was sent and returned, for whoever wants to count it himself. */
const recordings = join(root, '.cache', 'context');

const headings = [
  'tool, on what',
  'each request',
  'all requests',
  'the work added',
  'called with',
  'returned',
  'whole files',
] as const;

export const context: Group = {
  name: 'context',
  about: 'characters a worker read, and characters its caller gets (mechanical: the model is scripted)',
  run: measure,
};

const about = `
This is mechanical, and no saving is claimed: what a real model would read, and whether its answer would do, a script does
not show. The script is a frugal worker: it searches, then reads only the lines around what it found. Its calls are carried
out by the real CLI (as pinned in \`tools\`), for Codex with the models of the settings as they come; its answers are true.
The characters do not depend on the load of the machine; they move by some tens with the length of its paths.

- *each request*: the body of every request the CLI sent to the model, as JSON, turn by turn. The first is what the CLI says
  before any work: its own instructions, its tools, the task.
- *all requests*: their sum. That is what the worker's model was given to read, as every turn sends again all before it.
- *the work added*: the last request less the first: the calls, and what was found and read, once. A caller that took the
  same steps itself would have this in its own context, and send it again with each of its later turns. Where it is not much
  more than what was called with and returned, delegating was not worth it.
- *called with*, *returned*: the arguments and the text of the result, as the MCP SDK's client has them: all that a call puts
  into the caller's context. (The descriptions of the tools are paid once: \`test/mcp/cost.test.ts\`.)
- *whole files*: the files the worker looked into, had the caller read them natively from end to end, and their number.

Codex searches the web at its model's service, so what the pages hold is in no request and is not counted.

To repeat it: \`npm run bench -- context\`. What was sent and returned is then in \`.cache/context\`, a file for each row; this
counts the requests of one of them again:

    node -p 'JSON.parse(require("fs").readFileSync(".cache/context/codex-explore-1.json")).requests.map((r) => JSON.stringify(r).length)'

Where the repository, the file and the log come from is told in \`bench/corpus/README.md\`.
`.trim();

interface Worker {
  readonly engine: 'codex' | 'claude';
  /** As a server's settings name them: the first reads, the third plans. */
  readonly tiers: Tier[];
  readonly takes: (each: ContextCase) => boolean;
}

function workers(): Worker[] {
  const { exploreModel, tiers } = parseConfig({}).config;
  const planner = tiers[2];
  if (exploreModel.engine !== 'codex' || planner?.engine !== 'codex') throw new Error('Codex reads no longer');
  const claude = { engine: 'claude' } as const;
  return [
    { engine: 'codex', tiers: [exploreModel, exploreModel, planner], takes: () => true },
    { engine: 'claude', tiers: [claude, claude, claude], takes: ({ tool }) => tool !== 'web_lookup' },
  ];
}

async function measure(): Promise<Grid> {
  const corpus = await loadCorpus();
  await rm(recordings, { recursive: true, force: true });
  await mkdir(recordings, { recursive: true });
  const rows: string[][] = [];
  for (const worker of workers()) {
    const cases = contextCases(corpus).filter(worker.takes);
    await withClient(worker, cases, corpus, async (bench, client) => {
      for (const [index, each] of cases.entries()) {
        const call = await callOne(bench, client, each, scenarioOf(each, index));
        await writeFile(join(recordings, `${worker.engine}-${scenarioOf(each, index)}.json`), JSON.stringify(call));
        rows.push(rowOf(worker.engine, each, call, corpus));
      }
    });
  }
  return { about, headings, rows };
}

/** The MCP process as clients start it, in a workspace that holds each part of the corpus in a folder of its own. */
async function withClient(
  { engine, tiers }: Worker,
  cases: readonly ContextCase[],
  corpus: Corpus,
  use: (bench: Bench, client: McpTestClient) => Promise<void>,
): Promise<void> {
  const scenarios = Object.fromEntries(
    cases.map((each, index) => [scenarioOf(each, index), { about: each.on, steps: each.steps }]),
  );
  const files = Object.fromEntries(
    Object.entries(corpus).flatMap(([part, texts]) =>
      Object.entries(texts).map(([path, text]) => [`${part}/${path}`, text] as const),
    ),
  );
  await Bench.with(
    [engine],
    async (bench) => {
      const client = await McpTestClient.connect(serverFor(bench, join(root, 'dist', 'mcp.cjs')));
      try {
        await use(bench, client);
      } finally {
        await client.close();
      }
    },
    { scenarios, files, settings: { tiers } },
  );
}

const scenarioOf = ({ tool }: ContextCase, index: number) => `${tool}-${index + 1}`;

interface Call {
  readonly input: Readonly<Record<string, unknown>>;
  readonly returned: string;
  /** The bodies, in the order they came. */
  readonly requests: readonly unknown[];
}

async function callOne(bench: Bench, client: McpTestClient, each: ContextCase, scenario: string): Promise<Call> {
  const before = bench.server.requests.length;
  const input = { ...each.input, cwd: join(bench.workspace, each.part) };
  const directed = { ...input, [each.asks]: `[[scenario: ${scenario}]] ${String(each.input[each.asks])}` };
  const waiting = { timeout: 300_000, onprogress: () => undefined };
  const { text, isError } = await client.call(each.tool, directed, waiting);
  if (isError) throw new Error(`${each.tool} failed: ${text}`);
  const requests = bench.server.requests
    .slice(before)
    .filter(asksModel)
    .map(({ body }) => body);
  const last = JSON.stringify(requests.at(-1));
  if (requests.length !== each.steps.length) {
    throw new Error(`${each.tool}: ${requests.length} requests for ${each.steps.length} steps`);
  }
  if (each.proof !== undefined && !last.includes(JSON.stringify(each.proof).slice(1, -1))) {
    throw new Error(`${each.tool}: the worker was not brought what it asked for: ${last.slice(-2_000)}`);
  }
  return { input, returned: text, requests };
}

const asksModel = ({ path }: RecordedRequest) => /\/(?:responses|messages)(?:\?|$)/.test(path);

const count = (value: number) => value.toLocaleString('en-US');

function rowOf(engine: string, each: ContextCase, { input, returned, requests }: Call, corpus: Corpus): string[] {
  const sizes = requests.map((body) => JSON.stringify(body).length);
  const read = new Set(each.steps.flatMap(({ call }) => (call?.kind === 'read' ? [call.path] : [])));
  const searched = each.steps.flatMap(({ call }) => (call?.kind === 'search' ? [call.path] : []));
  const texts = corpus[each.part];
  const files = Object.keys(texts).filter((path) => read.has(path) || searched.includes(path) || path === each.prints);
  const whole = files.reduce((sum, path) => sum + (texts[path] ?? '').length, 0);
  return [
    `${each.tool} (${engine}), ${each.on}`,
    sizes.map(count).join(', '),
    count(sizes.reduce((sum, size) => sum + size, 0)),
    count((sizes.at(-1) ?? 0) - (sizes[0] ?? 0)),
    count(JSON.stringify(input).length),
    count(returned.length),
    files.length === 0 ? '' : `${count(whole)} (${files.length})`,
  ];
}
