import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isCheckedVersion } from '../../src/cursor/calls/version.ts';
import { cursor } from '../../src/engines/cursor.ts';
import { capture } from '../../src/process/capture.ts';
import { lookAtChats } from './chat.ts';
import { type ProbeKind, sampleFiles } from './kinds.ts';
import { openPane } from './pane.ts';
import type { Person } from './person.ts';
import { Records, type Result } from './records.ts';
import { createRedaction, type Private } from './redaction.ts';
import { type Patience, walk } from './walk.ts';

export interface ProbeOptions {
  /** Absolute paths of programs. */
  agent: string;
  tmux: string;
  /** Where the records go; made when there is something to record. */
  output: string;
  /** Whose cursor-agent it is; `env` is the one it gets. */
  whose: Private;
  kinds: readonly ProbeKind[];
  patience: Patience;
  person: Person;
  signal: AbortSignal;
}

const workerFile = resolve(import.meta.dirname, '..', '..', 'src', 'delegation', 'redactWorker.ts');

/** Says what it is about to do, does it with the person, and ends with the table. Leaves nothing but the records and the chat. */
export async function probe(options: ProbeOptions): Promise<Result[]> {
  const { agent, person, output, whose, kinds, signal } = options;
  const version = await versionOfAgent(options);
  person.tell(introduction(agent, version, output, kinds.length));
  if ((await person.ask('Enter = begin, anything else = leave it: ')) !== '') return [];
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'sp-probe-')));
  const redaction = createRedaction(whose, workerFile);
  const records = new Records(output, version, redaction);
  try {
    const cwd = join(folder, 'sample');
    await mkdir(cwd);
    for (const [name, text] of Object.entries(sampleFiles)) await writeFile(join(cwd, name), text);
    const chat = await createChat(options, cwd);
    const command = [agent, '--resume', chat];
    const pane = await openPane(options.tmux, { folder, cwd, env: whose.env, command });
    try {
      person.tell(
        `cursor-agent runs. To see it and to answer, run this in another terminal:\n\n  ${pane.attachCommand}\n`,
      );
      const stores = () => lookAtChats(whose, cwd);
      await walk({ pane, person, records, stores, patience: options.patience, signal }, kinds);
    } finally {
      await pane.dispose();
    }
    return await finish(records, person, output);
  } finally {
    redaction.dispose();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function finish(records: Records, person: Person, output: string): Promise<Result[]> {
  if (records.results.length === 0) person.tell('Nothing was recorded.');
  else {
    person.tell(`\n${await records.finish()}\n\nThe records are in ${output}. Read them before you pass them on.`);
  }
  return records.results;
}

async function versionOfAgent({ agent, whose, signal }: ProbeOptions): Promise<string> {
  const answers = await Promise.all(
    ['--version', '--help'].map((flag) => run(agent, [flag], tmpdir(), whose.env, signal)),
  );
  const identity = cursor.identify(answers.map(({ text }) => text).join('\n'));
  if (!identity.ok) throw new Error(`${agent}: ${identity.why} ${cursor.installHint}`);
  return identity.version;
}

async function createChat({ agent, whose, signal }: ProbeOptions, cwd: string): Promise<string> {
  const { text, code } = await run(agent, ['create-chat'], cwd, whose.env, signal);
  const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(text)?.[0];
  if (code === 0 && id !== undefined) return id;
  throw new Error(`cursor-agent made no chat. ${cursor.signInHint} It said: ${text.trim().slice(0, 500)}`);
}

async function run(
  file: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<{ text: string; code: number | null }> {
  const { stdout, stderr, code } = await capture({
    file,
    args,
    cwd,
    env,
    signal,
    timeoutMs: 30_000,
    maxBytes: 256 * 1024,
  });
  return { text: `${stdout.toString('utf8')}\n${stderr}`, code };
}

function introduction(agent: string, version: string, output: string, kinds: number): string {
  return `This records what the prompts of your cursor-agent look like, so that Sallyport can be checked against them.

  program   ${agent}
  version   ${version} (${isCheckedVersion(version) ? 'one' : 'none'} that Sallyport was checked on)
  records   ${output}

What it does:
- It starts cursor-agent in a temporary folder with two sample files, in a tmux server of its own, with a new chat. The
  messages use your plan with Cursor, and the chat stays among your chats.
- For each of ${kinds} kinds of prompts it shows you a message, and sends it when you press Enter. You can skip any.
- When the agent asks, it records the screen, the call that is pending, and the layout of the chat's root: numbers and lengths
  of its fields, not what they hold. Secrets, your home folder, your user's and your machine's name are taken out.
- You answer each prompt yourself in the pane, or let it press Escape. It approves nothing and never presses Tab.
- Nothing is sent to anybody but Cursor: the records stay in that folder.
`;
}
