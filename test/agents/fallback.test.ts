import assert from 'node:assert/strict';
import { Bench } from '../support/bench/bench.ts';
import type { Scenario } from '../support/modelServer/scenario.ts';

const answer = 'The answer is forty-two.';

/** Acts, then finds that the plan is used up. */
const actsThenFails: Scenario = {
  about: 'runs a command, then breaks off',
  steps: [{ call: { kind: 'shell', command: 'echo done > first.txt' } }, { say: 'Now', breaks: 'cut' }],
};

describe('an engine that cannot', function () {
  this.timeout(60_000);

  /** A ladder whose first rung's model is refused by the scripted service. */
  const ladder = (model: string) => ({
    settings: { tiers: [{ engine: 'codex', model }, { engine: 'claude' }] as const },
    scenarios: { actsThenFails },
  });
  const level1 = { choice: { by: 'level', level: 1 } } as const;

  for (const [model, why] of [
    ['mock-usageLimit', /used up/],
    ['mock-http401', /not signed in/],
  ] as const) {
    it(`hands over to the next before it has done anything, and says so (${model})`, () =>
      Bench.with(
        ['codex', 'claude'],
        async (bench) => {
          const { status, text, engine, notes, handle, files } = await bench.run('Edit.', level1);
          assert.deepEqual(
            { status, text, engine, files },
            { status: 'completed', text: answer, engine: 'claude', files: [] },
          );
          assert.match(notes.join('\n'), why);
          assert.match(handle ?? '', /^claude:/);
        },
        ladder(model),
      ));
  }

  it('is passed over when it keeps failing, until the time its result names', () =>
    Bench.with(
      ['codex', 'claude'],
      async (bench) => {
        for (let i = 0; i < 2; i++) await bench.run('Edit.', level1);
        const passedOver = (await bench.run('Edit.', level1)).notes.join('\n');
        const [, minutes] = /^Codex was passed over: .* It is tried again in (\d+) min\./m.exec(passedOver) ?? [];
        assert.ok(minutes !== undefined, passedOver);
        bench.clock.jump(Number(minutes) * 60_000);
        const { engine, notes } = await bench.run('Edit.', level1);
        assert.equal(engine, 'claude');
        assert.match(notes.join('\n'), /used up/);
      },
      ladder('mock-usageLimit'),
    ));

  it('hands over when it is not installed', () =>
    Bench.with(
      ['codex', 'claude'],
      async (bench) => {
        const { claude } = bench.wiring.settings.binaries;
        bench.change({ binaries: { codex: '/nonexistent/codex', ...(claude !== undefined && { claude }) } });
        const { engine, text, notes } = await bench.run('Edit.', level1);
        assert.deepEqual({ engine, text }, { engine: 'claude', text: answer });
        assert.match(notes.join('\n'), /nonexistent/);
      },
      ladder('mock-answer'),
    ));

  it('keeps a task it has begun to act on', () =>
    Bench.with(
      ['codex', 'claude'],
      async (bench) => {
        const { status, reason, engine, files } = await bench.run('Edit.', level1);
        assert.deepEqual({ status, reason, engine }, { status: 'failed', reason: 'environment', engine: 'codex' });
        assert.deepEqual(files, [{ path: 'first.txt', kind: 'added' }]);
      },
      ladder('mock-actsThenFails'),
    ));

  it('keeps a follow-up, and a task that names it', () =>
    Bench.with(
      ['codex', 'claude'],
      async (bench) => {
        const first = await bench.run('Begin.', {
          ...level1,
          choice: { by: 'engine', engine: 'codex' },
          model: 'mock-answer',
        });
        const second = await bench.followUp(first, '[[scenario: usageLimit]] Go on.');
        const named = await bench.run('Go.', { choice: { by: 'engine', engine: 'codex' } });
        for (const { engine, reason } of [second, named]) {
          assert.deepEqual({ engine, reason }, { engine: 'codex', reason: 'rateLimited' });
        }
      },
      ladder('mock-usageLimit'),
    ));
});
