import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { ensureTool } from '../../scripts/setup.ts';
import { type AgentHome, createAgentHome, type LoopbackEngine } from './agentHomes.ts';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createProcessTable } from '../../src/process/processTable.ts';
import { activityButton, launchBrowser, openWorkbench } from './browser.ts';
import { themes } from './themes.ts';
import { type Editor, type EditorOptions, installExtension, startEditor } from './editorHost.ts';
import { McpTestClient } from './mcpClient.ts';
import { type ModelServer, startModelServer } from './modelServer/server.ts';
import { eventually } from './processes/runs.ts';

export interface InstalledEditorOptions extends Pick<
  EditorOptions,
  'env' | 'settings' | 'workspaceTrust' | 'language'
> {
  /** Those that the settings point to, each with a home that knows the scripted model only. */
  readonly agents: readonly LoopbackEngine[];
  /** A command line that starts the editor behind it, given the path of the state folder, which is there and empty. */
  readonly around?: (state: string) => readonly string[];
  /** Makes what the editor opens, in a folder of its own; returns the path of a folder or of a `.code-workspace` file. */
  readonly workspace: (folder: string) => Promise<string>;
  /** Path of the package, where it is not the one that SALLYPORT_VSIX names. */
  readonly vsix?: string;
  /** Makes a home for the editor's person in a folder of its own; returns variables that lead there. */
  readonly home?: (folder: string) => Promise<NodeJS.ProcessEnv>;
}

/** The packaged extension in an editor, with a browser's window on it. */
export interface InstalledEditor {
  /** Removed with everything in it by `close`. */
  readonly folder: string;
  /** What is open: the path that `workspace` returned. */
  readonly opened: string;
  readonly model: ModelServer;
  readonly editor: Editor;
  readonly page: Page;
  /** Ids of the runs that came as far as starting a worker. */
  runIds(): Promise<string[]>;
  /** Processes that the editor and its extensions started (workers of a run do not count), by what stands in their command line. */
  processes(words: string): Promise<number[]>;
  /**
   * Connects to this window's MCP server, over a relay like the one that the editor started for its chat. Waits until the
   * editor has started that.
   */
  connectAsChat(): Promise<McpTestClient>;
  /** Ends browser, editor and model. */
  close(): Promise<void>;
}

/** What the editor starts for its chat. */
export const relayProgram = 'mcp.cjs';

/** So that a terminal's text is in the page and not painted. */
const visible = { 'terminal.integrated.gpuAcceleration': 'off' };

/** For models they know, some CLIs offer tools of another kind than the scripted model calls. */
const ladder = { 1: { engine: 'codex', model: 'loopback' }, 2: { engine: 'grok', model: 'grok-4.5' } };

/** Installs the package into a fresh editor and opens its window. The caller closes it. */
export async function openInstalledEditor(options: InstalledEditorOptions): Promise<InstalledEditor> {
  const ending: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of ending.splice(0).reverse()) await end();
  };
  try {
    const folder = await mkdtemp(join(tmpdir(), 'sallyport-browser-'));
    ending.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    const model = await startModelServer();
    ending.push(() => model.close());
    const homes: AgentHome[] = [];
    for (const agent of options.agents) homes.push(await createAgentHome(agent, model.url));
    ending.push(() => Promise.all(homes.map((home) => home.dispose())));
    const extensionsDir = join(folder, 'extensions');
    await installExtension(options.vsix ?? process.env.SALLYPORT_VSIX ?? '', join(folder, 'installer'), extensionsDir);
    const opened = await options.workspace(folder);
    const state = join(folder, 'state');
    const home = join(folder, 'home');
    const homeEnv = await options.home?.(home);
    await mkdir(state, { recursive: true });
    const editor = await startEditor({
      extensionsDir,
      userDataDir: join(folder, 'profile'),
      folder: opened,
      around: options.around?.(state) ?? [],
      env: { SALLYPORT_STATE_DIR: state, ...options.env, ...homeEnv },
      settings: { ...visible, ...themes.dark, ...(await agentSettings(options.agents, homes)), ...options.settings },
      ...(options.workspaceTrust && { workspaceTrust: true }),
      ...(options.language !== undefined && { language: options.language }),
    });
    ending.push(() => editor.stop());
    const browser: Browser = await launchBrowser();
    ending.push(() => browser.close());
    const page = await openWorkbench(browser, editor.url, { ready: (it) => activityButton(it, 'Sallyport') });
    return {
      folder,
      opened,
      model,
      editor,
      page,
      runIds: () => readdir(join(state, 'runs')).catch(() => []),
      processes: (words) => processesOf(state, words),
      connectAsChat: () => connectLike(state),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The state folder's variable is in the environment of the whole editor, and no other has the same. */
async function processesOf(state: string, words: string): Promise<number[]> {
  const pids = await createProcessTable().processesBearing({ name: 'SALLYPORT_STATE_DIR', value: state });
  const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')));
  return pids.filter((_, index) => commands[index]?.replaceAll('\0', ' ').includes(words));
}

async function connectLike(state: string): Promise<McpTestClient> {
  let relay: number | undefined;
  await eventually(
    'the editor has started its relay',
    async () => {
      [relay] = await processesOf(state, relayProgram);
      return relay !== undefined;
    },
    30_000,
  );
  const [command = '', ...args] = await readWords(`/proc/${relay ?? 0}/cmdline`);
  const entries = (await readWords(`/proc/${relay ?? 0}/environ`)).map((entry): [string, string] => {
    const at = entry.indexOf('=');
    return [entry.slice(0, at), entry.slice(at + 1)];
  });
  const env = Object.fromEntries(entries);
  return McpTestClient.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' }));
}

/** proc(5): what belongs together is NUL-ended there. */
async function readWords(path: string): Promise<string[]> {
  return (await readFile(path, 'utf8')).split('\0').filter((word) => word !== '');
}

async function agentSettings(
  agents: readonly LoopbackEngine[],
  homes: readonly AgentHome[],
): Promise<Record<string, unknown>> {
  const paths: [string, string][] = [];
  for (const agent of agents) paths.push([`sallyport.${agent}.path`, await ensureTool(agent)]);
  return {
    ...Object.fromEntries(paths),
    'sallyport.environment': Object.fromEntries(homes.flatMap(({ env }) => Object.entries(env))),
    'sallyport.tiers': ladder,
  };
}
