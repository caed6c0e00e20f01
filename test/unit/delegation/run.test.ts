import assert from 'node:assert/strict';
import { run, type RunEnd } from '../../../src/delegation/run.ts';
import type { Engine } from '../../../src/engines/engine.ts';
import { FakeClock } from '../../support/fakes/clock.ts';
import { fakeEngine } from '../../support/fakes/engine.ts';
import { FakeWorkers } from '../../support/fakes/workers.ts';
import { silentLog } from '../../support/mcpDeps.ts';

/** What stands in the arguments is known to the CLI from its start. */
function toldByArguments(): Engine {
  const engine = fakeEngine();
  return {
    ...engine,
    conversation: (request) => ({ ...engine.conversation(request), start: () => [{ kind: 'endInput' }] }),
  };
}

/** Lets everything that is due happen. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a run whose start is not ready', () => {
  let workers: FakeWorkers;
  let ready: PromiseWithResolvers<void>;
  let abort: AbortController;

  beforeEach(() => {
    workers = new FakeWorkers();
    ready = Promise.withResolvers();
    abort = new AbortController();
  });

  const begin = (engine: Engine): Promise<RunEnd> =>
    run(
      {
        engine,
        request: {
          prompt: 'mend it',
          access: 'workspaceWrite',
          cwd: '/work',
          web: false,
          unsandboxedConsent: true,
          newSessionId: 'n',
          scratch: '/scratch',
        },
        runId: 'run-00000001',
        binary: '/bin/cli',
        env: {},
        guard: undefined,
        ready: ready.promise,
        limits: { wallMs: 60_000, silenceMs: 60_000 },
        onEvent: () => undefined,
        onDone: () => undefined,
        signal: abort.signal,
      },
      { clock: new FakeClock(), log: silentLog, startWorker: workers.start },
    );

  it('starts a CLI that reads its task, and tells it nothing before', async () => {
    const end = begin(fakeEngine());
    const worker = await workers.next();
    await settled();
    assert.deepEqual({ written: worker.written, ended: worker.inputEnded }, { written: [], ended: false });
    ready.resolve();
    await settled();
    assert.deepEqual({ written: worker.written, ended: worker.inputEnded }, { written: ['mend it'], ended: true });
    worker.answers('Mended.');
    assert.deepEqual((await end).outcome, { status: 'completed', text: 'Mended.' });
  });

  it('does not start a CLI that knows its task from its arguments', async () => {
    const end = begin(toldByArguments());
    await settled();
    assert.equal(workers.all.length, 0);
    ready.resolve();
    (await workers.next()).answers('Mended.');
    assert.equal((await end).outcome.status, 'completed');
  });

  it('never tells a task that was cancelled meanwhile', async () => {
    const end = begin(fakeEngine());
    const worker = await workers.next();
    abort.abort();
    ready.resolve();
    const { outcome } = await end;
    assert.equal(outcome.status === 'failed' && outcome.reason, 'cancelled');
    assert.ok(!worker.written.includes('mend it'));
  });

  it('starts nothing when it was cancelled meanwhile', async () => {
    const end = begin(toldByArguments());
    abort.abort();
    ready.resolve();
    const { outcome } = await end;
    assert.equal(outcome.status === 'failed' && outcome.reason, 'cancelled');
    assert.equal(workers.all.length, 0);
  });
});
