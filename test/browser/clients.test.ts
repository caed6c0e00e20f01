import assert from 'node:assert/strict';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as z from 'zod';
import { createSampleWorkspace } from '../../scripts/sampleWorkspace.ts';
import { ensureTool } from '../../scripts/setup.ts';
import { serverName } from '../../src/clients/clientTable.ts';
import { capture } from '../../src/process/capture.ts';
import { button, dialog, editorTab, notification, pick, runCommand, screenshot, toast } from '../support/browser.ts';
import { type InstalledEditor, openInstalledEditor } from '../support/installedEditor.ts';
import { eventually } from '../support/processes/runs.ts';

const userSettings = z.object({ 'sallyport.environment': z.record(z.string(), z.string()) });

describe('Sallyport in other clients', function () {
  this.timeout(180_000);
  let installed: InstalledEditor;
  let page: Page;
  let environment: Readonly<Record<string, string>>;

  before(async () => {
    installed = await openInstalledEditor({
      agents: ['claude', 'codex'],
      workspace: async (folder) => {
        await createSampleWorkspace(join(folder, 'greeter'));
        return join(folder, 'greeter');
      },
    });
    ({ page } = installed);
    const settings = await readFile(join(installed.folder, 'profile', 'User', 'settings.json'), 'utf8');
    environment = userSettings.parse(JSON.parse(settings))['sallyport.environment'];
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await screenshot(page, 'failed-clients');
    await runCommand(page, 'notifications.clearAll');
  });

  after(() => installed.close());

  const launcher = () => join(installed.folder, 'state', 'clients', 'sallyport-mcp');
  const claudeSettings = () => join(environment.CLAUDE_CONFIG_DIR ?? '', 'settings.json');

  /** What a client itself lists, in the home that the editor's settings name. */
  async function listOf(client: 'claude' | 'codex'): Promise<string> {
    const env = { ...process.env, ...environment };
    const file = await ensureTool(client);
    const options = { cwd: installed.opened, env, timeoutMs: 60_000, maxBytes: 1024 * 1024 };
    const { stdout } = await capture({ file, args: ['mcp', 'list'], ...options });
    return stdout.toString('utf8');
  }

  it('is added to Claude Code by its own command, which is shown before', async () => {
    await runCommand(page, 'sallyport.addToClient');
    await page.locator('.quick-input-list').filter({ hasText: 'claude mcp add' }).waitFor();
    await screenshot(page, 'clients-pick-dark');
    await pick(page, 'Claude Code');
    await page.locator('.quick-input-list').filter({ hasText: 'Only this folder' }).waitFor();
    await screenshot(page, 'clients-scope-dark');
    await pick(page, 'All my projects');
    const question = dialog(page, 'Add Sallyport to Claude Code?');
    await question.filter({ hasText: `claude mcp add --scope user ${serverName} -- ${launcher()}` }).waitFor();
    await screenshot(page, 'clients-confirm-dark');
    assert.doesNotMatch(await listOf('claude'), /sallyport/);
    await button(question, 'Run').click();
    await toast(page, 'Claude Code says: Added stdio MCP server sallyport').waitFor();
    await screenshot(page, 'clients-added-dark');
    assert.match(await listOf('claude'), /sallyport: .*sallyport-mcp.*Connected/);
  });

  it('starts for Claude Code from the folder of the next version', async () => {
    const extensions = join(installed.folder, 'extensions');
    const [name] = (await readdir(extensions)).filter((each) => each.startsWith('sallyport.sallyport-'));
    const [now, next] = [join(extensions, name ?? ''), join(extensions, 'sallyport.sallyport-99.0.0')];
    await rename(now, next);
    assert.match(await listOf('claude'), /sallyport: .*Connected/);
    await rename(next, now);
  });

  it('is brought up to date by the next window', async () => {
    const program = join(installed.folder, 'state', 'clients', 'launch.cjs');
    const now = await readFile(program, 'utf8');
    await writeFile(program, 'of an earlier version');
    await runCommand(page, 'workbench.action.reloadWindow');
    await eventually('the launcher is new', async () => (await readFile(program, 'utf8')) === now, 60_000);
  });

  it('replaces an entry of its name only after another question', async () => {
    await runCommand(page, 'sallyport.addToClient');
    await pick(page, 'Claude Code');
    await pick(page, 'All my projects');
    await button(dialog(page, 'Add Sallyport to Claude Code?'), 'Run').click();
    const exists = toast(page, 'already exists in user config');
    await button(exists, 'Replace It…').click();
    const question = dialog(page, 'Replace what Claude Code has under this name?');
    await question.filter({ hasText: 'claude mcp remove' }).waitFor();
    await screenshot(page, 'clients-replace-dark');
    await button(question, 'Run').click();
    await toast(page, 'Claude Code says: Added stdio MCP server sallyport').waitFor();
  });

  it('reminds Claude Code by a hook that its command adds and removes', async () => {
    await runCommand(page, 'sallyport.installClaudeHook');
    const question = dialog(page, 'Remind Claude Code of Sallyport by a hook?');
    await question.filter({ hasText: claudeSettings() }).waitFor();
    await screenshot(page, 'clients-hook-dark');
    await button(question, 'Add the Hook').click();
    await toast(page, 'Claude Code has the hook now').waitFor();
    assert.match(await readFile(claudeSettings(), 'utf8'), /sallyport-claude-hook\.sh/);
    await runCommand(page, 'sallyport.removeClaudeHook');
    await toast(page, 'The hook was removed').waitFor();
    assert.doesNotMatch(await readFile(claudeSettings(), 'utf8'), /sallyport/);
  });

  it('is removed from Claude Code by its own command', async () => {
    await runCommand(page, 'sallyport.removeFromClient');
    await page.locator('.quick-input-list').filter({ hasText: 'The launcher itself' }).waitFor();
    await screenshot(page, 'clients-remove-dark');
    await pick(page, 'Claude Code');
    await button(dialog(page, 'Remove Sallyport from Claude Code?'), 'Run').click();
    await toast(page, 'Claude Code says: Removed MCP server').waitFor();
    assert.doesNotMatch(await listOf('claude'), /sallyport/);
  });

  it('shows what a client says when its command fails', async () => {
    await runCommand(page, 'sallyport.removeFromClient');
    await pick(page, 'Claude Code');
    await button(dialog(page, 'Remove Sallyport from Claude Code?'), 'Run').click();
    await toast(page, /claude mcp remove sallyport.*failed\. No MCP server/).waitFor();
    await screenshot(page, 'clients-failed-dark');
  });

  it('is added to Codex', async () => {
    await runCommand(page, 'sallyport.addToClient');
    await pick(page, 'Codex');
    await button(dialog(page, 'Add Sallyport to Codex?'), 'Run').click();
    await eventually('Codex has it', async () => /sallyport +.*sallyport-mcp/.test(await listOf('codex')), 30_000);
    // Where the editor has shown a few already, one goes straight into the list.
    await runCommand(page, 'notifications.showList');
    await notification(page, 'Codex says: ').waitFor();
    await runCommand(page, 'notifications.clearAll');
  });

  for (const [choice, tab] of [
    ['Cursor', 'Cursor.md'],
    ['Other…', 'Other Clients.md'],
  ] as const) {
    it(`shows what to paste for ${choice}`, async () => {
      await runCommand(page, 'sallyport.addToClient');
      await pick(page, choice);
      await editorTab(page, tab).waitFor();
      await page.locator('.view-lines').filter({ hasText: launcher() }).first().waitFor();
      await screenshot(page, `clients-paste-${choice === 'Cursor' ? 'cursor' : 'other'}-dark`);
    });
  }

  it('takes the launcher away when it is told to', async () => {
    await runCommand(page, 'sallyport.removeFromClient');
    await pick(page, 'The launcher itself');
    await button(dialog(page, 'Remove the launcher?'), 'Remove').click();
    await page.locator('.statusbar').filter({ hasText: 'The launcher was removed' }).waitFor();
    assert.ok(!(await readdir(join(installed.folder, 'state'))).includes('clients'));
  });
});
