import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { packageExtension } from '../scripts/package.ts';
import { ensureTool } from '../scripts/setup.ts';
import { activityButton, openWorkbench, runCommand } from '../test/support/browser.ts';
import { type CursorLauncher, writeCursorLauncher } from '../test/support/cursorLauncher.ts';
import { type Simulator, SimulatorServer } from '../test/support/cursorSimulator/inTmux.ts';
import { type LogEntry, readLog } from '../test/support/cursorSimulator/log.ts';
import type { ScenarioInput } from '../test/support/cursorSimulator/scenario.ts';
import { type BenchEditor, withEditor } from './editor.ts';
import { extensionHostOf, usageOf } from './hostUsage.ts';
import { type Effort, type Group, latencyRows, type Row } from './row.ts';
import { ViewRecorder } from './viewRecorder.ts';

const promptsPerSession = 6;
const minPrompts = 12;
const cardLimitMs = 250;
/** By how much the store leads the screen. */
const lead = { fromMs: 700, toMs: 3800 };
/** Longer than it takes to see that a prompt has left: the call is still pending then. */
const runMs = 1000;
/** What it costs to begin is not what it costs to go on. */
const calmMs = 6000;
/** A new editor has a lot to do with itself. */
const startMs = 20_000;

export const approvals: Group = {
  name: 'approvals',
  about: 'simulated Cursor sessions in real terminals, beside a real editor that shows the Waiting view',
  async run(effort) {
    await ensureTool('tmux');
    const vsix = await packageExtension();
    const server = new SimulatorServer();
    try {
      const prompts = promptsIn('owned', effort.rounds(20));
      const launcher = await writeCursorLauncher(server.folder, askFor(prompts));
      const settings = { 'sallyport.cursor.path': launcher.program, 'sallyport.environment': launcher.environment };
      const env = { CURSOR_CONFIG_DIR: join(server.folder, 'cursor') };
      return await withEditor({ vsixes: [vsix], settings, env }, async (ours) => {
        const page = await openView(ours);
        const bench = { server, root: env.CURSOR_CONFIG_DIR, page, recorder: await ViewRecorder.attach(page) };
        return [
          ...(await withEditor({}, (bare) => costs(bench, [ours, bare], effort))),
          ...speedRows('tmux', await speedInTmux(bench, effort)),
          ...speedRows('a terminal of Sallyport', await speedInOwned(bench, launcher, prompts)),
        ];
      });
    } finally {
      await server.dispose();
    }
  },
};

interface Bench {
  readonly server: SimulatorServer;
  /** Cursor's configuration folder. */
  readonly root: string;
  /** Of the editor with Sallyport. */
  readonly page: Page;
  readonly recorder: ViewRecorder;
}

async function openView({ editor, browser }: BenchEditor): Promise<Page> {
  const page = await openWorkbench(browser, editor.url, { ready: (opened) => activityButton(opened, 'Sallyport') });
  await activityButton(page, 'Sallyport').click();
  return page;
}

/** What watching costs the extension host, an editor without Sallyport taken off that was measured at the same time. */
async function costs(
  { server, root, recorder }: Bench,
  [ours, bare]: readonly [ours: BenchEditor, bare: BenchEditor],
  effort: Effort,
): Promise<Row[]> {
  await openWorkbench(bare.browser, bare.editor.url, { ready: (opened) => opened.locator('.activitybar') });
  const hosts = await Promise.all([extensionHostOf(ours), extensionHostOf(bare)]);
  const forMs = effort.rounds(60) * 1000;
  const rows: Row[] = [];
  const measure = async (when: string): Promise<void> => {
    await pause(calmMs);
    const { cpuPercent, rssMb } = await extraUse(hosts, forMs);
    const of = `extension host with ${when}, one without Sallyport taken off`;
    rows.push({ what: `${of}: of a core over ${forMs / 1000} s`, unit: '%', samples: [cpuPercent] });
    rows.push({ what: `${of}: memory (RSS)`, unit: 'MB', samples: [rssMb] });
  };
  await pause(startMs);
  await measure('no session');
  const command = 'make wait';
  const scenario: ScenarioInput = {
    steps: [{ step: 'say', text: 'Ready.' }],
    onPrompt: [[{ step: 'calls', calls: [{ args: { command } }] }]],
  };
  const session = await server.start({ scenario, root });
  await session.logged(({ event }) => event === 'idle');
  await measure('one live session at rest');
  await session.type('go on');
  await session.press('Enter');
  await recorder.at(command, 'open');
  await measure('one card up');
  await endSession(session);
  await recorder.at(command, 'gone');
  return rows;
}

