import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { connectCodex, type Loopback } from '../support/loopback.ts';

const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

/** Runs a command that asks for a prompt, with the prompt already there, confirms it, and waits for what it shows. */
async function confirmPrompt(command: string, prompt: string): Promise<void> {
  let ended = false;
  void vscode.commands.executeCommand(command, { prompt }).then(() => (ended = true));
  // The input is shown at some time in between; confirming when there is none does nothing.
  await eventually('the run to end', async () => {
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    return ended;
  });
}

const resultInFront = () => {
  const document = vscode.window.activeTextEditor?.document;
  return document?.uri.scheme === 'sallyport-run' ? document : undefined;
};

describe('Delegate to Codex', () => {
  let loopback: Loopback;

  before(async () => {
    loopback = await connectCodex();
  });

  after(() => loopback.end());

  it('lets the real CLI edit a file, and opens the result', async () => {
    await confirmPrompt('sallyport.delegateToCodex', 'Write the note [[scenario: edit]]');
    const document = await eventually('the result', resultInFront);
    assert.equal(await readFile(join(folder(), 'note.txt'), 'utf8'), 'a note\n');
    const text = document.getText();
    assert.match(text, /^# Codex: Write the note/);
    assert.match(text, /Done: note\.txt:1 holds the note\./);
    assert.match(text, /- Session: codex:[0-9a-f-]{36}/);
    assert.match(text, /- Files changed: note\.txt/);
    assert.equal(document.languageId, 'markdown');
  });

  it('offers what can be done with the result', async () => {
    const document = await eventually('the result', resultInFront);
    const lenses: vscode.CodeLens[] = await vscode.commands.executeCommand(
      'vscode.executeCodeLensProvider',
      document.uri,
    );
    assert.deepEqual(
      lenses.map(({ command }) => command?.title),
      [
        'Follow Up',
        'Show Changes',
        'Revert This Run',
        'Render',
        'Show Transcript',
        'Delegate Again…',
        'Copy Session Handle',
      ],
    );
  });

  it('copies the session handle', async () => {
    await vscode.env.clipboard.writeText('');
    await vscode.commands.executeCommand('sallyport.copyHandle');
    const handle = await eventually('the handle', async () => (await vscode.env.clipboard.readText()) || undefined);
    assert.match(handle, /^codex:[0-9a-f-]{36}$/);
  });

  it('shows the changes as a diff against the state before', async () => {
    await vscode.commands.executeCommand('sallyport.showChanges');
    await eventually('the diff', () =>
      vscode.window.tabGroups.activeTabGroup.activeTab?.label.includes('before and now'),
    );
  });

  it('links the file that the result names, and tells the steps', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    void vscode.commands.executeCommand('sallyport.openResult');
    const result = await eventually('the result', async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return resultInFront();
    });
    const links: vscode.DocumentLink[] = await vscode.commands.executeCommand('vscode.executeLinkProvider', result.uri);
    const named = links.map(({ target }) => target && `${target.fsPath}#${target.fragment}`);
    assert.ok(named.includes(`${join(folder(), 'note.txt')}#L1`), named.join());
    await vscode.commands.executeCommand('sallyport.showTranscript', result.uri);
    const transcript = await eventually('the transcript', () => {
      const document = resultInFront();
      return document?.uri.query === 'transcript' ? document : undefined;
    });
    assert.match(transcript.getText(), /I will write the note now\./);
    assert.match(transcript.getText(), /▸ `.*note\.txt/);
  });

  it('keeps what went wrong as a result', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    void vscode.commands.executeCommand('sallyport.delegateToCodex', { prompt: 'Fail [[scenario: http401]]' });
    await eventually('the run to reach the model', async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return loopback.model.requests.some(({ scenario }) => scenario === 'http401');
    });
    const document = await eventually('the result of the failed run', async () => {
      void vscode.commands.executeCommand('sallyport.openResult');
      await new Promise((resolve) => setTimeout(resolve, 500));
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      const document = resultInFront();
      return document?.getText().startsWith('# Codex: Fail') && document;
    });
    assert.match(document.getText(), /- Status: Failed/);
    assert.match(document.getText(), /sign in|codex login/i);
  });
});
