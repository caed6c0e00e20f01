import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openViews, runCommand, screenshot } from './browser.ts';
import { decisions, keysOf, type LogEntry } from './cursorSimulator/log.ts';
import { type Simulator, type SimulatorOptions, SimulatorServer } from './cursorSimulator/inTmux.ts';
import type { ScenarioInput } from './cursorSimulator/scenario.ts';
import { type InstalledEditor, type InstalledEditorOptions, openInstalledEditor } from './installedEditor.ts';
import { WaitingCards } from './waitingCards.ts';

/** What came of a session's calls, and every key that reached it. */
interface Outcome {
  decisions: unknown[];
  keys: unknown[];
}

export const y = { key: 'y' };
export const approved = { kind: 'approved', by: 'y' };

/** The installed extension in an editor, and simulated Cursor sessions that it finds. */
export class CursorEditor {
  /** Cursor's configuration folder, of all sessions. */
  readonly root: string;
  readonly server: SimulatorServer;
  readonly installed: InstalledEditor;
  readonly page: Page;
  readonly cards: WaitingCards;
  readonly #simulators: Simulator[] = [];

  private constructor(server: SimulatorServer, root: string, installed: InstalledEditor) {
    this.server = server;
    this.root = root;
    this.installed = installed;
    this.page = installed.page;
    this.cards = new WaitingCards(installed.page);
  }

  /** The caller closes it. `adapt` changes what the editor is started with. */
  static async open(
    adapt: (
      root: string,
    ) => Promise<Partial<Pick<InstalledEditorOptions, 'agents' | 'around' | 'env' | 'language' | 'settings' | 'vsix'>>>,
  ): Promise<CursorEditor> {
    const server = new SimulatorServer();
    try {
      const root = join(server.folder, 'cursor');
      await mkdir(root);
      // It stays when no session is left in it.
      await server.tmux('start-server', ';', 'set-option', '-s', 'exit-empty', 'off');
      const { agents = [], env, ...adapted } = await adapt(server.folder);
      const installed = await openInstalledEditor({
        agents,
        env: { CURSOR_CONFIG_DIR: root, ...env },
        ...adapted,
        workspace: async (folder) => {
          await mkdir(join(folder, 'greeter'));
          return join(folder, 'greeter');
        },
      });
      return new CursorEditor(server, root, installed);
    } catch (error) {
      await server.dispose();
      throw error;
    }
  }

  /** Starts a session in tmux, in a folder of this name. */
  readonly start = async (
    folder: string,
    scenario: ScenarioInput,
    options: Omit<SimulatorOptions, 'scenario'> = {},
  ): Promise<Simulator> => {
    const cwd = join(this.server.folder, folder);
    await mkdir(cwd, { recursive: true });
    const quick = { ...scenario, defaults: { leadMs: 300, ...scenario.defaults } };
    const simulator = await this.server.start({ root: this.root, cwd, ...options, scenario: quick });
    this.#simulators.push(simulator);
    return simulator;
  };

  /** Ends all sessions, and waits until nothing of them waits. */
  async endSessions(): Promise<void> {
    const started = this.#simulators.splice(0);
    for (const { pane } of started) {
      await this.server.tmux('kill-pane', '-t', pane).catch(() => undefined);
    }
    if (started.length > 0) await this.cards.all.first().waitFor({ state: 'detached' });
  }

  /** The window notices nothing while this runs. */
  readonly whileFrozen = async (act: () => Promise<void>): Promise<void> => {
    const hosts = await this.installed.processes('--type=extensionHost');
    assert.ok(hosts.length > 0, 'there is an extension host');
    for (const host of hosts) process.kill(host, 'SIGSTOP');
    try {
      await act();
    } finally {
      for (const host of hosts) process.kill(host, 'SIGCONT');
    }
  };

  async close(): Promise<void> {
    await this.installed.close();
    await this.server.dispose();
  }
}

/** For the suite this is called in: one editor with the Waiting view open, and no session between tests. */
export function useCursorEditor(
  name: string,
  adapt: Parameters<typeof CursorEditor.open>[0] = () => Promise.resolve({}),
): () => CursorEditor {
  let editor: CursorEditor | undefined;
  const current = (): CursorEditor => {
    assert.ok(editor, 'the editor has been opened');
    return editor;
  };
  before(async function () {
    if (spawnSync('tmux', ['-V']).status !== 0) {
      console.log('tmux is not installed, and the simulated agents run in it: these checks are left out');
      this.skip();
    }
    editor = await CursorEditor.open(adapt);
    await openViews(editor.page);
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') {
      await screenshot(current().page, `failed-${name}`);
      await runCommand(current().page, 'sallyport.waiting.focus');
    }
    await current().endSessions();
  });
  after(() => editor?.close());
  return current;
}

/** What a log tells. */
export function outcome(log: readonly LogEntry[]): Outcome {
  return { decisions: [...decisions(log).values()], keys: keysOf(log) };
}

/** Waits until this many calls have been decided, and checks what was decided and which keys did it. */
export async function assertOutcome(simulator: Simulator, expected: Outcome): Promise<void> {
  const count = expected.decisions.length;
  const isDecided = (): boolean => decisions(simulator.log()).size >= count;
  await simulator.logged(isDecided, 15_000);
  assert.deepEqual(outcome(simulator.log()), expected);
}

/** Nothing has been typed into it. */
export function assertUntouched(simulator: Simulator): void {
  assert.deepEqual(keysOf(simulator.log()), []);
}
