import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ensureTool } from '../scripts/setup.ts';
import { createAgentHome } from '../test/support/agentHomes.ts';
import { GitRepository } from '../test/support/gitRepository.ts';
import { startModelServer } from '../test/support/modelServer/server.ts';
import { bareCodex, type BareRun } from './bareCodex.ts';
import { openServerDelegate, openWindowDelegate, type Delegate, type Workbench } from './delegates.ts';
import type { Group, Row } from './row.ts';
import { byTurns, paired, timed } from './turns.ts';

/** One that only answers, and one that writes a file by a command. */
const turns = {
  answer: '[[scenario: answer]] What is the answer?',
  edit: '[[scenario: edit]] Write a note.',
};
/** What the second one writes. */
const note = 'note.txt';
const files = 50;

export const delegation: Group = {
  name: 'delegation',
  about: `a Codex turn in a repository of ${files} files, delegated and by the CLI alone, against a scripted model`,
  run: (effort) => onWorkbench((bench) => measure(bench, effort.rounds(25), effort.rounds(5))),
};

type Bench = Workbench & { readonly lastPrompt: () => string };

async function onWorkbench(use: (bench: Bench) => Promise<Row[]>): Promise<Row[]> {
  const server = await startModelServer();
  const home = await createAgentHome('codex', server.url);
  const repository = new GitRepository();
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-bench-'));
  try {
    repository.commit(Object.fromEntries(Array.from({ length: files }, (_, index) => file(index))));
    return await use({
      dist: resolve(import.meta.dirname, '..', 'dist'),
      codex: await ensureTool('codex'),
      environment: home.env,
      workspace: repository.root,
      folder,
      lastPrompt: () => server.requests.at(-1)?.prompt ?? '',
    });
  } finally {
    await server.close();
    await home.dispose();
    repository.remove();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function measure(bench: Bench, rounds: number, firstRounds: number): Promise<Row[]> {
  const first: number[] = [];
  for (let round = 0; round < firstRounds; round++) {
    await using(openServerDelegate(bench), async (delegate) => {
      first.push(await timed(() => delegate.run(turns.answer)));
    });
  }
  const rows = await using(openWindowDelegate(bench), (inWindow) =>
    using(openServerDelegate(bench), async (inServer) => [
      ...(await measureTurn('answer', { bench, inWindow, inServer }, rounds)),
      ...(await measureTurn('edit', { bench, inWindow, inServer }, rounds)),
    ]),
  );
  return [...rows, { what: 'the first delegate of a new MCP process, its start aside', unit: 'ms', samples: first }];
}

/** What a delegated CLI was asked, so that the bare one is asked the same: it sends a description of its folder before that. */
function askedFor(bench: Bench, prompt: string): string {
  const sent = bench.lastPrompt();
  const start = sent.indexOf(prompt);
  if (start < 0) throw new Error(`the model was asked something else: ${sent.slice(0, 200)}`);
  return sent.slice(start).trimEnd();
}

interface Subjects {
  readonly bench: Bench;
  readonly inWindow: Delegate;
  readonly inServer: Delegate;
}

async function measureTurn(name: keyof typeof turns, subjects: Subjects, rounds: number): Promise<Row[]> {
  const { bench, inWindow, inServer } = subjects;
  const prompt = turns[name];
  await inServer.run(prompt);
  const asked = askedFor(bench, prompt);
  const bare: BareRun[] = [];
  const inCleanWorkspace = async (measureOne: () => Promise<number>): Promise<number> => {
    await rm(join(bench.workspace, note), { force: true });
    return measureOne();
  };
  const samples = await byTurns(rounds, {
    alone: () =>
      inCleanWorkspace(async () => {
        const run = await bareCodex(bench, asked);
        bare.push(run);
        return run.exited;
      }),
    window: () => inCleanWorkspace(() => timed(() => inWindow.run(prompt))),
    server: () => inCleanWorkspace(() => timed(() => inServer.run(prompt))),
  });
  const [alone, window, server] = [
    samples.get('alone') ?? [],
    samples.get('window') ?? [],
    samples.get('server') ?? [],
  ];
  const completed = bare.slice(-rounds).map((run) => run.completed);
  const added = (ours: readonly number[], theirs: readonly number[]) => paired(ours, theirs, (a, b) => a - b);
  return [
    { what: `${name}: the CLI alone, to turn.completed`, unit: 'ms', samples: completed },
    { what: `${name}: the CLI alone, to its exit`, unit: 'ms', samples: alone },
    { what: `${name}: delegate over MCP`, unit: 'ms', samples: server },
    { what: `${name}: delegate over MCP adds to the exit`, unit: 'ms', samples: added(server, alone), atMost: 50 },
    { what: `${name}: delegate over MCP adds to turn.completed`, unit: 'ms', samples: added(server, completed) },
    { what: `${name}: a run of the window adds to the exit`, unit: 'ms', samples: added(window, alone), atMost: 50 },
  ];
}

async function using<T>(opening: Promise<Delegate>, use: (delegate: Delegate) => Promise<T>): Promise<T> {
  const delegate = await opening;
  try {
    return await use(delegate);
  } finally {
    await delegate.close();
  }
}

function file(index: number): [path: string, text: string] {
  return [`src/file${index}.txt`, `line of file ${index}\n`.repeat(20)];
}
