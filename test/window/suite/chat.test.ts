import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { connectCodex, type Loopback } from '../support/loopback.ts';
import { startSallyportServer } from '../support/mcpServer.ts';

interface Companion {
  turns: { called: string[]; text: string; error?: string }[];
}

describe('chat', () => {
  let loopback: Loopback;

  before(async () => {
    loopback = await connectCodex();
  });

  after(() => loopback.end());

  it('lets its model delegate, and gets the conclusion back', async () => {
    await startSallyportServer();
    const companion = await vscode.extensions.getExtension<Companion>('sallyport-tests.chat-companion')?.activate();
    assert.ok(companion);
    await eventually('the scripted model', async () => (await vscode.lm.selectChatModels({ vendor: 'scripted' }))[0]);
    const input = JSON.stringify({ prompt: 'Write it [[scenario: fileChange]]', level: 1 });
    await vscode.commands.executeCommand('workbench.action.chat.open', {
      query: `@companion delegate ${input}`,
      mode: 'ask',
    });
    // The editor asks before it runs a tool that is not read-only: this is its button.
    const turn = await eventually('the turn to end', async () => {
      await vscode.commands.executeCommand('workbench.action.chat.acceptTool');
      return companion.turns.at(-1);
    });
    assert.equal(turn.error, undefined);
    assert.equal(turn.called.length, 1);
    assert.match(turn.text, /The tool said: [^]*Done: patched\.txt has two lines\./);
    assert.match(turn.text, /session_id: codex:/);
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    assert.ok(existsSync(join(folder, 'patched.txt')));
  });
});
