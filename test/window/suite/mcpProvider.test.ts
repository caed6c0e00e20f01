import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { startSallyportServer } from '../support/mcpServer.ts';

describe('MCP server in the window', () => {
  it('is started by the editor itself, which then lists its tools', async () => {
    const tools = await startSallyportServer();
    for (const name of ['delegate', 'explore', 'follow_up', 'bridge_stats']) {
      assert.ok(
        tools.some((tool) => tool.endsWith(name)),
        `${name} is missing in ${tools.join(', ')}`,
      );
    }
  });

  it('answers a call over the window’s own socket', async () => {
    const tools = await startSallyportServer();
    const name = tools.find((tool) => tool.endsWith('bridge_stats')) ?? '';
    const { content } = await vscode.lm.invokeTool(name, { input: {}, toolInvocationToken: undefined });
    const text = content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
    assert.match(text, /runs/i);
  });
});
