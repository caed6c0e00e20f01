import assert from 'node:assert/strict';
import type { LoopbackEngine } from '../support/agentHomes.ts';
import { Bench } from '../support/bench/bench.ts';

/** What each CLI itself signs in with. */
const keyOf: Readonly<Record<LoopbackEngine, string>> = {
  codex: 'LOOPBACK_API_KEY',
  claude: 'ANTHROPIC_API_KEY',
  grok: 'LOOPBACK_API_KEY',
};

describe('the environment of a worker’s commands', function () {
  this.timeout(60_000);
  const ambient = { SALLYPORT_AGENTS_TEST: 'x', AGENTS_TEST_TOKEN: 'not-for-workers', VSCODE_AGENTS_TEST: 'x' };

  before(() => {
    Object.assign(process.env, ambient);
  });

  after(() => {
    for (const name of Object.keys(ambient)) Reflect.deleteProperty(process.env, name);
  });

  for (const engine of ['codex', 'claude', 'grok'] as const) {
    it(`of ${engine} holds what the person gave it, and neither its key nor what is ours`, () =>
      Bench.with(
        [engine],
        async (bench) => {
          const { status, text } = await bench.run('[[scenario: envDump]] List it.');
          assert.equal(status, 'completed', text);
          const names = text.split(/\s+/);
          assert.ok(names.includes('AGENTS_TEST_SETTING'), text);
          assert.ok(names.includes('SALLYPORT_RUN') && names.includes('SALLYPORT_DEPTH'), text);
          for (const name of [keyOf[engine], ...Object.keys(ambient)]) assert.ok(!names.includes(name), name);
        },
        { settings: { environment: { AGENTS_TEST_SETTING: 'on' } } },
      ));
  }
});
