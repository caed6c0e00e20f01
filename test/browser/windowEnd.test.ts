import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createSampleWorkspace } from '../../scripts/sampleWorkspace.ts';
import { activityButton, answerInput, editorTab, pick, runCommand, runRow, screenshot } from '../support/browser.ts';
import { type InstalledEditor, openInstalledEditor, relayProgram } from '../support/installedEditor.ts';
import { eventually, isRunning, survivors } from '../support/processes/runs.ts';

const hostProgram = '--type=extensionHost';

describe('the end of a window during a run', function () {
  this.timeout(180_000);
  let installed: InstalledEditor;
  let page: Page;

  before(async () => {
    installed = await openInstalledEditor({
      agents: ['codex'],
      workspace: async (folder) => {
        await createSampleWorkspace(join(folder, 'greeter'));
        return join(folder, 'greeter');
      },
    });
    ({ page } = installed);
    await activityButton(page, 'Sallyport').click();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await screenshot(page, 'failed-end');
  });

  after(() => installed.close());

  /** Starts a run with a grandchild that ignores every signal it can, and waits for that one. */
  async function startRun(prompt: string): Promise<string> {
    const pidFile = join(installed.opened, 'grandchild.pid');
    await rm(pidFile, { force: true });
    const earlier = await installed.runIds();
    await runCommand(page, 'sallyport.delegateToCodex');
    await answerInput(page, `${prompt} [[scenario: grandchild]]`);
    await eventually('the grandchild runs', () => existsSync(pidFile), 60_000);
    const runId = (await installed.runIds()).find((id) => !earlier.includes(id)) ?? '';
    const commands = await Promise.all((await survivors(runId)).map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8')));
    assert.ok(commands.some((command) => command.includes('trap "" TERM')));
    return runId;
  }

  /** Milliseconds until nothing of the run is left. */
  async function timeUntilGone(runId: string): Promise<number> {
    const started = Date.now();
    await eventually('nothing of the run is left', async () => (await survivors(runId)).length === 0, 20_000);
    return Date.now() - started;
  }

  async function followUp(title: string, question: string): Promise<void> {
    const row = runRow(page, title);
    await row.hover();
    await row.locator('a[aria-label^="Follow Up"]').click();
    await answerInput(page, `${question} [[scenario: remember]]`);
    await editorTab(page, question).waitFor({ timeout: 60_000 });
    await page.locator('.view-line').filter({ hasText: 'I have seen 2 user turn(s)' }).waitFor();
  }

  it('leaves nothing running when the extension host is killed', async () => {
    await runCommand(page, 'workbench.mcp.listServer');
    await pick(page, 'Sallyport');
    await pick(page, 'Start Server');
    await eventually('the relay runs', async () => (await installed.processes(relayProgram)).length > 0, 30_000);
    const relays = await installed.processes(relayProgram);
    const hosts = await installed.processes(hostProgram);
    assert.equal(hosts.length, 1);
    const run = await startRun('Work on');
    process.kill(hosts[0] ?? 0, 'SIGKILL');
    const relayGone = Promise.all(
      relays.map(async (pid) => {
        const started = Date.now();
        await eventually('the relay is gone', async () => !(await isRunning(pid)), 20_000);
        return Date.now() - started;
      }),
    );
    const runTime = await timeUntilGone(run);
    assert.ok(runTime < 5_000, `${runTime} ms`);
    for (const time of await relayGone) assert.ok(time < 2_000, `${time} ms`);
  });

  it('then tells of the run as lost, with what to do', async () => {
    await runRow(page, /Work on.*Codex · lost/).waitFor({ timeout: 60_000 });
    await runRow(page, /Work on/).click();
    await page.locator('.view-line').filter({ hasText: 'Follow up on its session' }).waitFor();
    await page
      .locator('.view-line')
      .filter({ hasText: /Session:.codex:[0-9a-f-]{36}/ })
      .waitFor();
    await screenshot(page, 'lost-dark');
  });

  it('continues its session', () => followUp('Work on', 'And now'));

  it('leaves nothing running when the window is reloaded', async () => {
    const run = await startRun('Go ahead');
    await editorTab(page, 'And now').click();
    const loaded = page.waitForEvent('load', { timeout: 60_000 });
    await runCommand(page, 'workbench.action.reloadWindow');
    await loaded;
    const time = await timeUntilGone(run);
    assert.ok(time < 5_000, `${time} ms`);
  });

  it('then tells of that run as ended, and continues it', async () => {
    await activityButton(page, 'Sallyport').waitFor({ timeout: 90_000 });
    await runRow(page, /Go ahead.*Codex · .*(cancelled|lost)/).waitFor({ timeout: 60_000 });
    // The document that was open is open again, and so are its actions.
    await editorTab(page, 'And now').waitFor();
    await page.locator('.view-line').filter({ hasText: 'I have seen 2 user turn(s)' }).waitFor();
    await page.locator('.codelens-decoration').filter({ hasText: 'Follow Up' }).waitFor();
    await screenshot(page, 'reloaded-dark');
    await followUp('Go ahead', 'What next');
  });
});
