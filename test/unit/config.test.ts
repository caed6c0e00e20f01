import assert from 'node:assert/strict';
import { parseConfig, parseStandaloneConfig, settingNames } from '../../src/config.ts';

describe('parseConfig', () => {
  it('has a default for everything', () => {
    const { config, problems } = parseConfig({});
    assert.deepEqual(problems, []);
    assert.deepEqual(
      config.tiers.map(({ engine, model, effort }) => [engine, model, effort].join(' ')),
      [
        'codex gpt-5.6-luna max',
        'grok grok-4.5 high',
        'codex gpt-5.6-sol xhigh',
        'grok grok-4.6 high',
        'claude opus max',
      ],
    );
    assert.deepEqual(
      config.fastTiers.map(({ engine, model, effort }) => [engine, model, effort].join(' ')),
      ['codex gpt-5.6-luna low', 'grok grok-4.5 low', 'claude sonnet low'],
    );
    assert.equal(config.exploreModel.model, 'gpt-5.6-luna');
    assert.deepEqual(
      [
        config.maxRunMinutes,
        config.noEventMinutes,
        config.maxParallelRuns,
        config.result.maxChars,
        config.mcp.maxWaitSeconds,
      ],
      [30, 5, 4, 20_000, 50],
    );
    assert.deepEqual(
      [config.cursor.allowFallback, config.followUp.allowWiden, config.allowUnsandboxed],
      [false, false, false],
    );
    assert.deepEqual([config.terseWorkers, config.personas.folders], [true, []]);
    assert.deepEqual(config.binaries, {});
  });

  it('takes names with and without the prefix, and undefined as not set', () => {
    const { config, problems } = parseConfig({
      'sallyport.cursor.allowFallback': true,
      maxRunMinutes: 2.5,
      'codex.path': '/opt/codex',
      'grok.path': '',
      environment: { FOO: 'bar' },
      maxParallelRuns: undefined,
    });
    assert.deepEqual(problems, []);
    assert.equal(config.cursor.allowFallback, true);
    assert.equal(config.maxRunMinutes, 2.5);
    assert.deepEqual(config.binaries, { codex: '/opt/codex' });
    assert.deepEqual(config.environment, { FOO: 'bar' });
    assert.equal(config.maxParallelRuns, 4);
  });

  it('replaces single rungs and keeps the others', () => {
    const { config, problems } = parseConfig({
      tiers: { 2: { engine: 'claude', model: 'haiku' }, 3: { engine: 'gpt' } },
    });
    const fast = parseConfig({ fastTiers: { 2: { engine: 'claude', model: 'haiku' } }, tiers: {} }).config;
    assert.deepEqual(
      [fast.fastTiers[1]?.model, fast.fastTiers[0]?.effort, fast.tiers],
      ['haiku', 'low', parseConfig({}).config.tiers],
    );
    assert.deepEqual(config.tiers[1], { engine: 'claude', model: 'haiku' });
    assert.equal(config.tiers[2]?.model, 'gpt-5.6-sol');
    assert.equal(problems.length, 1);
    assert.equal(problems[0]?.setting, 'sallyport.tiers.3');
  });

  it('names the setting, the problem and the default that stands', () => {
    const bad: [string, unknown, RegExp][] = [
      ['maxRunMinutes', '30', /sallyport\.maxRunMinutes: .*number.*default is used: 30/],
      ['maxParallelRuns', 0, /maxParallelRuns: .*default is used: 4/],
      ['result.maxChars', 1e9, /result\.maxChars/],
      ['tiers', 'fast', /must be an object of rungs/],
      ['fastTiers', [], /sallyport\.fastTiers: must be an object of rungs/],
      ['fastTiers', { 4: { engine: 'codex' } }, /sallyport\.fastTiers\.4: is no setting/],
      ['tiers', { 6: { engine: 'codex' } }, /sallyport\.tiers\.6: is no setting/],
      ['exploreModel', { engine: 'codex', modle: 'x' }, /exploreModel: .*modle/],
      ['claude.path', 'bin/claude', /absolute/],
      ['environment', { SALLYPORT_DEPTH: '0' }, /environment: SALLYPORT_DEPTH/],
      ['environment', { A: 1 }, /environment: A/],
      ['personas.folders', ['~/agents'], /personas\.folders: 0: must be an absolute path/],
      ['terseWorkers', 'yes', /terseWorkers: .*default is used: true/],
      ['followUp.allowWidden', true, /is no setting/],
      ['maxParallelRuns', 1.5, /: must be a whole number from 1 to 64\. The default is used: 4\.$/],
      ['maxRunMinutes', 5000, /: must be at most 1440 \(minutes: a day\)\./],
      ['tiers', { 2: { engine: 'gpt' } }, /tiers\.2: engine: must be one of "codex", "grok", "claude", "cursor"\./],
      ['exploreModel', 'codex', /: must be an object, like the default\. The default is used: \{"engine"/],
      ['claude.path', 3, /: must be text: an absolute path, or empty\. The program is looked for\.$/],
      ['environment', { SALLYPORT_X: '0' }, /: SALLYPORT_X: must be a variable name, and not one of Sallyport’s own\./],
      ['environment', [], /: must be an object of variables by name, like /],
      ['sandbox.mode', 'on', /: must be "auto" or "off"\./],
      ['sandbox.extraPaths', { m2: 'readOnly' }, /: m2: must be an absolute path, or one that begins with ~\//],
    ];
    for (const [name, value, message] of bad) {
      const { config, problems } = parseConfig({ [name]: value });
      assert.equal(problems.length, 1, name);
      assert.match(problems[0]?.message ?? '', message);
      assert.deepEqual(config, parseConfig({}).config, name);
    }
  });

  it('freezes what it returns', () => {
    const { config } = parseConfig({ environment: { A: 'b' } });
    assert.throws(() => Object.assign(config.environment, { C: 'd' }), TypeError);
    assert.throws(() => Object.assign(config.tiers[0] ?? {}, { engine: 'grok' }), TypeError);
  });
});

describe('parseStandaloneConfig', () => {
  it('reads every setting from its variable, over the file', () => {
    const { config, problems } = parseStandaloneConfig(
      {
        SALLYPORT_MAX_RUN_MINUTES: '3',
        SALLYPORT_CURSOR_ALLOW_FALLBACK: 'true',
        SALLYPORT_CODEX_PATH: '/opt/codex',
        SALLYPORT_PERSONAS_FOLDERS: '["/opt/agents"]',
        SALLYPORT_TERSE_WORKERS: 'false',
        SALLYPORT_EXPLORE_MODEL: '{"engine":"grok"}',
        SALLYPORT_ALLOW_UNSANDBOXED: '1',
        SALLYPORT_STATE_DIR: '/var/state',
        SALLYPORT_RUN: 'someone-else',
        PATH: '/bin',
      },
      '{ "sallyport.maxRunMinutes": 9, "result.maxChars": 5000 }',
    );
    assert.deepEqual(problems, []);
    assert.equal(config.maxRunMinutes, 3);
    assert.equal(config.result.maxChars, 5000);
    assert.equal(config.cursor.allowFallback, true);
    assert.deepEqual([config.personas.folders, config.terseWorkers], [['/opt/agents'], false]);
    assert.deepEqual(config.exploreModel, { engine: 'grok' });
    assert.deepEqual(config.binaries, { codex: '/opt/codex' });
    assert.equal(config.allowUnsandboxed, true);
    assert.equal(config.stateDir, '/var/state');
  });

  it('survives a broken file and broken variables', () => {
    for (const file of ['', 'nonsense', '[]', 'null']) {
      const { config, problems } = parseStandaloneConfig(
        { SALLYPORT_MAX_PARALLEL_RUNS: 'many', SALLYPORT_STATE_DIR: 'x' },
        file,
      );
      assert.equal(problems.length, 3, file);
      assert.match(
        problems.map(({ message }) => message).join('\n'),
        /SALLYPORT_CONFIG[^]*maxParallelRuns[^]*SALLYPORT_STATE_DIR/,
      );
      assert.equal(config.maxParallelRuns, 4);
    }
  });

  it('lets nothing but the person’s own variable agree to unsandboxed writing', () => {
    const { config, problems } = parseStandaloneConfig({}, '{ "allowUnsandboxed": true }');
    assert.equal(config.allowUnsandboxed, false);
    assert.equal(problems.length, 1);
  });

  it('knows every setting by one name', () => {
    assert.equal(new Set(settingNames).size, settingNames.length);
    assert.ok(settingNames.includes('mcp.maxWaitSeconds'));
  });
});
