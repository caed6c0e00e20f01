import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mustRun } from '../../scripts/command.ts';
import { ensureTool } from '../../scripts/setup.ts';

export interface EditorOptions {
  /** A fresh, empty one when not given; then `stop` removes it. The same for `userDataDir`. */
  readonly extensionsDir?: string;
  readonly userDataDir?: string;
  /** What `url` opens, a folder or a `.code-workspace` file; nothing when not given. */
  readonly folder?: string;
  /** Added to this process's environment. Reaches the extension host. */
  readonly env?: NodeJS.ProcessEnv;
  /** User settings, over those that keep the editor quiet. Not written when the profile has a settings.json already. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Lets the page run tests in the extension host; it also hides toasts, so browser suites leave it off. */
  readonly enableTestDriver?: boolean;
  /** Lets the editor ask before it trusts a folder: a new one opens in Restricted Mode. Off when not given. */
  readonly workspaceTrust?: boolean;
  /** Ids of extensions that may use proposed API. */
  readonly proposedApi?: readonly string[];
  /** The display language, such as `de`. The editor's own texts stay English: no language pack is fetched. */
  readonly language?: string;
  /** Where the server's output goes; a file in the profile when not given. */
  readonly logFile?: string;
  /** A command line that starts the one that is put behind it; the editor runs within. */
  readonly around?: readonly string[];
}

export interface Editor {
  /** Page of the workbench, `http://127.0.0.1:PORT/` with the folder in its query. */
  readonly url: string;
  /** `127.0.0.1:PORT`, the authority of `vscode-remote:` addresses. */
  readonly authority: string;
  readonly userDataDir: string;
  readonly extensionsDir: string;
  readonly logFile: string;
  /** Ends the editor with its process group and removes the folders it made. Safe to call twice. */
  stop(): Promise<void>;
}

const quietSettings = {
  'chat.agentHost.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.confirmBeforeClose': 'never',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
};

const startTimeoutMs = 60_000;
const stopTimeoutMs = 5_000;

/** The profiles of the editors that this process started, by authority. */
const profiles = new Map<string, string>();

/** The absolute path of the profile of the editor at an address. Throws when this process did not start it. */
export function profileOf(url: string): string {
  const { host } = new URL(url);
  return profiles.get(host) ?? fail(`no editor was started at ${host}`);
}

function fail(why: string): never {
  throw new Error(why);
}

