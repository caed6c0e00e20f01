import { setTimeout as delay } from 'node:timers/promises';
import type { Agent } from './agent.ts';
import type { Step } from './scenario.ts';
import { TrustDialog } from './trustDialog.ts';
import type { Ui } from './ui.ts';

/** What steps act on. */
export interface Stage {
  agent: Agent;
  ui: Ui;
  cwd: string;
  /** Ends the process as a clean exit does. */
  exit: (code: number) => never;
  signal: AbortSignal;
}

type Kind = Step['step'];
type StepOf = { [K in Kind]: Extract<Step, { step: K }> };
type Play<K extends Kind> = (stage: Stage, step: StepOf[K]) => Promise<void> | void;

const plays: { [K in Kind]: Play<K> } = {
  say({ agent, ui }, { text }) {
    agent.chat().addText(text);
    ui.print(...text.split('\n').map((line) => `  ${line}`), '');
  },
  user({ agent, ui }, { text }) {
    agent.hear(text);
    ui.print(`  ${text}`, '');
  },
  quote({ agent, ui }, { rows }) {
    agent.chat().addText(rows.join('\n'));
    ui.print(...rows);
  },
  async calls({ agent, ui, signal }, { calls, layout, interrupt }) {
    await agent.batch(ui, { calls, layout, ...(interrupt && { interrupt }) }, signal);
  },
  async subagent({ agent, ui, signal }, { typeName, calls, layout, interrupt }) {
    await agent.delegate(ui, typeName, { calls, layout, ...(interrupt && { interrupt }) }, signal);
  },
  clear({ agent, ui }, { keepOpen }) {
    agent.clear(keepOpen);
    ui.clear();
  },
  toggleRunEverything({ agent, ui }) {
    agent.toggleRunEverything();
    ui.draw();
  },
  async trust({ ui, cwd, exit, signal }) {
    const { decision } = await ui.ask(new TrustDialog(cwd), undefined, signal);
    if (decision?.kind !== 'approved') exit(0);
  },
  history({ agent }, { messages, bytes }) {
    const chat = agent.chat();
    for (let count = 1; count <= messages; count++) chat.addText(`${count} `.padEnd(bytes, 'abcdefgh '));
  },
  async waitMs({ signal }, { ms }) {
    await delay(ms, undefined, { signal });
  },
  async waitForKey({ ui }) {
    await ui.keyPressed();
  },
  crash({ agent }, { how }) {
    agent.crash(how);
  },
  exit({ exit }, { code }) {
    exit(code);
  },
};

/** Plays steps one after the other. Rejects when aborted. */
export async function play(stage: Stage, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    stage.signal.throwIfAborted();
    await playOne(stage, step.step, step);
  }
}

async function playOne<K extends Kind>(stage: Stage, kind: K, step: StepOf[K]): Promise<void> {
  await plays[kind](stage, step);
}
