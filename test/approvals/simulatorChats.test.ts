import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readChatInfo } from '../../src/cursor/store/chatInfo.ts';
import type { ReadChat } from '../../src/cursor/store/chatState.ts';
import { readChat } from '../../src/cursor/store/readChat.ts';
import { bucketsOf, listChats } from '../../src/cursor/store/storePaths.ts';
import { readScreen } from '../../src/cursor/tui/prompts.ts';
import type { FileHolder } from '../../src/process/fileHolders.ts';
import { createOpenFiles } from '../../src/process/openFiles.ts';
import { simulatorBinary } from '../support/cursorSimulator/inTmux.ts';
import { decisions, type LogEntry } from '../support/cursorSimulator/log.ts';
import type { ScenarioInput } from '../support/cursorSimulator/scenario.ts';
import { useSimulators } from '../support/cursorSimulator/useSimulators.ts';

const defaults = { leadMs: 0 };
const shell = { args: { command: 'make deploy' } };

describe('the simulated cursor-agent: chats', () => {
  const start = useSimulators();

  it('keeps the marker until the last call of a batch has finished', async () => {
    const calls = [shell, { ...shell, runMs: 1200 }, { toolName: 'Grep', autoRun: true }];
    const simulator = await start({ scenario: { defaults, steps: [{ step: 'calls', calls }] } });
    const folder = await simulator.chatFolder();
    await simulator.painted();
    await simulator.press('y');
    await simulator.painted(2);
    await simulator.press('y');
    await simulator.logged((entry) => entry.event === 'decided' && decisions(simulator.log()).size === 2);
    assert.equal((await known(folder)).pending.length, 3);
    const [pid = 0] = simulator.pids();
    assert.deepEqual(await holdersOf(folder), [{ pid, writes: true }]);
    const look = () => createOpenFiles().details(pid);
    while ((await look())?.children.length !== 1) await delay(20);
    const details = await look();
    assert.ok(details?.argv[0]?.endsWith('/cursor-agent') === true);
    const format = '#{pane_tty} #{pane_current_command}';
    const pane = await simulator.server.tmux('display-message', '-p', '-t', simulator.pane, format);
    assert.equal(pane.trim(), `${details.tty ?? ''} cursor-agent`);
    await simulator.logged(({ event }) => event === 'finished');
    assert.deepEqual((await known(folder)).pending, []);
  });

  it('commits the pending call before its prompt is painted', async () => {
    const simulator = await start({ scenario: { steps: [{ step: 'calls', calls: [{ ...shell, leadMs: 700 }] }] } });
    const folder = await simulator.chatFolder();
    await simulator.logged(({ event }) => event === 'pending');
    assert.equal((await known(folder)).pending.length, 1);
    assert.equal(readScreen(await simulator.screen()).kind, 'busy');
    const call = await simulator.painted();
    const at = (event: string): number => simulator.log().find((entry) => entry.event === event)?.atMs ?? 0;
    assert.ok(at('painted') - at('pending') >= 699);
    assert.equal((await known(folder)).pending[0]?.toolCallId, call);
    assert.match(call, /\n/);
  });

  it('lets the log grow, checkpoints it and leaves it small at the end', async () => {
    const steps: ScenarioInput['steps'] = [
      { step: 'history', messages: 20 },
      { step: 'waitForKey' },
      { step: 'history', messages: 500 },
      { step: 'waitForKey' },
      { step: 'exit' },
    ];
    const simulator = await start({ scenario: { defaults, steps } });
    const folder = await simulator.chatFolder();
    const size = (name: string): number => statSync(join(folder, name)).size;
    const messages = async (): Promise<number> => (await known(folder)).messageCount;
    const reached = async (count: number): Promise<void> => {
      while ((await messages()) < count) await delay(20);
    };
    await reached(21);
    assert.ok(size('store.db-wal') > size('store.db'));
    await simulator.press('x');
    await reached(521);
    assert.ok(size('store.db') > 1_000_000, 'checkpoints moved it');
    assert.ok(size('store.db-wal') < 6_000_000, 'the log was reset');
    await simulator.press('x');
    await simulator.logged(({ event }) => event === 'exit');
    assert.ok(!existsSync(join(folder, 'store.db-wal')));
  });

  for (const by of ['crash', 'kill'] as const) {
    it(`leaves the call pending after a ${by}, and resumes without it`, async () => {
      const steps: ScenarioInput['steps'] = [{ step: 'calls', calls: [shell], interrupt: { by, afterMs: 50 } }];
      const simulator = await start({ scenario: { defaults, steps } });
      const folder = await simulator.chatFolder();
      await simulator.logged(({ event }) => event === 'exit');
      await simulator.ended();
      assert.equal((await known(folder)).pending.length, 1);
      assert.deepEqual(await holdersOf(folder), []);
      const { messageCount, meta } = await known(folder);
      const { root, cwd } = simulator;
      const resumed = await start({ root, cwd, scenario: { defaults }, args: ['--resume', meta.agentId ?? ''] });
      await resumed.logged(({ event }) => event === 'idle');
      assert.equal(await resumed.chatFolder(), folder);
      const after = await known(folder);
      assert.deepEqual([after.pending, after.messageCount], [[], messageCount]);
    });
  }

  it('replaces a pending call by another one', async () => {
    const calls = [{ args: { command: 'make other' } }];
    const interrupt = { by: 'replace', afterMs: 50, calls } as const;
    const steps: ScenarioInput['steps'] = [
      { step: 'calls', calls: [shell], interrupt: { ...interrupt, calls: [...calls] } },
    ];
    const simulator = await start({ scenario: { defaults, steps } });
    const first = await simulator.painted(1);
    const second = await simulator.painted(2);
    assert.notEqual(first, second);
    const { pending } = await known(await simulator.chatFolder());
    assert.deepEqual(
      pending.map(({ toolCallId, args }) => [toolCallId, args]),
      [[second, { command: 'make other' }]],
    );
  });

  for (const by of ['recommit', 'flicker'] as const) {
    it(`keeps the prompt of a call that is pending anew (${by})`, async () => {
      const steps: ScenarioInput['steps'] = [{ step: 'calls', calls: [shell], interrupt: { by, afterMs: 30 } }];
      const simulator = await start({ scenario: { defaults, steps } });
      const call = await simulator.painted();
      const isPending = ({ event }: LogEntry): boolean => event === 'pending';
      while (simulator.log().filter(isPending).length < 2) await delay(10);
      assert.equal(simulator.log().filter(({ event }) => event === 'withdrawn').length, by === 'flicker' ? 1 : 0);
      const { pending } = await known(await simulator.chatFolder());
      assert.deepEqual(
        pending.map(({ toolCallId }) => toolCallId),
        [call],
      );
      assert.equal(readScreen(await simulator.screen()).kind, 'approval');
      await simulator.press('y');
      await simulator.logged(({ event }) => event === 'finished');
    });
  }

  it('has two sessions in one folder', async () => {
    const steps: ScenarioInput['steps'] = [{ step: 'calls', calls: [shell] }];
    const first = await start({ scenario: { defaults, steps } });
    const { root, cwd } = first;
    const second = await start({ root, cwd, scenario: { defaults, steps } });
    await Promise.all([first.painted(), second.painted()]);
    const folders = [await first.chatFolder(), await second.chatFolder()];
    assert.deepEqual((await listChats([root])).map(({ folder }) => folder).sort(), folders.toSorted());
    await second.press('y');
    await second.logged(({ event }) => event === 'finished');
    assert.deepEqual(await Promise.all(folders.map(async (folder) => (await known(folder)).pending.length)), [1, 0]);
  });

  it('switches Run Everything on and approves what waits', async () => {
    const interrupt = { by: 'runEverything', afterMs: 30 } as const;
    const simulator = await start({
      scenario: { defaults, steps: [{ step: 'calls', calls: [shell, shell], interrupt }] },
    });
    await simulator.logged(({ event }) => event === 'finished');
    assert.ok((await known(await simulator.chatFolder())).runMode.runEverything);
    await simulator.shows((rows) => rows.some((row) => row.endsWith('Run Everything')));
  });

  it('asks nothing with --force', async () => {
    const steps: ScenarioInput['steps'] = [{ step: 'calls', calls: [{ ...shell, leadMs: 5000 }] }];
    const simulator = await start({ scenario: { steps }, args: ['--force'] });
    const log = await simulator.logged(({ event }) => event === 'finished');
    assert.ok(!log.some(({ event }) => event === 'painted'));
  });

  it('starts a new chat on /clear, and keeps the old one', async () => {
    const onPrompt: ScenarioInput['onPrompt'] = [
      [{ step: 'calls', calls: [shell] }],
      [{ step: 'say', text: 'Hello.' }],
    ];
    const simulator = await start({ scenario: { defaults, onPrompt } });
    await simulator.logged(({ event }) => event === 'idle');
    assert.ok(!simulator.log().some(({ event }) => event === 'chat'), 'no chat before the first message');
    for (const message of ['deploy', '/clear', 'hello']) {
      await simulator.type(message);
      await simulator.press('Enter');
      await simulator.logged((entry) => entry.event === 'submitted' && entry.text === message);
      if (message !== 'deploy') continue;
      await simulator.painted();
      await simulator.press('y');
      await simulator.logged(({ event }) => event === 'finished');
    }
    await simulator.shows((rows) => rows.some((row) => row.includes('Hello.')));
    const chats = simulator.log().flatMap((entry) => (entry.event === 'chat' ? [entry.folder] : []));
    assert.equal(chats.length, 2);
    assert.deepEqual(await Promise.all(chats.map(async (chat) => (await known(chat)).messageCount)), [3, 2]);
  }).timeout(8000);

  it('asks for a sub-agent in its parent’s terminal', async () => {
    const steps: ScenarioInput['steps'] = [{ step: 'subagent', typeName: 'explore', calls: [shell] }];
    const simulator = await start({ scenario: { defaults, steps } });
    const call = await simulator.painted();
    const [parent = '', child = ''] = simulator
      .log()
      .flatMap((entry) => (entry.event === 'chat' ? [entry.folder] : []));
    const [task] = (await known(parent)).pending;
    const { pending, meta } = await known(child);
    assert.equal(pending[0]?.toolCallId, call);
    assert.equal(task?.toolName, 'Task');
    const { agentId } = (await known(parent)).meta;
    const ids = { parentAgentId: agentId, rootParentAgentId: agentId };
    assert.deepEqual(meta.subagentInfo, { ...ids, toolCallId: task.toolCallId, typeName: 'explore' });
    assert.equal((await readChatInfo(child))?.isSubagent, true);
    await simulator.press('y');
    await simulator.logged(({ event }) => event === 'idle');
    assert.deepEqual((await known(parent)).pending, []);
  });

  it('hides pending calls in another field when told to', async () => {
    const steps: ScenarioInput['steps'] = [{ step: 'calls', calls: [shell], layout: 'otherField' }];
    const simulator = await start({ scenario: { defaults, steps } });
    const call = await simulator.painted();
    const state = await readChat(await simulator.chatFolder());
    assert.ok(state.certainty === 'unknownLayout');
    assert.deepEqual(
      state.pending.map(({ toolCallId }) => toolCallId),
      [call],
    );
  });

  it('goes on with a chat from create-chat, which is gone when it stays empty', async () => {
    const first = await start({ scenario: { defaults } });
    const { root, cwd } = first;
    const { CURSOR_CONFIG_DIR: _root, ...inherited } = process.env;
    const env = { ...inherited, XDG_CONFIG_HOME: dirname(root) };
    assert.equal(basename(root), 'cursor');
    const id = execFileSync(simulatorBinary, ['create-chat'], { cwd, env, encoding: 'utf8' }).trim();
    const [bucket = ''] = await bucketsOf(cwd);
    const folder = join(root, 'chats', bucket, id);
    assert.deepEqual(
      (await listChats([root])).map((chat) => chat.folder),
      [folder],
    );
    const second = await start({ root, cwd, scenario: { defaults }, args: [`--resume=${id}`], remainOnExit: false });
    await second.logged(({ event }) => event === 'idle');
    assert.equal(await second.chatFolder(), folder);
    assert.equal((await known(folder)).headId, undefined);
    process.kill(second.pids()[0] ?? 0, 'SIGTERM');
    await second.logged((entry) => entry.event === 'exit' && entry.why === 'SIGTERM');
    assert.ok(!existsSync(folder));
  });

  it('gives the terminal back to the shell it was started from', async () => {
    const simulator = await start({
      scenario: { defaults, steps: [{ step: 'say', text: 'Bye.' }, { step: 'exit' }] },
      inShell: true,
    });
    await simulator.logged(({ event }) => event === 'exit');
    await delay(100);
    await simulator.server.tmux('send-keys', '-t', simulator.pane, 'echo "$((40 + 2)) echoed"', 'Enter');
    await simulator.shows((rows) => rows.some((row) => row.startsWith('42 echoed')));
  });
});

async function known(folder: string): Promise<ReadChat> {
  const state = await readChat(folder);
  assert.ok(state.certainty === 'known', state.why);
  return state;
}

async function holdersOf(folder: string): Promise<readonly FileHolder[]> {
  const [found] = await createOpenFiles().holdersOf([join(folder, 'store.db')]);
  return found?.holders ?? [];
}
