import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { pidExists } from '../../../src/base/pidExists.ts';
import { writeCursorLauncher } from '../../support/cursorLauncher.ts';
import { readLog } from '../../support/cursorSimulator/log.ts';
import type { ScenarioInput } from '../../support/cursorSimulator/scenario.ts';
import { eventually } from '../support/eventually.ts';

const workspace = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const all = () => vscode.workspace.getConfiguration('sallyport');

const scenario: ScenarioInput = {
  title: 'Deploy the site',
  onPrompt: [[{ step: 'calls', calls: [{ args: { command: 'make deploy' }, leadMs: 0 }] }]],
};

describe('Start Cursor Agent', () => {
  let folder: string;
  let logFile: string;
  const previous = process.env.CURSOR_CONFIG_DIR;
  const log = () => readLog(logFile);
  const starts = () => log().flatMap((entry) => (entry.event === 'start' ? [entry] : []));
  const terminal = () => vscode.window.terminals.find(({ name }) => name === `Sallyport: ${basename(workspace())}`);

  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'sallyport-terminals-')));
    process.env.SALLYPORT_STATE_DIR ??= join(folder, 'state');
    process.env.CURSOR_CONFIG_DIR = join(folder, 'cursor');
    const launcher = await writeCursorLauncher(folder, scenario);
    logFile = launcher.logFile;
    await all().update('cursor.path', launcher.program, vscode.ConfigurationTarget.Global);
    await all().update('environment', launcher.environment, vscode.ConfigurationTarget.Global);
  });

  after(async () => {
    terminal()?.dispose();
    for (const { pid } of starts()) await eventually('the agents to end', () => !pidExists(pid));
    for (const name of ['cursor.path', 'environment']) {
      await all().update(name, undefined, vscode.ConfigurationTarget.Global);
    }
    if (previous === undefined) delete process.env.CURSOR_CONFIG_DIR;
    else process.env.CURSOR_CONFIG_DIR = previous;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('opens a terminal with an agent that has a chat already', async () => {
    await vscode.commands.executeCommand('sallyport.startCursorAgent');
    await eventually('the terminal', terminal);
    const start = await eventually('the agent', () => starts().find(({ argv }) => argv[0] === '--resume'));
    assert.match(start.argv[1] ?? '', /^[0-9a-f-]{36}$/);
    assert.deepEqual(start.argv.length, 2);
    assert.ok(pidExists(start.pid));
  });

  it('is a terminal to type in', async () => {
    const shown = await eventually('the terminal', terminal);
    await eventually('the agent to be idle', () => log().some(({ event }) => event === 'idle'));
    shown.sendText('hello', false);
    await eventually('the agent to take the words', () => log().some(({ event }) => event === 'input'));
    // Keys that come in one burst are dropped.
    await sleep(500);
    shown.sendText('\r', false);
    await eventually('the agent to work on them', () => log().some(({ event }) => event === 'pending'));
    const submitted = log().flatMap((entry) => (entry.event === 'submitted' ? [entry.text] : []));
    assert.deepEqual(submitted, ['hello']);
  });

  it('shows a chat as Sallyport sees it, read-only', async () => {
    const document = await eventually('the inspection', async () => {
      void vscode.commands.executeCommand('sallyport.inspectChatStore');
      await sleep(1000);
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'sallyport-chat');
    });
    const text = document.getText();
    assert.match(text, /"command": "make deploy"/);
    assert.match(text, /"state": "alive"/);
    assert.ok(text.includes(JSON.stringify(await realpath(workspace()))));
    assert.equal(document.languageId, 'json');
  });

  it('ends the agent with its terminal', async () => {
    const { pid } = await eventually('the agent', () => starts().findLast(({ argv }) => argv[0] === '--resume'));
    terminal()?.dispose();
    await eventually('the agent to end', () => !pidExists(pid));
    await eventually('the terminal to be gone', () => terminal() === undefined);
  });
});
