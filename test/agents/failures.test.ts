import assert from 'node:assert/strict';
import type { LoopbackEngine } from '../support/agentHomes.ts';
import { Bench, until } from '../support/bench/bench.ts';
import type { ScenarioName } from '../support/modelServer/scenarios.ts';
import type { FailureReason } from '../../src/protocol/model.ts';

interface Case {
  scenario: ScenarioName;
  reason: FailureReason;
  /** The next step the person is told. */
  says: RegExp;
  engines?: readonly LoopbackEngine[];
}

/** Where an engine is left out, its recorded fixtures show the failure, and a real one would only take its time. */
const cases: readonly Case[] = [
  { scenario: 'http401', reason: 'notSignedIn', says: /codex login|\/login|grok login/ },
  { scenario: 'http403', reason: 'notSignedIn', says: /codex login/, engines: ['codex'] },
  { scenario: 'http429', reason: 'rateLimited', says: /try again/, engines: ['codex', 'claude'] },
  { scenario: 'usageLimit', reason: 'rateLimited', says: /another engine/, engines: ['codex', 'claude'] },
  { scenario: 'quota', reason: 'rateLimited', says: /another engine/, engines: ['codex', 'claude'] },
  { scenario: 'http404', reason: 'badRequest', says: /model/ },
  { scenario: 'http400', reason: 'badRequest', says: /model and effort/, engines: ['codex'] },
  { scenario: 'http500', reason: 'environment', says: /try again/, engines: ['codex'] },
  { scenario: 'cut', reason: 'environment', says: /try again/, engines: ['codex'] },
];

for (const engine of ['codex', 'claude', 'grok'] as const) {
  describe(`how ${engine} fails`, function () {
    this.timeout(60_000);

    for (const { scenario, reason, says, engines } of cases) {
      if (engines?.includes(engine) === false) continue;
      it(`${scenario} is ${reason}`, () =>
        Bench.with([engine], async (bench) => {
          const result = await bench.run(`[[scenario: ${scenario}]] Try.`);
          assert.deepEqual({ status: result.status, reason: result.reason }, { status: 'failed', reason }, result.text);
          assert.match(result.text, says);
        }));
    }

    it('a session that does not exist is badRequest', () =>
      Bench.with([engine], async (bench) => {
        const stranger = { ...(await bench.run('[[scenario: http401]] Try.')) };
        stranger.handle = `${engine}:0199a213-0000-7000-8000-000000000000`;
        const result = await bench.followUp(stranger, 'And now?', { cwd: bench.workspace });
        assert.equal(result.reason, 'badRequest', result.text);
        assert.match(result.text, /new task instead of a follow-up/);
      }));

    it('a model service that cannot be reached ends the run', () =>
      Bench.with([engine], async (bench) => {
        await bench.server.close();
        const run = bench.start('Try.');
        let ended = false;
        void run.result.then(() => (ended = true));
        // Claude and Grok give up by themselves; Codex waits for the network for ever, so the no-event limit ends it.
        await until(() => ended || run.phase.kind === 'retrying', 'the run retries or ends');
        bench.clock.jump(5 * 60_000);
        const { status, reason, text } = await bench.end(run);
        assert.deepEqual({ status, reason }, { status: 'failed', reason: 'environment' }, text);
        assert.match(text, /network/);
      }));

    it('a model service that falls silent ends the run at the no-event limit', () =>
      Bench.with([engine], async (bench) => {
        const run = bench.start('[[scenario: stall]] Try.');
        await until(() => bench.server.requests.some(({ scenario }) => scenario === 'stall'), 'the model is asked');
        bench.clock.jump(5 * 60_000);
        const { status, reason, text } = await bench.end(run);
        assert.deepEqual({ status, reason }, { status: 'failed', reason: 'timedOut' }, text);
        assert.match(text, /no progress for 5 min/);
      }));
  });
}
