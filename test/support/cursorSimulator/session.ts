import { Agent, type AgentOptions } from './agent.ts';
import { homedir } from 'node:os';
import { play, type Stage } from './player.ts';
import type { Step } from './scenario.ts';
import { Ui } from './ui.ts';

const endingSignals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;

/** One life of the agent in its terminal, from its start to its exit. Returns when it has nothing more to do by itself. */
export async function runSession(options: AgentOptions, prompt: string | undefined): Promise<void> {
  const { scenario, cwd, log } = options;
  const agent = new Agent(options);
  const replies = [...scenario.onPrompt];
  let isBusy = false;
  let turn = new AbortController();
  const queue: string[] = [];

  const ui = new Ui(
    log,
    () => ({
      activity: agent.activity,
      busy: isBusy,
      folder: cwd.startsWith(homedir()) ? `~${cwd.slice(homedir().length)}` : cwd,
      runsEverything: agent.runsEverything,
    }),
    { submit: (text) => void submit(text), stop: () => turn.abort(), quit: () => exit(0, 'quit') },
  );
  function exit(code: number, why = 'exit'): never {
    agent.close();
    log({ event: 'exit', why });
    ui.restore();
    process.exit(code);
  }
  for (const signal of endingSignals) process.on(signal, () => exit(0, signal));
  process.stdin.on('end', () => exit(0, 'hangup'));
  // The terminal may be gone before the session.
  for (const stream of [process.stdin, process.stdout]) stream.on('error', () => undefined);

  const perform = async (steps: readonly Step[]): Promise<void> => {
    turn = new AbortController();
    isBusy = true;
    ui.draw();
    const stage: Stage = { agent, ui, cwd, exit, signal: turn.signal };
    try {
      await play(stage, steps);
    } catch (error) {
      if (!turn.signal.aborted) throw error;
      ui.print('  Stopped.', '');
    }
    isBusy = false;
    ui.draw();
    log({ event: 'idle' });
    const next = queue.shift();
    if (next !== undefined) await reply(next);
  };
  const reply = async (text: string): Promise<void> => {
    ui.print(`  ${text}`, '');
    if (text === '/clear') return perform([{ step: 'clear', keepOpen: false }]);
    if (text === '/exit' || text === '/quit') exit(0, 'quit');
    agent.hear(text);
    return perform(replies.shift() ?? [{ step: 'say', text: 'Done.' }]);
  };
  const submit = async (text: string): Promise<void> => {
    log({ event: 'submitted', text });
    if (isBusy) queue.push(text);
    else await reply(text);
  };

  ui.print('  Cursor Agent (simulated)', `  v${scenario.version}`, '');
  await perform(scenario.steps);
  if (prompt !== undefined) await submit(prompt);
}
