import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';

const own = '{\n  "model": "opus"\n}\n';
/** With a hook that a Sallyport with another state folder put in. */
const hooked = own.replace(
  '"opus"',
  `"opus",
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Read|WebSearch",
        "hooks": [{ "type": "command", "command": "sh '/elsewhere/clients/sallyport-claude-hook.sh' || true" }]
      }
    ]
  }`,
);

/** What asks for nothing first; the rest is walked through in the real editor by the browser suite. */
describe('Remove Claude Code Hook', () => {
  let folder: string;
  const settings = () => join(folder, 'settings.json');
  const configure = (environment: Record<string, string> | undefined) =>
    vscode.workspace
      .getConfiguration('sallyport')
      .update('environment', environment, vscode.ConfigurationTarget.Global);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-claude-'));
    await configure({ CLAUDE_CONFIG_DIR: folder });
  });

  after(async () => {
    await configure(undefined);
    await rm(folder, { recursive: true });
  });

  it('takes its own out of the settings that the environment of the agents names', async () => {
    await writeFile(settings(), hooked);
    await vscode.commands.executeCommand('sallyport.removeClaudeHook');
    assert.equal(await readFile(settings(), 'utf8'), own);
  });

  it('leaves settings alone that it cannot read', async () => {
    await writeFile(settings(), '// mine\n{}');
    await vscode.commands.executeCommand('sallyport.removeClaudeHook');
    assert.equal(await readFile(settings(), 'utf8'), '// mine\n{}');
  });
});
