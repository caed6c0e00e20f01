import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { openAnswerLog } from '../../src/journal/answerLog.ts';
import { activityButton, answerInput, editorTab, runCommand, screenshot } from '../support/browser.ts';
import { approved, CursorEditor, outcome, y } from '../support/cursorEditor.ts';
import type { Simulator } from '../support/cursorSimulator/inTmux.ts';
import { decisions } from '../support/cursorSimulator/log.ts';
import { run } from '../support/promptedKinds.ts';
import { eventually } from '../support/processes/runs.ts';
import { growthOf } from '../support/soak/growth.ts';
import { InspectedProcess } from '../support/soak/inspectedProcess.ts';
import { descendantsOf, type Sample, takeSample } from '../support/soak/sample.ts';

const minutes = Number(process.env.SALLYPORT_SOAK_MINUTES ?? 5);
const approvals = Math.ceil(minutes * 6);
/** With what a prompt and an answer take, ten seconds from one to the next. */
const idleMs = 9_000;
const approvalsPerChat = 15;
const approvalsPerRun = 9;
const samples = Math.max(16, Math.floor(minutes));
/** After this, something hangs. Says nothing of how quick things are. */
const hangMs = 60_000;

/**
 * By how much each may have grown over the second half, by the line through its samples. Heap per approval: the history keeps
 * it for 7 days (4 kB), V8 goes on compiling what has become hot, and the test editor, whose log has no native part, holds
 * every line for ever.
 */
const tolerances: Partial<Record<keyof Sample, number>> = {
  heapMb: 2 + (approvals / 2) * 0.02,
  externalMb: 1,
  fds: 3,
  threads: 2,
  children: 2,
  resources: 3,
  elements: 60,
  locks: 1,
  temporary: 3,
};

const figures = resolve(import.meta.dirname, '..', '..', '.cache', 'soak.tsv');
const command = (index: number) => `make soak-${String(index).padStart(4, '0')}`;

describe(`a session that asks every ten seconds, for ${minutes} minutes`, function () {
  this.timeout((minutes * 2 + 5) * 60_000);
  let editor: CursorEditor;
  let host: InspectedProcess;
  let session: Simulator;
  const taken: Sample[] = [];
  let childrenBefore = 0;
  let runs = 0;

  before(async () => {
    editor = await CursorEditor.open(() => Promise.resolve({ agents: ['codex'] }));
    await activityButton(editor.page, 'Sallyport').click();
    await editor.cards.empty.waitFor({ timeout: hangMs });
    // What the editor starts for the first result that it shows stays.
    await delegate();
    const [pid = 0] = await editor.installed.processes('--type=extensionHost');
    host = await InspectedProcess.open(pid);
    childrenBefore = await descendantsOf(pid);
    await mkdir(resolve(figures, '..'), { recursive: true });
    await writeFile(figures, '');
  });

  after(async () => {
    await editor.close();
    host.close();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await screenshot(editor.page, 'failed-soak');
  });

  async function note(startedAt: number): Promise<void> {
    const sample = await takeSample(host, editor, startedAt);
    const line = (cells: readonly string[]) => `${cells.join('\t')}\n`;
    const head = taken.length === 0 ? line(Object.keys(sample)) : '';
    taken.push(sample);
    const row = line(Object.values(sample).map((value: number) => String(Math.round(value * 100) / 100)));
    process.stdout.write(head + row);
    await writeFile(figures, head + row, { flag: 'a' });
  }

  async function approve(index: number): Promise<void> {
    const card = editor.cards.card(command(index));
    await editor.cards.button(card, 'Approve').waitFor({ timeout: hangMs });
    await editor.cards.press(card, 'Approve');
    await session.logged(() => decisions(session.log()).size > index, hangMs);
  }

  async function delegate(): Promise<void> {
    const { page } = editor;
    const title = `Soak run ${runs}`;
    await runCommand(page, 'sallyport.delegateToCodex');
    await answerInput(page, `${title} [[scenario: edit]]`);
    await editorTab(page, title).waitFor({ timeout: hangMs });
    await runCommand(page, 'workbench.action.closeAllEditors');
    await runCommand(page, 'notifications.clearAll');
    runs += 1;
  }

  it('has every request answered by its card', async () => {
    const steps = Array.from({ length: approvals }, (_, index) => [
      ...(index > 0 && index % approvalsPerChat === 0 ? [{ step: 'clear' as const }] : []),
      run(command(index)),
      { step: 'waitMs' as const, ms: idleMs },
    ]).flat();
    const startedAt = Date.now();
    session = await editor.start('soak', { title: 'Soak', steps });
    for (let index = 0; index < approvals; index += 1) {
      await approve(index);
      if (index % approvalsPerRun === 4) await delegate();
      if ((index * samples) / approvals >= taken.length) await note(startedAt);
    }
    assert.deepEqual(outcome(session.log()), {
      decisions: Array<unknown>(approvals).fill(approved),
      keys: Array<unknown>(approvals).fill(y),
    });
  });

  it('grows by nothing that is not kept on purpose', () => {
    const grown = Object.entries(tolerances).flatMap(([name, tolerance]) => {
      const of = (sample: Sample) => new Map<string, number>(Object.entries(sample)).get(name) ?? Number.NaN;
      const growth = growthOf(taken.map((sample) => ({ at: sample.minute, value: of(sample) })));
      return growth <= tolerance ? [] : [`${name} by ${growth.toFixed(2)}, more than ${tolerance}`];
    });
    assert.deepEqual(grown, [], `the samples are in ${figures}`);
  });

  it('has lost nothing', async () => {
    const state = join(editor.installed.folder, 'state');
    const log = openAnswerLog({
      folder: join(state, 'answers'),
      clock: systemClock,
      onError: (why) => assert.fail(why),
    });
    await eventually('all answers are in the history', async () => (await log.read()).length >= approvals, hangMs);
    const kept = await log.read();
    await log.dispose();
    assert.equal(new Set(kept.map(({ what }) => what)).size, approvals);
    assert.deepEqual([...new Set(kept.map(({ end }) => end))], ['confirmed']);
    assert.equal((await editor.installed.runIds()).length, runs);
  });

  it('leaves nothing behind when the session ends', async () => {
    await editor.endSessions();
    await eventually('its processes are gone', async () => (await descendantsOf(host.pid)) <= childrenBefore, hangMs);
    const { locks } = await takeSample(host, editor, Date.now());
    assert.equal(locks, 0);
  });
});
