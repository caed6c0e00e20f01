import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDelegation } from '../../../../src/delegation/delegate.ts';
import type { DelegationDeps } from '../../../../src/delegation/deps.ts';
import type { Delegation, Filtered, LiveRun } from '../../../../src/delegation/task.ts';
import { health } from '../../../../src/journal/health.ts';
import { stats } from '../../../../src/journal/stats.ts';
import type { Entry } from '../../../../src/journal/entry.ts';
import { delegationDeps, records } from '../../../support/delegationDeps.ts';
import { FakeClock } from '../../../support/fakes/clock.ts';
import { FakeWorkers } from '../../../support/fakes/workers.ts';

describe('a command whose output is filtered', function () {
  if (process.platform === 'win32') return;
  let folder: string;
  let workers: FakeWorkers;
  let entries: Entry[];
  let clock: FakeClock;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-filtered-'));
    mkdirSync(join(folder, 'work'));
    workers = new FakeWorkers();
    entries = [];
    clock = new FakeClock();
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const make = (given: Partial<DelegationDeps> = {}): Delegation => {
    const consent = { given: () => true };
    return createDelegation({ ...delegationDeps({ folder, clock, workers, entries }), consent, ...given });
  };

  const begin = (delegation: Delegation, given: Partial<Filtered> = {}): LiveRun =>
    delegation.runFiltered({
      tool: 'run_filtered',
      command: `make -k "$x"; echo '`,
      cwd: join(folder, 'work'),
      filterBy: { engine: 'grok', model: 'reader' },
      filter: ({ outcome, lines, file }) => ({
        prompt: `${outcome} ${lines} ${file}`,
        choice: { by: 'tier', tier: { engine: 'grok', model: 'reader' } },
      }),
      address: (runId) => `at ${runId}`,
      maxChars: 10_000,
      ...given,
    });

  const noise = Array.from({ length: 400 }, (_, at) => (at === 99 ? 'error: hush' : `line ${at + 1}`));

  it('is started once, as one argument, without input, with nothing of an engine’s environment', async () => {
    const run = begin(make());
    const command = await workers.next();
    const { spec, inputEnded } = command;
    assert.equal(spec.file, '/bin/sh');
    assert.deepEqual(spec.args.slice(2), ['/bin/sh', `make -k "$x"; echo '`]);
    assert.deepEqual(
      [spec.cwd, spec.env.HOME, spec.env.PATH, spec.env.SALLYPORT_RUN, spec.env.SALLYPORT_DEPTH, inputEnded],
      [join(folder, 'work'), '/home/x', '/bin', run.id, '1', true],
    );
    command.prints('all', 'is well');
    command.exit({ code: 0 });
    const { text, notes, status, handle } = await run.result;
    assert.deepEqual([status, handle, workers.all.length], ['completed', undefined, 1]);
    assert.match(text, /^Exit code 0, 0\.0 s\.\nWhole output \(2 lines, 12 characters\): at .*\n\n.*\nall\nis well$/);
    assert.deepEqual(notes, ['[unsandboxed] The command ran without a sandbox: it is switched off.']);
  });

  it('is filtered by an agent that reads the log and no more, after the turn', async () => {
    const delegation = make({
      settings: () => ({ ...delegationDeps({ folder, clock, workers, entries }).settings(), maxParallelRuns: 1 }),
    });
    const run = begin(delegation);
    const command = await workers.next();
    command.prints(...noise);
    command.exit({ code: 2 });
    const agent = await workers.next();
    assert.equal(agent.spec.cwd, join(folder, run.id, 'log'));
    agent.says({ event: { kind: 'session', id: 'abc' } });
    agent.answers('It broke.\n3: error: [redacted: word]\n4: error: nowhere');
    const { text, status, handle, notes } = await run.result;
    assert.deepEqual([status, handle], ['completed', 'grok:abc']);
    assert.match(
      text,
      /^Exit code 2, .*\nWhole output \(400 lines, [\d,]+ characters\): .*\n\nIt broke\.\n100: error: \[redacted: word\]$/,
    );
    assert.match(notes.join('\n'), /1 secret taken out of the log\.\n.*1 had a wrong number, .*; 1 could not be found/);
    const [row] = stats(records(entries)).rows.filter(({ tool }) => tool === 'run_filtered');
    assert.ok(row && row.charsRead > 3_000 && row.runsWithoutTokens === 0);
    assert.equal((await delegation.readLog(run.id, 1, 5_000))?.text.split('\n')[99], 'error: [redacted: word]');
  });

  it('loses nothing when the agent fails', async () => {
    const run = begin(make());
    const command = await workers.next();
    command.prints('the first', ...noise, ...noise, 'the last');
    command.exit({ code: 1 });
    // Grok is asked first, then whoever else may.
    for (let tried = 0; tried < 3; tried++) void workers.next().then((agent) => agent.exit({ code: 9 }));
    const { text, status } = await run.result;
    assert.equal(status, 'completed');
    assert.match(
      text,
      /^Exit code 1, [^]*The agent that was to filter it failed[^]*\nthe first\n[^]*\[…\][^]*\nthe last$/,
    );
  });

  it('that runs out of time is no failure of an engine', async () => {
    const run = begin(make(), { timeoutMs: 5_000 });
    const command = await workers.next();
    command.prints('begun');
    clock.advance(5_000);
    const { text, reason } = await run.result;
    assert.deepEqual([reason, command.stops], ['timedOut', 1]);
    assert.match(text, /^Time-out: stopped after 5\.0 s, so there is no exit code\.[^]*begun$/);
    const timedOut = records(entries).flatMap((record) => [record, { ...record, runId: 'again' }]);
    assert.equal(health(timedOut, clock.now()).grok.healthy, true);
  });

  it('that is cancelled says what it had printed', async () => {
    const run = begin(make());
    const command = await workers.next();
    command.prints(...noise);
    run.cancel();
    const { text, status } = await run.result;
    assert.equal(status, 'cancelled');
    assert.match(text, /^Cancelled: [^]*line 1\n[^]*line 400/);
    assert.equal(workers.all.length, 1);
  });

  it('is not started without a sandbox unless the person agrees', async () => {
    const asked: unknown[] = [];
    const ask = (who: unknown) => Promise.resolve(asked.push(who) === 0);
    const declined = await begin(make({ consent: { given: () => false, ask } })).result;
    assert.match(declined.text, /^The command was not allowed to run without a sandbox, so it was not run\./);
    const nobody = await begin(make({ consent: { given: () => false } })).result;
    assert.match(nobody.text, /SALLYPORT_ALLOW_UNSANDBOXED=1.*There is no sandbox: it is switched off\.$/);
    assert.deepEqual([asked, workers.all.length], [[{ kind: 'command', command: `make -k "$x"; echo '` }], 0]);
  });

  it('waits for the one that writes in the same checkout', async () => {
    const delegation = make();
    const first = begin(delegation);
    const second = begin(delegation);
    const one = await workers.next();
    assert.equal(workers.all.length, 1);
    one.exit({ code: 0 });
    await first.result;
    (await workers.next()).exit({ code: 0 });
    assert.match((await second.result).notes.join(), /It waited for another run that may write/);
  });
});
