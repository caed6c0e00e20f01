import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import type { Place } from '../../../src/keys/target.ts';
import { createProcessStates } from '../../../src/process/processStates.ts';
import { type AgentTerminals, createAgentTerminals } from '../../../src/vscode/terminals/agentTerminals.ts';
import { showPlace } from '../../../src/vscode/terminals/showPlace.ts';
import { eventually } from '../support/eventually.ts';

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const tmuxFile = spawnSync('sh', ['-c', 'command -v tmux'], { encoding: 'utf8' }).stdout.trim();
const chatId = '0f8fad5b-d9cb-469f-a165-70867728950e';

/** A program that writes down how it was started and then takes what is typed. */
const program = (log: string) => `#!/bin/sh
echo "$PWD $*" >> '${log}'
cat > /dev/null
`;

function memory(kept: Record<string, unknown> = {}) {
  const values = new Map(Object.entries(kept));
  return {
    keys: () => [...values.keys()],
    get: (key: string) => values.get(key) as never,
    update: (key: string, value: unknown) => {
      values.set(key, value);
      return Promise.resolve();
    },
  };
}

describe('terminals of sessions', () => {
  let folder: string;
  let agents: AgentTerminals;
  let started: () => Promise<string | undefined>;

  function openAgents(state = memory()): AgentTerminals {
    const binary = join(folder, 'cursor-agent');
    return createAgentTerminals({
      log: silent,
      state,
      program: () => Promise.resolve({ ok: true, installed: { binary, version: '1' } }),
      environment: () => Promise.resolve({ PATH: process.env.PATH }),
    });
  }

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'sp-places-')));
    const log = join(folder, 'started');
    await writeFile(join(folder, 'cursor-agent'), program(log));
    await chmod(join(folder, 'cursor-agent'), 0o755);
    started = async () => await readFile(log, 'utf8').catch(() => undefined);
    agents = openAgents();
  });

  afterEach(async () => {
    await agents.close();
    for (const terminal of vscode.window.terminals) terminal.dispose();
    await vscode.commands.executeCommand('notifications.clearAll');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const show = (place: Place) =>
    showPlace(place, {
      showOwned: (id) => agents.show(id),
      findTmux: () => Promise.resolve({ ok: true, file: tmuxFile }),
      states: createProcessStates(),
      env: process.env,
    });

  describe('Reopen in Sallyport', () => {
    it('opens the chat of a session that has ended', async () => {
      await agents.reopen({ chatId, cwd: folder, place: undefined, pids: [] });
      await eventually('the agent', async () => (await started()) === `${folder} --resume ${chatId}\n`);
      assert.equal(agents.owned().length, 1);
    });

    it('waits until the process of the session has ended', async () => {
      const old = spawn('sleep', ['60'], { stdio: 'ignore' });
      const reopening = agents.reopen({ chatId, cwd: folder, place: undefined, pids: [old.pid ?? 0] });
      await new Promise((settle) => setTimeout(settle, 1500));
      assert.equal(await started(), undefined);
      old.kill();
      await once(old, 'exit');
      await reopening;
      await eventually('the agent', started);
    });

    it('opens no chat twice', async () => {
      const session = { chatId, cwd: folder, place: undefined, pids: [] };
      await agents.reopen(session);
      await eventually('the agent', started);
      await agents.reopen(session);
      assert.equal(
        vscode.window.terminals.filter(({ name }) => name.startsWith(`Sallyport: ${basename(folder)}`)).length,
        1,
      );
    });
  });

  it('offers each chat that ended with its window once', async () => {
    const state = memory({ openCursorChats: [{ chatId, folder }] });
    const next = openAgents(state);
    const offered = next.offerResume();
    await eventually('the agent', async () => {
      await vscode.commands.executeCommand('notification.acceptPrimaryAction');
      return started();
    });
    await offered;
    assert.equal(await started(), `${folder} --resume ${chatId}\n`);
    const again = memory({ openCursorChats: undefined });
    await openAgents(again).offerResume();
    await next.close();
    assert.deepEqual(state.get('openCursorChats'), [{ chatId, folder }], 'it is open again, so it is offered again');
  });

  describe('Show Terminal', () => {
    it('shows a terminal of ours', async () => {
      await agents.reopen({ chatId, cwd: folder, place: undefined, pids: [] });
      const owned = await eventually('the agent', () => agents.owned()[0]);
      vscode.window.createTerminal({ name: 'other' }).show();
      await eventually('the other', () => vscode.window.activeTerminal?.name === 'other');
      await show({ kind: 'owned', id: owned.id });
      await eventually('ours', () => vscode.window.activeTerminal?.name === `Sallyport: ${basename(folder)}`);
    });

    it('shows the terminal of the window that the process runs in', async () => {
      const first = vscode.window.createTerminal({ name: 'first', shellPath: '/bin/sh' });
      vscode.window.createTerminal({ name: 'second', shellPath: '/bin/sh' }).show();
      await eventually('the second', () => vscode.window.activeTerminal?.name === 'second');
      const pid = (await first.processId) ?? 0;
      await show({ kind: 'process', pids: [999_999_999, pid, 1] });
      await eventually('the first', () => vscode.window.activeTerminal?.name === 'first');
    });

    it('opens a pane of tmux beside the code, and finds it there the next time', async function () {
      const socket = join(folder, 'tmux');
      const tmux = (...args: string[]) => {
        const { TMUX: _tmux, TMUX_PANE: _pane, ...env } = process.env;
        return spawnSync('tmux', ['-f', '/dev/null', '-S', socket, ...args], { encoding: 'utf8', env }).stdout.trim();
      };
      if (tmuxFile === '') this.skip();
      try {
        const first = tmux('new-session', '-d', '-P', '-F', '#{pane_id}', 'sh');
        const second = tmux('new-window', '-d', '-P', '-F', '#{pane_id}', 'sh');
        await show({ kind: 'tmux', socket, pane: second });
        await eventually('a client', () => tmux('list-clients', '-F', '#{pane_id}') === second);
        const count = vscode.window.terminals.length;
        await show({ kind: 'tmux', socket, pane: first });
        await eventually('the other pane', () => tmux('list-clients', '-F', '#{pane_id}') === first);
        assert.equal(vscode.window.terminals.length, count);
      } finally {
        tmux('kill-server');
      }
    });
  });
});
