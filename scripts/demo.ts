// npm run demo: the packaged extension in a real editor, the real Codex CLI behind it, a scripted model behind that, and
// simulated Cursor sessions in a tmux beside it.
// No account, and nothing of the person's own configuration is read or written.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgentHome } from '../test/support/agentHomes.ts';
import { installExtension, startEditor } from '../test/support/editorHost.ts';
import { startModelServer } from '../test/support/modelServer/server.ts';
import { packageExtension } from './package.ts';
import { type DemoSessions, startDemoSessions } from './demoSessions.ts';
import { createSampleWorkspace } from './sampleWorkspace.ts';
import { ensureTool } from './setup.ts';

/** Pause before each part of the model's reply, so that a person can watch the steps. */
const modelPauseMs = 300;

const answerCards = `Open "Sallyport" in the activity bar: three simulated Cursor agents wait there for your answers. Approve, reject and
answer on the cards, and watch the terminal beside them. (They run nothing and change no file; nothing here is Cursor's.)`;

/** What was started, ended in the opposite order. */
const endings: (() => Promise<void>)[] = [];

/** The editor's address, and why there are no Cursor sessions, if there are none. */
interface Demo {
  url: string;
  withoutSessions: string | undefined;
}

async function startDemo(): Promise<Demo> {
  const codex = await ensureTool('codex');
  const vsix = await packageExtension();
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-demo-'));
  endings.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const [workspace, userDataDir, extensionsDir] = [
    join(folder, 'greeter'),
    join(folder, 'profile'),
    join(folder, 'ext'),
  ];
  const sessions = await startSessions(workspace);
  await createSampleWorkspace(
    workspace,
    typeof sessions === 'string' ? {} : { '.vscode/tasks.json': showSessions(sessions) },
  );
  await installExtension(vsix, userDataDir, extensionsDir);

  const modelServer = await startModelServer({ fallback: 'demo', delayMs: modelPauseMs });
  endings.push(() => modelServer.close());
  const home = await createAgentHome('codex', modelServer.url, { scenario: 'demo' });
  endings.push(() => home.dispose());
  const editor = await startEditor({
    folder: workspace,
    userDataDir,
    extensionsDir,
    settings: {
      'sallyport.codex.path': codex,
      'sallyport.environment': home.env,
      ...(typeof sessions !== 'string' && sessionSettings(sessions)),
    },
    // The extension's own files (journal, runs) stay in the demo's folder too.
    env: { ...home.env, ...(typeof sessions !== 'string' && sessions.env), SALLYPORT_STATE_DIR: join(folder, 'state') },
  });
  endings.push(() => editor.stop());
  return { url: editor.url, withoutSessions: typeof sessions === 'string' ? sessions : undefined };
}

/** Or why there can be none on this machine. */
async function startSessions(workspace: string): Promise<DemoSessions | string> {
  try {
    await ensureTool('tmux');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const sessions = await startDemoSessions(workspace);
  endings.push(() => sessions.end());
  return sessions;
}

const sessionSettings = ({ binary }: DemoSessions) => ({
  'sallyport.cursor.path': binary,
  'task.allowAutomaticTasks': 'on',
  'terminal.integrated.defaultLocation': 'editor',
});

/** A task that shows them in a terminal as soon as the folder is opened. */
function showSessions({ attach: [command, ...args] }: DemoSessions): string {
  const task = {
    label: 'simulated Cursor sessions',
    type: 'process',
    command,
    args,
    isBackground: true,
    problemMatcher: [],
    presentation: { echo: false, focus: false, panel: 'dedicated' },
    runOptions: { runOn: 'folderOpen' },
  };
  return JSON.stringify({ version: '2.0.0', tasks: [task] }, undefined, 2);
}

async function endAll(): Promise<void> {
  for (let end = endings.pop(); end !== undefined; end = endings.pop()) {
    await end().catch((error: unknown) => console.error(error));
  }
}

/** Shows the page where there is a desktop to show it on; the printed address serves everywhere else. */
function openInBrowser(url: string): void {
  const { CI, DISPLAY, WAYLAND_DISPLAY } = process.env;
  const hasDesktop = process.platform === 'darwin' || Boolean(DISPLAY ?? WAYLAND_DISPLAY);
  if (CI === 'true' || !hasDesktop) return;
  const opener = spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [url], { stdio: 'ignore', detached: true });
  opener.on('error', () => undefined);
  opener.unref();
}

const stopped = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
});

const starting = startDemo();
try {
  const demo = await Promise.race([starting, stopped.then(() => null)]);
  if (demo !== null) {
    const { url, withoutSessions } = demo;
    console.log(`
Sallyport is ready:  ${url}

${withoutSessions === undefined ? answerCards : `There are no Cursor sessions to answer here: ${withoutSessions}`}

Or press F1, run "Sallyport: Delegate to Codex" and ask it to
  Find out why the greeting is wrong and fix it.
The real Codex CLI works on a copy of a small project; a scripted model on this machine answers it,
with the same words whatever you ask. (This editor's Output panel stays empty; a desktop VS Code has the log there.)

Press Ctrl+C to stop.`);
    openInBrowser(url);
    await stopped;
    console.log('\nStopping.');
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  // Stopped while it still starts: what comes up last must be ended too.
  await starting.catch(() => undefined);
  await endAll();
}
process.exit();
