import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';

const setupTabs = () =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('sallyport.setup'));

describe('Check Setup', () => {
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('opens one page, and a new one after that was closed', async () => {
    await vscode.commands.executeCommand('sallyport.checkSetup');
    await vscode.commands.executeCommand('sallyport.checkSetup');
    await eventually('the page', () => setupTabs().length > 0);
    assert.equal(setupTabs().length, 1);
    await vscode.window.tabGroups.close(setupTabs());
    await eventually('no page', () => setupTabs().length === 0);
    await vscode.commands.executeCommand('sallyport.checkSetup');
    await eventually('the page again', () => setupTabs().length === 1);
  });
});
