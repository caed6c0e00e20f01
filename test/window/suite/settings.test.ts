import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { type Config, settingNames } from '../../../src/config.ts';
import { Settings } from '../../../src/vscode/settings.ts';

/** A value beside the default for each setting, and where it is to be seen. */
const changes: readonly [name: string, value: unknown, seen: (config: Config) => unknown][] = [
  ['tiers', { 1: { engine: 'grok' } }, ({ tiers }) => ({ 1: tiers[0] })],
  ['fastTiers', { 2: { engine: 'codex' } }, ({ fastTiers }) => ({ 2: fastTiers[1] })],
  ['exploreModel', { engine: 'grok' }, ({ exploreModel }) => exploreModel],
  ['cursor.allowFallback', true, ({ cursor }) => cursor.allowFallback],
  ['cursor.notify', false, ({ cursor }) => cursor.notify],
  ['cursor.settleMs', 900, ({ cursor }) => cursor.settleMs],
  ['followUp.allowWiden', true, ({ followUp }) => followUp.allowWiden],
  ['personas.folders', ['/personas'], ({ personas }) => personas.folders],
  ['terseWorkers', false, ({ terseWorkers }) => terseWorkers],
  ['maxRunMinutes', 7, ({ maxRunMinutes }) => maxRunMinutes],
  ['noEventMinutes', 3, ({ noEventMinutes }) => noEventMinutes],
  ['maxParallelRuns', 2, ({ maxParallelRuns }) => maxParallelRuns],
  ['result.maxChars', 4000, ({ result }) => result.maxChars],
  ['mcp.maxWaitSeconds', 9, ({ mcp }) => mcp.maxWaitSeconds],
  ['codex.path', '/bin/codex', ({ binaries }) => binaries.codex],
  ['grok.path', '/bin/grok', ({ binaries }) => binaries.grok],
  ['claude.path', '/bin/claude', ({ binaries }) => binaries.claude],
  ['cursor.path', '/bin/cursor', ({ binaries }) => binaries.cursor],
  ['environment', { A: 'b' }, ({ environment }) => environment],
  ['sandbox.mode', 'off', ({ sandbox }) => sandbox.mode],
  ['sandbox.extraPaths', { '/opt': 'readOnly' }, ({ sandbox }) => sandbox.extraPaths],
  ['sandbox.allowGitConfig', true, ({ sandbox }) => sandbox.allowGitConfig],
];

const silent = { error: () => undefined, warn: () => undefined, info: () => undefined, debug: () => undefined };

describe('settings', () => {
  const told: [setting: string, message: string][] = [];
  const settings = new Settings(silent, ({ setting, message }) => told.push([setting, message]));
  const write = (name: string, value: unknown, target = vscode.ConfigurationTarget.Global) =>
    vscode.workspace.getConfiguration('sallyport').update(name, value, target);

  afterEach(async () => {
    for (const target of [vscode.ConfigurationTarget.Global, vscode.ConfigurationTarget.Workspace]) {
      await write('tiers', undefined, target);
      await write('exploreModel', undefined, target);
    }
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

  it('are all in the table below', () => {
    assert.deepEqual(changes.map(([name]) => name).sort(), [...settingNames].sort());
  });

  for (const [name, value, seen] of changes) {
    it(`take effect without a reload: ${name}`, async () => {
      const before = seen(settings.config);
      assert.notDeepEqual(before, value);
      try {
        await write(name, value);
        assert.deepEqual(seen(settings.config), value);
      } finally {
        await write(name, undefined);
      }
      assert.deepEqual(seen(settings.config), before);
    });
  }

  it('say at once what is wrong with a value, once until it is mended, and go on with the default', async () => {
    told.length = 0;
    const bad = [
      'sallyport.maxRunMinutes',
      'sallyport.maxRunMinutes: must be at most 1440 (minutes: a day). The default is used: 30.',
    ];
    try {
      await write('maxRunMinutes', 5000);
      assert.deepEqual(told, [bad]);
      await write('terseWorkers', false);
      assert.deepEqual(told, [bad]);
      assert.deepEqual([settings.config.maxRunMinutes, settings.config.terseWorkers], [30, false]);
      await write('maxRunMinutes', undefined);
      await write('maxRunMinutes', 5000);
      assert.deepEqual(told, [bad, bad]);
    } finally {
      await write('maxRunMinutes', undefined);
      await write('terseWorkers', undefined);
    }
  });
});
