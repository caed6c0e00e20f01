import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import * as z from 'zod';
import { eventually } from '../support/eventually.ts';

const extension = () => vscode.extensions.getExtension('sallyport.sallyport');

const manifestSchema = z.object({ contributes: z.object({ commands: z.array(z.object({ command: z.string() })) }) });

describe('activation', () => {
  it('happens by itself once the window has started', async () => {
    await eventually('the extension to be active', () => extension()?.isActive);
  });

  it('registers every command of the manifest', async () => {
    const manifest = manifestSchema.parse(extension()?.packageJSON);
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = manifest.contributes.commands.filter(({ command }) => !registered.has(command));
    assert.deepEqual(missing, []);
    assert.ok(manifest.contributes.commands.length > 10);
  });

  it('opens its view', async () => {
    await vscode.commands.executeCommand('sallyport.runs.focus');
  });
});