/** Starts VS Code's server and workbench (code-server) on a free port of 127.0.0.1; resolves when it answers. */
export async function startEditor(options: EditorOptions = {}): Promise<Editor> {
  const entry = await ensureTool('code-server');
  const own = await mkdtemp(join(tmpdir(), 'sallyport-editor-'));
  const userDataDir = resolve(options.userDataDir ?? join(own, 'profile'));
  const extensionsDir = resolve(options.extensionsDir ?? join(own, 'extensions'));
  const logFile = options.logFile ?? join(userDataDir, 'server.log');
  await mkdir(extensionsDir, { recursive: true });
  const trust = options.workspaceTrust ? { 'security.workspace.trust.enabled': true } : {};
  await writeUserSettings(userDataDir, { ...trust, ...options.settings });

  if (options.language !== undefined) await writeLanguagePack(userDataDir, options.language);
  const server = launch(entry, { ...options, userDataDir, extensionsDir, logFile });
  const stop = async (): Promise<void> => {
    await stopGroup(server);
    await rm(own, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const authority = await whenListening(server, logFile);
    profiles.set(authority, userDataDir);
    return {
      url: `http://${authority}/?${queryFor(options.folder)}`,
      authority,
      userDataDir,
      extensionsDir,
      logFile,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function queryFor(folder: string | undefined): string {
  if (folder === undefined) return 'ew=true';
  const kind = folder.endsWith('.code-workspace') ? 'workspace' : 'folder';
  return `${kind}=${encodeURIComponent(resolve(folder))}`;
}

/**
 * Writes the settings of a profile, quiet ones first, unless it has some. They go to the user's and to the machine's:
 * code-server is a remote machine to its own window, and such a one takes settings of machine scope from there alone.
 */
export async function writeUserSettings(
  userDataDir: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const folder of ['User', 'Machine']) {
    await mkdir(join(userDataDir, folder), { recursive: true });
    const text = JSON.stringify({ ...quietSettings, ...settings }, null, 2);
    await writeFile(join(userDataDir, folder, 'settings.json'), text, { flag: 'wx' }).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    });
  }
}

/** The editor takes a language only where a language pack is registered for it: this one has no texts. */
async function writeLanguagePack(userDataDir: string, language: string): Promise<void> {
  const texts = join(userDataDir, `${language}.json`);
  await writeFile(texts, JSON.stringify({ version: '1.0.0', contents: {} }));
  const extension = { extensionIdentifier: { id: `test.language-pack-${language}` }, version: '1.0.0' };
  const pack = { hash: language, label: language, extensions: [extension], translations: { vscode: texts } };
  await writeFile(join(userDataDir, 'languagepacks.json'), JSON.stringify({ [language]: pack }));
}

/** Installs a VSIX into an extensions folder, as a person would. Returns what the editor printed. */
export async function installExtension(vsix: string, userDataDir: string, extensionsDir: string): Promise<string> {
  const entry = await ensureTool('code-server');
  const folders = ['--config', '/dev/null', '--user-data-dir', userDataDir, '--extensions-dir', extensionsDir];
  return await mustRun(process.execPath, [entry, ...folders, '--install-extension', vsix], { env: cleanEnvironment() });
}

type LaunchOptions = EditorOptions & Required<Pick<EditorOptions, 'userDataDir' | 'extensionsDir' | 'logFile'>>;

function launch(entry: string, options: LaunchOptions): ChildProcess {
  const log = openSync(options.logFile, 'w');
  const args = ['--config', '/dev/null', '--bind-addr', '127.0.0.1:0', '--auth', 'none', '--disable-telemetry'];
  args.push('--disable-update-check', '--disable-getting-started-override');
  args.push('--ignore-last-opened', '--user-data-dir', options.userDataDir, '--extensions-dir', options.extensionsDir);
  if (!options.workspaceTrust) args.push('--disable-workspace-trust');
  if (options.language !== undefined) args.push('--locale', options.language);
  if (options.enableTestDriver) args.push('--vscode-option', 'enable-smoke-test-driver');
  for (const id of options.proposedApi ?? []) args.push('--enable-proposed-api', id);
  try {
    const env = { ...cleanEnvironment(), ...options.env };
    const [program = '', ...rest] = [...(options.around ?? []), process.execPath, entry, ...args];
    return spawn(program, rest, { stdio: ['ignore', log, log], env, detached: true });
  } finally {
    closeSync(log);
  }
}

/** An editor started from another editor's terminal would open its folder in that one. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(VSCODE_|ELECTRON_|CODE_SERVER_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

/** The port is the system's choice, so it is read from the log. */
async function whenListening(server: ChildProcess, logFile: string): Promise<string> {
  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline) {
    const log = await readFile(logFile, 'utf8');
    if (server.exitCode !== null || server.signalCode !== null) throw new Error(`the editor ended at once:\n${log}`);
    const authority = /listening on http:\/\/(127\.0\.0\.1:\d+)/.exec(log)?.[1];
    if (authority !== undefined && (await isHealthy(authority))) return authority;
    await sleep(50);
  }
  throw new Error(`the editor did not start within ${startTimeoutMs / 1000} s:\n${await readFile(logFile, 'utf8')}`);
}

async function isHealthy(authority: string): Promise<boolean> {
  return await fetch(`http://${authority}/healthz`, { signal: AbortSignal.timeout(5_000) }).then(
    (response) => response.ok,
    () => false,
  );
}

async function stopGroup(server: ChildProcess): Promise<void> {
  const { pid } = server;
  if (pid === undefined) return;
  const ended = server.exitCode !== null || server.signalCode !== null ? Promise.resolve() : once(server, 'exit');
  signalGroup(pid, 'SIGTERM');
  await Promise.race([ended, sleep(stopTimeoutMs, undefined, { ref: false })]);
  signalGroup(pid, 'SIGKILL');
  await ended;
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone.
  }
}