/** Of these two, what the first one uses more. The time is of the whole stretch, the memory that at its end. */
async function extraUse(
  hosts: readonly [ours: number, bare: number],
  forMs: number,
): Promise<{ cpuPercent: number; rssMb: number }> {
  const use = async (pid: number) => {
    const before = await usageOf(pid);
    await pause(forMs);
    const after = await usageOf(pid);
    const cpuPercent = ((after.cpuMs - before.cpuMs) / (after.atMs - before.atMs)) * 100;
    return { cpuPercent, rssMb: after.rssMb };
  };
  const [ours, bare] = await Promise.all([use(hosts[0]), use(hosts[1])]);
  return { cpuPercent: ours.cpuPercent - bare.cpuPercent, rssMb: ours.rssMb - bare.rssMb };
}

/** One prompt, answered by a click on Approve. Milliseconds. */
interface Answered {
  /** From the prompt's painting to the view's being told of the card, and to the frame that shows it. */
  readonly toMessage: number;
  readonly toDrawn: number;
  /** From the click to the key in the terminal, and to the view's being told that it was accepted. */
  readonly toKey: number;
  readonly toAccepted: number;
}

interface Prompt {
  readonly call: string;
  readonly command: string;
  readonly leadMs: number;
}

/** Their leads are spread evenly, in no order that a clock could have. */
function promptsIn(session: string, count: number): Prompt[] {
  return Array.from({ length: count }, (_, n) => {
    const share = ((n + 1) * (Math.sqrt(5) - 1)) / 2;
    const leadMs = Math.round(lead.fromMs + (share % 1) * (lead.toMs - lead.fromMs));
    return { call: `${session}-${n}`, command: `make ${session}-${n}`, leadMs };
  });
}

/** One after the other, each in a message of its own. */
function askFor(prompts: readonly Prompt[]): ScenarioInput {
  return {
    defaults: { runMs },
    steps: prompts.map(({ call, command, leadMs }) => ({
      step: 'calls',
      calls: [{ id: call, args: { command }, leadMs }],
    })),
  };
}

async function speedInTmux({ server, root, recorder }: Bench, effort: Effort): Promise<Answered[]> {
  const answered: Answered[] = [];
  const count = Math.max(minPrompts, effort.rounds(40));
  for (let number = 0; answered.length < count; number++) {
    const prompts = promptsIn(`session${number}`, Math.min(promptsPerSession, count - answered.length));
    const session = await server.start({ scenario: askFor(prompts), root });
    answered.push(...(await answerAll(recorder, prompts, session.logFile)));
    await endSession(session);
  }
  return answered;
}

async function speedInOwned(
  { page, recorder }: Bench,
  launcher: CursorLauncher,
  prompts: readonly Prompt[],
): Promise<Answered[]> {
  await runCommand(page, 'sallyport.startCursorAgent');
  return await answerAll(recorder, prompts, launcher.logFile);
}

async function answerAll(recorder: ViewRecorder, prompts: readonly Prompt[], logFile: string): Promise<Answered[]> {
  const answered: Answered[] = [];
  for (const { call, command } of prompts) {
    const [openMs, drawnMs] = [await recorder.at(command, 'open'), await recorder.at(command, 'drawn')];
    await recorder.cards.press(recorder.cards.card(command), 'Approve');
    const [clickedMs, goneMs] = [await recorder.at(command, 'clicked'), await recorder.at(command, 'gone')];
    const log = readLog(logFile);
    const paintedMs = timeOf(log, (entry) => entry.event === 'painted' && entry.call === call);
    const keyMs = timeOf(log, (entry) => entry.event === 'input' && entry.atMs > paintedMs);
    answered.push({
      toMessage: openMs - paintedMs,
      toDrawn: drawnMs - paintedMs,
      toKey: keyMs - clickedMs,
      toAccepted: goneMs - clickedMs,
    });
  }
  return answered;
}

function timeOf(log: readonly LogEntry[], isIt: (entry: LogEntry) => boolean): number {
  const entry = log.find(isIt);
  if (!entry) throw new Error(`the session's log lacks what was seen of it: ${JSON.stringify(log.at(-1))}`);
  return entry.atMs;
}

async function endSession(session: Simulator): Promise<void> {
  await session.server.tmux('kill-pane', '-t', session.pane);
  await session.ended();
}

function speedRows(where: string, answered: readonly Answered[]): Row[] {
  const times = (which: keyof Answered) => answered.map((each) => each[which]);
  return [
    ...latencyRows(
      `${where}: from the painted prompt to the card's message in the view`,
      times('toMessage'),
      cardLimitMs,
    ),
    ...latencyRows(`${where}: from the painted prompt to the drawn card`, times('toDrawn')),
    ...latencyRows(`${where}: from the click on Approve to the key in the terminal`, times('toKey')),
    ...latencyRows(`${where}: from the click on Approve to "accepted" in the view`, times('toAccepted')),
  ];
}
