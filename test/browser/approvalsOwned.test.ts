import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startPty } from '../../src/keys/pty.ts';
import { runCommand, screenshot, toast } from '../support/browser.ts';
import { approved, useCursorEditor, y } from '../support/cursorEditor.ts';
import { type CursorLauncher, writeCursorLauncher } from '../support/cursorLauncher.ts';
import { simulatorBinary } from '../support/cursorSimulator/inTmux.ts';
import { decisions, keysOf, readLog } from '../support/cursorSimulator/log.ts';
import { eventually } from '../support/processes/runs.ts';
import { ask, run } from '../support/promptedKinds.ts';

describe('answering Cursor in a terminal of Sallyport', function () {
  this.timeout(90_000);
  let launcher: CursorLauncher;
  const editor = useCursorEditor('approvals-owned', async (folder) => {
    launcher = await writeCursorLauncher(folder, {
      title: 'An owned session',
      defaults: { leadMs: 300 },
      steps: [
        run('make owned'),
        run('make reasons'),
        ask({ prompt: 'Which one?', options: ['This', 'That'] }, { prompt: 'How?', options: ['So'] }),
        run('make typed'),
        run('make last'),
      ],
    });
    return {
      settings: { 'sallyport.cursor.path': launcher.program, 'sallyport.environment': launcher.environment },
    };
  });

  async function assertDecided(...expected: { decision: unknown; keys: unknown[] }[]): Promise<void> {
    await eventually('it is decided', () => decisions(readLog(launcher.logFile)).size >= expected.length, 15_000);
    const log = readLog(launcher.logFile);
    assert.deepEqual(
      [...decisions(log).values()],
      expected.map(({ decision }) => decision),
    );
    assert.deepEqual(
      keysOf(log),
      expected.flatMap(({ keys }) => keys),
    );
  }

  const byApproval = { decision: approved, keys: [y] };
  const byReason = {
    decision: { kind: 'rejected', reason: 'Größe; $HOME' },
    keys: [{ key: 'Escape' }, { text: 'Größe; $HOME' }, { key: 'Enter' }],
  };
  const byForm = {
    decision: {
      kind: 'answered',
      answers: [
        { options: [1], other: '' },
        { options: [], other: 'Otherwise' },
      ],
    },
    keys: [
      ...[{ key: 'Down' }, { key: 'Space' }, { key: 'Enter' }],
      ...[{ key: 'Down' }, { text: 'Otherwise' }, { key: 'Enter' }],
    ],
  };

  it('approves and rejects with a reason', async () => {
    const { cards, page } = editor();
    await runCommand(page, 'sallyport.startCursorAgent');
    const session = cards.session('An owned session');
    await session.locator('.where', { hasText: 'Sallyport: greeter' }).waitFor({ timeout: 60_000 });
    await cards.press(cards.card('make owned'), 'Approve');
    await assertDecided(byApproval);
    await cards.rejectBecause(cards.card('make reasons'), 'Größe; $HOME');
    await assertDecided(byApproval, byReason);
    await screenshot(page, 'waiting-owned-dark');
  });

  it('answers a form', async () => {
    const { cards } = editor();
    const form = cards.card('Which one?');
    await cards.button(form, 'Answer').waitFor();
    await cards.choose(form, 0, 1);
    await cards.typeOther(form, 1, 'Otherwise');
    await cards.press(form, 'Answer');
    await assertDecided(byApproval, byReason, byForm);
  });

  it('takes an answer that is typed into the terminal as one given elsewhere', async () => {
    const { cards, page } = editor();
    await cards.press(cards.card('make typed'), 'Show Terminal');
    await page.locator('.xterm-helper-textarea:focus').waitFor();
    await page.keyboard.press('y');
    await cards.historyLine('Answered in the terminal · make typed').waitFor();
    await assertDecided(byApproval, byReason, byForm, byApproval);
  });

  it('drops the card when the terminal is closed', async () => {
    const { cards, page } = editor();
    await cards.button(cards.card('make last'), 'Approve').waitFor();
    await runCommand(page, 'workbench.action.terminal.kill');
    await cards.historyLine('Session ended · make last').waitFor();
    await assertDecided(byApproval, byReason, byForm, byApproval);
  });

  it('opens a session again whose terminal cannot be reached', async () => {
    const { cards, page, server, root } = editor();
    const scenario = { title: 'Out of reach', steps: [run('make foreign')], defaults: { leadMs: 300 } };
    const folder = join(server.folder, 'foreign');
    await mkdir(folder);
    await writeFile(join(folder, 'scenario.json'), JSON.stringify(scenario));
    const variables = { CURSOR_CONFIG_DIR: root, CURSOR_SIMULATOR_SCENARIO: join(folder, 'scenario.json') };
    const { TMUX: _tmux, TMUX_PANE: _pane, ...env } = process.env;
    const size = { columns: 80, rows: 24 };
    const foreign = await startPty({
      file: simulatorBinary,
      args: [],
      cwd: folder,
      env: { ...env, ...variables },
      size,
    });
    const ended = new Promise((resolve) => foreign.onExit(resolve));
    const log = () => readLog(join(folder, 'scenario.json.log'));
    try {
      const card = cards.card('make foreign');
      await card.getByText('May be waiting').waitFor();
      assert.equal(await card.getByRole('button', { name: 'Approve' }).count(), 0);
      await screenshot(page, 'waiting-unreachable-dark');
      await cards.press(card, 'Reopen in Sallyport');
      await toast(page, 'Quit the agent there').waitFor();
      assert.deepEqual(keysOf(log()), []);
    } finally {
      process.kill(foreign.pid, 'SIGTERM');
      await ended;
    }
    const chat = log().flatMap((entry) => (entry.event === 'chat' ? [entry.id] : []));
    const session = cards.session('Out of reach');
    await session.locator('.where', { hasText: 'Sallyport: foreign' }).waitFor({ timeout: 20_000 });
    const starts = readLog(launcher.logFile).flatMap((entry) => (entry.event === 'start' ? [entry.argv] : []));
    assert.deepEqual(starts.at(-1), ['--resume', ...chat]);
  });
});
