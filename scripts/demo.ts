// npm run demo: the packaged extension in a real editor, the real Codex CLI behind it, a scripted model behind that.
// No account, and nothing of the person's own configuration is read or written.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgentHome } from '../test/support/agentHomes.ts';
import { installExtension, startEditor } from '../test/support/editorHost.ts';
import { startModelServer } from '../test/support/modelServer/server.ts';
import { packageExtension } from './package.ts';
import { createSampleWorkspace } from './sampleWorkspace.ts';
import { ensureTool } from './setup.ts';

/** Pause before each part of the model's reply, so that a person can watch the steps. */
const modelPauseMs = 300;

/** What was started, ended in the opposite order. */
const endings: (() => Promise<void>)[] = [];

async function startDemo(): Promise<string> {
  const codex = await ensureTool('codex');
  const vsix = await packageExtension();
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-demo-'));
  endings.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const [workspace, userDataDir, extensionsDir] = [
    join(folder, 'greeter'),
    join(folder, 'profile'),
    join(folder, 'ext'),
  ];
  await createSampleWorkspace(workspace);
  await installExtension(vsix, userDataDir, extensionsDir);

  const modelServer = await startModelServer({ fallback: 'demo', delayMs: modelPauseMs });
  endings.push(() => modelServer.close());
  const home = await createAgentHome('codex', modelServer.url, { scenario: 'demo' });
  endings.push(() => home.dispose());
  const editor = await startEditor({
    folder: workspace,
    userDataDir,
    extensionsDir,
    settings: { 'sallyport.codex.path': codex, 'sallyport.environment': home.env },
    // The extension's own files (journal, runs) stay in the demo's folder too.
    env: { ...home.env, SALLYPORT_STATE_DIR: join(folder, 'state') },
  });
  endings.push(() => editor.stop());
  return editor.url;
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
  const url = await Promise.race([starting, stopped.then(() => null)]);
  if (url !== null) {
    console.log(`
Sallyport is ready:  ${url}

Try this: press F1, run "Sallyport: Delegate to Codex" and ask it to
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
