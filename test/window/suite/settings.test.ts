import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Settings } from '../../../src/vscode/settings.ts';

describe('settings', () => {
  const told: string[] = [];
  const silent = { error: () => undefined, warn: () => undefined, info: () => undefined, debug: () => undefined };
  const settings = new Settings(silent, ({ message }) => told.push(message));
  const write = (name: string, value: unknown, target = vscode.ConfigurationTarget.Global) =>
    vscode.workspace.getConfiguration('sallyport').update(name, value, target);

  afterEach(async () => {
    for (const target of [vscode.ConfigurationTarget.Global, vscode.ConfigurationTarget.Workspace]) {
      await write('tiers', undefined, target);
      await write('exploreModel', undefined, target);
      await write('maxParallelRuns', undefined, target);
    }
    told.length = 0;
  });

  after(() => settings.dispose());

  it('take a level as it is written: nothing is filled in from the default', async () => {
    await write('tiers', { 2: { engine: 'cursor' } });
    await write('exploreModel', { engine: 'claude' });
    const { tiers, exploreModel } = settings.config;
    assert.deepEqual(tiers[1], { engine: 'cursor' });
    assert.deepEqual(exploreModel, { engine: 'claude' });
    assert.equal(tiers[0]?.model, 'gpt-5.6-luna');
  });

  it('let the workspace change one level and keep the others of the person', async () => {
    await write('tiers', { 1: { engine: 'codex', model: 'mine' }, 2: { engine: 'cursor' } });
    await write('tiers', { 2: { engine: 'claude' } }, vscode.ConfigurationTarget.Workspace);
    assert.deepEqual(settings.config.tiers.slice(0, 2), [{ engine: 'codex', model: 'mine' }, { engine: 'claude' }]);
  });

  it('tell once of a value that is not used, and again of another one', async () => {
    await write('maxParallelRuns', 0);
    assert.equal(settings.config.maxParallelRuns, 4);
    await write('exploreModel', { engine: 'claude' });
    assert.equal(settings.config.exploreModel.engine, 'claude');
    await write('maxParallelRuns', 'many');
    assert.equal(settings.config.maxParallelRuns, 4);
    assert.equal(told.length, 2);
    assert.match(told[0] ?? '', /^sallyport\.maxParallelRuns: .*\. The default is used: 4\.$/);
  });
});
