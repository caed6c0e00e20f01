import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Difference } from '../../../src/git/snapshot.ts';
import type { Sandboxes } from '../../../src/delegation/confinement.ts';
import { createDelegation } from '../../../src/delegation/delegate.ts';
import type { DelegationDeps } from '../../../src/delegation/deps.ts';
import type { Redactor } from '../../../src/delegation/redact.ts';
import type { Delegation, LiveRun, Task } from '../../../src/delegation/task.ts';
import type { Engine } from '../../../src/engines/engine.ts';
import type { Entry, RunRecord } from '../../../src/journal/entry.ts';
import type { EngineId, FileChange } from '../../../src/protocol/model.ts';
import type { Prepared } from '../../../src/sandbox/sandbox.ts';
import { delegationDeps, records, tiers, wordRedactor } from '../../support/delegationDeps.ts';
import { FakeClock } from '../../support/fakes/clock.ts';
import { fakeEngine } from '../../support/fakes/engine.ts';
import { type FakeWorker, FakeWorkers } from '../../support/fakes/workers.ts';

let failRedaction = false;
const redactor: Redactor = {
  ...wordRedactor,
  redact: (text) => (failRedaction ? Promise.reject(new Error('Held back.')) : wordRedactor.redact(text)),
};

const differenceOf = (changes: FileChange[]): Difference => ({
  changes,
  after: { root: '/', tree: 't2', objects: 'o', leftOut: [] },
});

describe('delegation', () => {
  let folder: string;
  let clock: FakeClock;
  let workers: FakeWorkers;
  let entries: Entry[];
  let missing: Set<EngineId>;
  let engines: Map<EngineId, Engine>;
  let delegation: Delegation;
  let agreed: boolean;
  let sandbox: Sandboxes['prepare'] | undefined;
  let ill: Set<EngineId>;
  let maxParallelRuns: number;
  let terseWorkers: boolean;
  let snapshots: DelegationDeps['snapshots'];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-delegate-'));
    clock = new FakeClock();
    workers = new FakeWorkers();
    entries = [];
    missing = new Set();
    agreed = false;
    sandbox = undefined;
    ill = new Set();
    maxParallelRuns = 4;
    terseWorkers = false;
    snapshots = { take: () => Promise.resolve(undefined), changesSince: () => Promise.resolve(undefined) };
    engines = new Map(
      (['codex', 'grok', 'claude'] as const).map((id) => [id, fakeEngine({ id, title: id.toUpperCase() })]),
    );
    delegation = createDelegation(deps());
  });

  afterEach(async () => {
    await delegation.shutdown();
    await rm(folder, { recursive: true, force: true });
  });

  function deps(): DelegationDeps {
    return {
      ...delegationDeps({ folder, clock, workers, entries, missing: { has: (id) => missing.has(id) } }),
      settings: () => ({
        tiers,
        fastTiers: tiers.slice(1),
        allowCursorFallback: false,
        allowWiden: false,
        maxParallelRuns,
        terseWorkers,
      }),
      engines,
      redactor,
      snapshots: {
        take: (...asked) => snapshots.take(...asked),
        changesSince: (before) => snapshots.changesSince(before),
      },
      consent: { given: () => agreed, ask: () => Promise.resolve(agreed) },
      sandboxes: {
        available: () => Promise.resolve(sandbox ? { ok: true } : { ok: false, why: 'it is switched off' }),
        prepare: (request) => sandbox?.(request) ?? assert.fail('there is no sandbox'),
      },
      illHealth: (id) => Promise.resolve(ill.has(id) ? `${id} is ill.` : undefined),
    };
  }

  const task = (over: Partial<Task> = {}): Task => ({
    tool: 'delegate',
    prompt: 'mend it',
    access: 'workspaceWrite',
    cwd: folder,
    choice: { by: 'level', level: 1 },
    ...over,
  });
  const record = (run: LiveRun): RunRecord => {
    const found = records(entries).find(({ runId }) => runId === run.id);
    assert.ok(found, 'the run is in the journal');
    return found;
  };

  it('carries a task to its answer, keeps it, and writes it down', async () => {
    const run = delegation.start(task());
    const worker = await workers.next();
    worker.says(
      { event: { kind: 'session', id: 's1' } },
      { event: { kind: 'toolStarted', id: 't', title: 'npm test' } },
      { event: { kind: 'toolEnded', id: 't', ok: true } },
      { event: { kind: 'fileChange', change: { path: 'a.ts', kind: 'modified' } } },
      { event: { kind: 'usage', run: { input: 10, cachedInput: 2, output: 3 } } },
    );
    worker.answers('Mended.');
    const result = await run.result;
    assert.equal(result.status, 'completed');
    assert.equal(result.text, 'Mended.');
    assert.equal(result.handle, 'codex:s1');
    assert.deepEqual(result.files, [{ path: 'a.ts', kind: 'modified' }]);
    assert.equal(await delegation.readResult(run.id), 'Mended.');
    const written = record(run);
    assert.equal(written.status, 'completed');
    assert.equal(written.sessionId, 's1');
    assert.deepEqual(written.usage, { input: 10, cachedInput: 2, output: 3 });
    assert.deepEqual(delegation.live, []);
    assert.ok(!existsSync(join(folder, run.id, 'scratch')), 'the scratch folder is gone');
  });

  it('gives the worker the prompt with its budget, and an environment without ours', async () => {
    const run = delegation.start(task({ timeoutMs: 120_000 }));
    const worker = await workers.next();
    assert.match(worker.written.join('\n'), /^mend it[\s\S]*2 min/);
    assert.equal(worker.inputEnded, true);
    assert.equal(worker.spec.env.SALLYPORT_RUN, run.id);
    assert.equal(worker.spec.env.SALLYPORT_DEPTH, '1');
    assert.equal(worker.spec.env.PATH, '/bin');
    worker.answers('ok');
    await run.result;
  });

  it('has a limit of its own for a task of a kind, within the setting', async () => {
    for (const [given, told] of [
      [{ usualMs: 300_000 }, /You have 5 min/],
      [{ usualMs: 300_000, timeoutMs: 60_000 }, /You have 60 s/],
      [{ usualMs: 7_200_000 }, /You have 30 min/],
    ] as const) {
      const run = delegation.start(task(given));
      const worker = await workers.next();
      assert.match(worker.written.join('\n'), told);
      worker.answers('ok');
      assert.equal((await run.result).status, 'completed');
    }
  });

  it('tells a worker who it should be and how to write, by the engine’s own channel, and starts nobody else’s', async () => {
    terseWorkers = true;
    const run = delegation.start(task({ agent: { prompt: 'You dig.' }, instructions: 'Report.' }));
    const worker = await workers.next();
    assert.match(worker.spec.env.FAKE_REQUEST ?? '', /"instructions":"You dig\.\\n\\nReport\.\\n\\nBe terse/);
    worker.answers('ok');
    await run.result;
    const { status, reason, text } = await delegation.start(task({ agent: 'nobody' })).result;
    assert.deepEqual([status, reason], ['failed', 'badRequest']);
    assert.match(text, /There is no agent "nobody"/);
    assert.equal(entries.filter(({ type }) => type === 'started').length, 1);
  });

  it('counts levels on the ladder that was asked for', async () => {
    agreed = true;
    const run = delegation.start(task({ choice: { by: 'level', level: 1, fast: true } }));
    (await workers.next()).answers('ok');
    const { engine, model } = await run.result;
    assert.deepEqual({ engine, model }, { engine: 'grok', model: 'g' });
    const none = await delegation.start(task({ choice: { by: 'level', level: 3, fast: true } })).result;
    assert.match(none.text, /no such level\. Choose one from 1 to 2/);
  });

  it('holds an answer back that could not be looked through', async () => {
    failRedaction = true;
    const run = delegation.start(task());
    (await workers.next()).answers('it is hush');
    const result = await run.result;
    assert.equal(result.status, 'failed');
    assert.equal(result.text, 'Held back.');
    failRedaction = false;
  });

  it('has the answer looked over by its tool before anybody gets it', async () => {
    const seen: string[] = [];
    const check = (answer: string) => {
      seen.push(answer);
      const failure = { reason: 'badOutput', message: 'Worth nothing.' } as const;
      return Promise.resolve({ text: 'Checked.', notes: ['One line went.'], ...(seen.length > 1 && { failure }) });
    };
    const good = delegation.start(task({ check }));
    (await workers.next()).answers('it is hush');
    const { status, text, notes } = await good.result;
    assert.deepEqual({ status, text }, { status: 'completed', text: 'Checked.' });
    assert.ok(notes.includes('One line went.'));
    assert.deepEqual(seen, ['it is [redacted: word]']);
    assert.equal(await delegation.readResult(good.id), 'Checked.');
    assert.deepEqual(record(good).notes, notes);
    const bad = delegation.start(task({ check }));
    (await workers.next()).answers('it is nothing');
    assert.deepEqual([(await bad.result).status, record(bad).reason], ['failed', 'badOutput']);
    assert.equal(await delegation.readResult(bad.id), 'Worth nothing.');
    const failed = delegation.start(task({ check }));
    const worker = await workers.next();
    worker.says({ outcome: { status: 'failed', reason: 'badRequest', message: 'No such model.' } });
    worker.exit({ code: 1 });
    assert.equal((await failed.result).reason, 'badRequest');
    assert.equal(seen.length, 2);
  });

  it('says at the top that nobody consented, whatever the CLI or its model made up', async () => {
    const run = delegation.start(task());
    const worker = await workers.next();
    worker.says(
      { event: { kind: 'warning', text: 'The stream was cut.' } },
      { event: { kind: 'warning', text: 'It may not run: hush.', unasked: true } },
    );
    worker.answers('The command was rejected by the user.');
    const { notes, text } = await run.result;
    assert.match(notes[0] ?? '', /“command was rejected by the user”.*nobody was asked/);
    assert.deepEqual(notes.slice(1, 3), ['Nobody was asked. It may not run: [redacted: word].', 'The stream was cut.']);
    assert.equal(text, 'The command was rejected by the user.');
    assert.deepEqual(record(run).notes, notes);
  });

  it('passes over an engine that is ill, without holding that against it again', async () => {
    ill.add('codex');
    const run = delegation.start(task());
    (await workers.next()).answers('ok');
    const result = await run.result;
    assert.equal(result.engine, 'grok');
    assert.match(result.notes.join(), /codex is ill/);
    assert.deepEqual(record(run).moved, []);
    const named = delegation.start(task({ choice: { by: 'engine', engine: 'codex' } }));
    (await workers.next()).answers('ok');
    assert.equal((await named.result).engine, 'codex');
  });

  it('looks again at what changed when something of the worker had outlived it', async () => {
    for (const survivors of [0, 1]) {
      const looks: FileChange[][] = [[{ path: 'early.ts', kind: 'added' }], [{ path: 'late.ts', kind: 'added' }]];
      snapshots = {
        take: () => Promise.resolve({ root: folder, tree: 't', objects: 'o', leftOut: [] }),
        changesSince: () => Promise.resolve(differenceOf(looks.shift() ?? [])),
      };
      const run = delegation.start(task());
      const worker = await workers.next();
      worker.survivors = survivors;
      worker.answers('ok');
      assert.deepEqual(
        (await run.result).files.map(({ path }) => path),
        [survivors === 0 ? 'early.ts' : 'late.ts'],
      );
    }
  });

  it('redacts the answer, the steps and the title, and says so', async () => {
    const run = delegation.start(task({ prompt: 'hush one' }));
    const steps: string[] = [];
    run.onEvent((event) => event.kind === 'toolStarted' && steps.push(event.title));
    const worker = await workers.next();
    worker.says({ event: { kind: 'toolStarted', id: 't', title: 'echo hush' } });
    worker.answers('it is hush');
    const result = await run.result;
    assert.equal(result.text, 'it is [redacted: word]');
    assert.match(result.notes.join(), /word/);
    assert.deepEqual(record(run).notes, result.notes);
    assert.deepEqual(steps, ['echo [redacted: word]']);
    assert.equal(record(run).title, '[redacted: word] one');
  });

  it('moves on from an engine that is missing, with a note and the same access', async () => {
    missing.add('codex');
    const run = delegation.start(task());
    const worker = await workers.next();
    worker.says({ event: { kind: 'session', id: 'g1' } });
    worker.answers('done by another');
    const result = await run.result;
    assert.equal(result.engine, 'grok');
    assert.equal(result.handle, 'grok:g1');
    assert.equal(result.model, 'g');
    assert.match(result.notes.join(), /CODEX could not take this: No such program/);
    assert.deepEqual(record(run).moved, [{ engine: 'codex', reason: 'notInstalled' }]);
  });

  it('moves on from a failure before the first tool, and never after it', async () => {
    const early = delegation.start(task());
    (await workers.next()).says({ outcome: { status: 'failed', reason: 'rateLimited', message: 'Later.' } });
    workers.all[0]?.exit({ code: 1 });
    (await workers.next()).answers('ok');
    assert.equal((await early.result).engine, 'grok');

    const late = delegation.start(task());
    const worker = await workers.next();
    worker.says({ event: { kind: 'toolStarted', id: 't', title: 'rm' } });
    worker.says({ outcome: { status: 'failed', reason: 'rateLimited', message: 'Later.' } });
    worker.exit({ code: 1 });
    const result = await late.result;
    assert.equal(result.engine, 'codex');
    assert.equal(result.reason, 'rateLimited');
    assert.equal(workers.all.length, 3);
  });

  it('reports the first failure, and who else was asked, when nobody can', async () => {
    missing = new Set(['codex', 'grok', 'claude']);
    const result = await delegation.start(task()).result;
    assert.equal(result.reason, 'notInstalled');
    assert.match(result.text, /No such program. Install CODEX/);
    assert.match(result.notes.join('\n'), /GROK could not[\s\S]*CLAUDE could not/);
    assert.equal(result.engine, 'codex', 'whose failure it is');
    assert.equal(result.handle, undefined);
    assert.deepEqual(
      records(entries).map(({ engine, moved }) => [engine, ...moved.map((each) => each.engine)]),
      [['codex', 'codex', 'grok', 'claude']],
    );
  });

  it('asks nobody else when the caller named the engine', async () => {
    missing.add('codex');
    const result = await delegation.start(task({ choice: { by: 'engine', engine: 'codex' } })).result;
    assert.equal(result.reason, 'notInstalled');
    assert.equal(workers.all.length, 0);
  });

  it('does not use an engine that would write unasked until the person has agreed', async () => {
    engines.set('grok', fakeEngine({ id: 'grok', refuses: (r) => (r.unsandboxedConsent ? undefined : 'No consent.') }));
    const refused = await delegation.start(task({ choice: { by: 'engine', engine: 'grok' } })).result;
    assert.equal(refused.status, 'failed');
    assert.match(refused.text, /not allowed/);
    agreed = true;
    const run = delegation.start(task({ choice: { by: 'engine', engine: 'grok' } }));
    (await workers.next()).answers('ok');
    assert.equal((await run.result).status, 'completed');
  });

  it('takes the person’s no for an answer, and asks nobody else to take over', async () => {
    engines.set('codex', fakeEngine({ refuses: (r) => (r.unsandboxedConsent ? undefined : 'No consent.') }));
    const result = await delegation.start(task()).result;
    assert.match(result.text, /not allowed to work without a sandbox/);
    assert.equal(workers.all.length, 0);
  });

  /** Without the one that there is no git here. */
  const notesOf = async (run: LiveRun) => (await run.result).notes.filter((note) => !note.includes('not under git'));

  describe('with a sandbox', () => {
    const inSandbox = (over: Partial<Prepared> = {}): Prepared => ({
      guardsGit: true,
      confine: ({ file, args, env }) => ({ file: '/usr/bin/bwrap', args: ['--', file, ...args], env }),
      tidy: () => Promise.resolve([]),
      ...over,
    });
    const asked = (worker: FakeWorker) =>
      JSON.parse(worker.spec.env.FAKE_REQUEST ?? '{}') as { access: string; prompt: string };

    beforeEach(() => {
      const refuses: Engine['refuses'] = (r) => (r.unsandboxedConsent ? undefined : 'No consent.');
      engines.set('codex', fakeEngine({ refuses, ownSandbox: false }));
      sandbox = () => Promise.resolve(inSandbox());
    });

    it('starts the worker in it, free to do everything there, and asks nobody', async () => {
      let wanted: Parameters<Sandboxes['prepare']>[0] | undefined;
      sandbox = (request) => {
        wanted = request;
        return Promise.resolve(inSandbox());
      };
      const run = delegation.start(task());
      const worker = await workers.next();
      assert.equal(worker.spec.file, '/usr/bin/bwrap');
      assert.deepEqual(worker.spec.args, ['--', process.execPath]);
      assert.equal(asked(worker).access, 'full');
      assert.match(asked(worker).prompt, /config and hooks are read-only here\.$/);
      assert.deepEqual([wanted?.access, wanted?.workspace, wanted?.env.HOME], ['full', folder, '/home/x']);
      worker.answers('ok');
      assert.deepEqual(await notesOf(run), []);
      assert.equal(record(run).access, 'workspaceWrite');
    });

    it('lets a reading worker only read there', async () => {
      const run = delegation.start(task({ access: 'readOnly' }));
      const worker = await workers.next();
      assert.equal(asked(worker).access, 'readOnly');
      assert.doesNotMatch(asked(worker).prompt, /read-only here/);
      worker.answers('ok');
      await run.result;
    });

    it('starts nothing when the sandbox cannot be made', async () => {
      sandbox = () => Promise.reject(new Error('CODEX_HOME names a folder that holds your whole home.'));
      const result = await delegation.start(task()).result;
      assert.deepEqual([result.status, result.reason], ['failed', 'environment']);
      assert.match(result.text, /CODEX_HOME/);
      assert.equal(workers.all.length, 0);
    });

    it('says that it was the sandbox when bubblewrap itself gives up', async () => {
      const run = delegation.start(task({ choice: { by: 'engine', engine: 'codex' } }));
      (await workers.next()).exit({ code: 1, stderrTail: "bwrap: Can't bind mount /x: No such file" });
      const { reason, text } = await run.result;
      assert.equal(reason, 'environment');
      assert.match(text, /The sandbox could not be made, so nothing was started: Can't bind mount/);
    });

    it('tells what was tidied up after the worker, and what git could not save', async () => {
      sandbox = () => Promise.resolve(inSandbox({ tidy: () => Promise.resolve(['It was removed.']) }));
      const run = delegation.start(task());
      const worker = await workers.next();
      worker.says({ event: { kind: 'message', text: 'error: could not write config file .git/config: busy' } });
      worker.answers('ok');
      const [removed, unsaved, ...others] = await notesOf(run);
      assert.equal(removed, 'It was removed.');
      assert.match(unsaved ?? '', /allowGitConfig/);
      assert.deepEqual(others, []);
    });
  });

  it('tells of a worker that nothing held, also when it only read', async () => {
    agreed = true;
    engines.set('grok', fakeEngine({ id: 'grok', title: 'GROK', ownSandbox: false }));
    for (const access of ['readOnly', 'full'] as const) {
      const run = delegation.start(task({ access, choice: { by: 'engine', engine: 'grok' } }));
      (await workers.next()).answers('ok');
      assert.deepEqual(await notesOf(run), ['[unsandboxed] GROK worked without a sandbox: it is switched off.']);
    }
  });

  it('has a CLI that holds itself do so where there is no sandbox, whatever was agreed to', async () => {
    agreed = true;
    const run = delegation.start(task({ access: 'full' }));
    const worker = await workers.next();
    assert.match(worker.spec.env.FAKE_REQUEST ?? '', /"access":"workspaceWrite"/);
    worker.answers('ok');
    assert.deepEqual(await notesOf(run), []);
  });

  it('cancels the tree by the protocol first, and says what the worker said last', async () => {
    const run = delegation.start(task());
    const worker = await workers.next();
    worker.says({ event: { kind: 'message', text: 'Halfway there.' } });
    run.cancel();
    const result = await run.result;
    assert.equal(result.status, 'cancelled');
    assert.ok(worker.written.includes('interrupt'));
    assert.match(result.text, /Halfway there/);
    assert.equal(record(run).status, 'cancelled');
  });

  it('cancels a run that still waits, without starting a worker', async () => {
    maxParallelRuns = 1;
    const first = delegation.start(task());
    const worker = await workers.next();
    const second = delegation.start(task());
    while (second.phase.kind !== 'waiting' || second.phase.ahead !== 1) await new Promise(setImmediate);
    second.cancel();
    assert.equal((await second.result).status, 'cancelled');
    worker.answers('ok');
    await first.result;
    assert.equal(workers.all.length, 1);
  });

  it('runs one after the other in their order where only one may run', async () => {
    maxParallelRuns = 1;
    const runs = [1, 2, 3, 4].map((n) => delegation.start(task({ prompt: `task ${n}` })));
    for (let n = 1; n <= 4; n++) {
      const worker = await workers.next();
      assert.match(worker.written[0] ?? '', new RegExp(`^task ${n}`));
      assert.equal(workers.all.length, n);
      worker.answers('ok');
    }
    await Promise.all(runs.map((run) => run.result));
  });

  it('runs at most so many at once', async () => {
    maxParallelRuns = 2;
    const runs = Array.from({ length: 6 }, () => delegation.start(task()));
    for (let n = 1; n <= 6; n++) {
      const worker = await workers.next();
      assert.ok(workers.all.filter(({ over }) => !over).length <= 2);
      worker.answers('ok');
    }
    await Promise.all(runs.map((run) => run.result));
  });

  it('ends a run at its wall clock, and at its silence unless a tool runs', async () => {
    const slow = delegation.start(task({ timeoutMs: 60_000 }));
    await workers.next();
    clock.advance(60_000);
    assert.equal((await slow.result).reason, 'timedOut');

    const silent = delegation.start(task());
    const worker = await workers.next();
    worker.says({ event: { kind: 'toolStarted', id: 't', title: 'make' } });
    clock.advance(600_000);
    assert.equal(worker.stops, 0, 'a tool at work is no silence');
    worker.says({ event: { kind: 'toolEnded', id: 't', ok: true } });
    clock.advance(299_000);
    assert.equal(worker.stops, 0);
    clock.advance(1_000);
    assert.equal((await silent.result).reason, 'timedOut');
  });

  it('counts retries as silence, and blames the network', async () => {
    const run = delegation.start(task({ choice: { by: 'engine', engine: 'codex' } }));
    const worker = await workers.next();
    for (let i = 0; i < 4; i++) {
      worker.says({ event: { kind: 'retrying', detail: 'Reconnecting' } });
      clock.advance(100_000);
    }
    const result = await run.result;
    assert.equal(result.reason, 'environment');
    assert.match(result.text, /Reconnecting/);
  });

  it('believes the terminal event, and does not wait for a worker that stays', async () => {
    const run = delegation.start(task());
    const worker = await workers.next();
    worker.says({ outcome: { status: 'completed', text: 'Done.' } });
    clock.advance(3_000);
    const result = await run.result;
    assert.equal(result.status, 'completed');
    assert.equal(result.text, 'Done.');
  });

  it('keeps an answer that was there before the cancel', async () => {
    const run = delegation.start(task());
    const worker = await workers.next();
    worker.says({ outcome: { status: 'completed', text: 'Done.' } });
    run.cancel();
    worker.exit({ code: 0 });
    assert.equal((await run.result).status, 'completed');
  });

  it('stops a worker that floods', async () => {
    const run = delegation.start(task({ choice: { by: 'engine', engine: 'codex' } }));
    (await workers.next()).floods();
    assert.equal((await run.result).reason, 'badOutput');
  });

  it('continues a session read-only in mode ask, one at a time', async () => {
    const begin = delegation.start(task());
    const first = await workers.next();
    first.says({ event: { kind: 'session', id: 's1' } });
    first.answers('ok');
    await begin.result;
    const one = await delegation.followUp({ tool: 'follow_up', handle: 'codex:s1', question: 'a?', mode: 'ask' });
    const two = await delegation.followUp({ tool: 'follow_up', handle: 'codex:s1', question: 'b?' });
    const worker = await workers.next();
    await new Promise(setImmediate);
    assert.equal(workers.all.length, 2, 'the second question waits for the first');
    const request = JSON.parse(worker.spec.env.FAKE_REQUEST ?? '{}') as { access: string; resume: { id: string } };
    assert.deepEqual([request.access, request.resume.id], ['readOnly', 's1']);
    worker.answers('a');
    (await workers.next()).answers('b');
    assert.deepEqual([(await one.result).text, (await two.result).text], ['a', 'b']);
    assert.equal((await two.result).access, 'workspaceWrite');
  });

  it('asks a session only when the run that began it has ended, and takes nobody’s place meanwhile', async () => {
    maxParallelRuns = 2;
    const begin = delegation.start(task());
    const first = await workers.next();
    first.says({ event: { kind: 'session', id: 's1' } });
    const question = await delegation.followUp({ tool: 'follow_up', handle: 'codex:s1', question: 'and?' });
    const other = delegation.start(task({ prompt: 'something else', access: 'readOnly' }));
    const second = await workers.next();
    assert.match(second.written[0] ?? '', /^something else/);
    const thread = { input: 100, cachedInput: 0, output: 10 };
    first.says({ event: { kind: 'usage', run: thread, thread } });
    first.answers('ok');
    const third = await workers.next();
    assert.match(third.written[0] ?? '', /^and\?/);
    assert.deepEqual((JSON.parse(third.spec.env.FAKE_REQUEST ?? '{}') as { resume: unknown }).resume, {
      id: 's1',
      threadUsage: thread,
    });
    second.answers('ok');
    third.answers('that too');
    assert.deepEqual(
      (await Promise.all([begin, question, other].map((run) => run.result))).map(({ text }) => text),
      ['ok', 'that too', 'ok'],
    );
  });

  it('refuses a question to a run whose session has not begun', async () => {
    const begin = delegation.start(task());
    const worker = await workers.next();
    const early = await delegation.followUp({ tool: 'follow_up', handle: begin.handle, question: 'and?' });
    const { reason, text } = await early.result;
    assert.equal(reason, 'badRequest');
    assert.match(text, /has not begun/);
    worker.answers('ok');
  });

  it('says that a run is starting once it has its place', async () => {
    const first = delegation.start(task());
    const worker = await workers.next();
    const second = delegation.start(task({ access: 'readOnly' }));
    const waits: number[] = [];
    delegation.onDidChange((run) => {
      if (run === second && run.phase.kind === 'waiting') waits.push(run.phase.ahead);
    });
    const other = await workers.next();
    assert.equal(waits.at(-1), 0);
    worker.answers('ok');
    other.answers('ok');
    await Promise.all([first.result, second.result]);
  });

  it('keeps the answer of a worker that removed its own folder', async () => {
    const cwd = join(folder, 'sub');
    await mkdir(cwd);
    snapshots = {
      take: () => Promise.resolve({ root: folder, tree: 't', objects: 'o', leftOut: [] }),
      changesSince: () => Promise.resolve(differenceOf([{ path: 'sub/x.txt', kind: 'deleted' }])),
    };
    const run = delegation.start(task({ cwd }));
    const worker = await workers.next();
    await rm(cwd, { recursive: true });
    worker.answers('It is gone.');
    const { status, text, files } = await run.result;
    assert.deepEqual([status, text], ['completed', 'It is gone.']);
    assert.deepEqual(files, [{ path: 'x.txt', kind: 'deleted' }]);
  });

  it('keeps the states before and after a run only when they differ', async () => {
    for (const change of [undefined, { path: 'x.txt', kind: 'added' } as const]) {
      snapshots = {
        take: async (cwd, objects) => {
          await mkdir(objects);
          return { root: cwd, tree: 't', objects, leftOut: [] };
        },
        changesSince: () => Promise.resolve(differenceOf(change ? [change] : [])),
      };
      const run = delegation.start(task());
      (await workers.next()).answers('ok');
      await run.result;
      for (const kept of ['objects', 'before.json', 'after.json']) {
        assert.equal(existsSync(join(folder, run.id, kept)), change !== undefined, kept);
      }
    }
  });

  it('gives an answer that cannot be kept all the same, and says so', async () => {
    const run = delegation.start(task());
    const worker = await workers.next();
    await mkdir(join(folder, run.id, 'result.md'));
    worker.answers('Done.');
    const { status, text, notes } = await run.result;
    assert.deepEqual([status, text], ['completed', 'Done.']);
    assert.match(notes.join('\n'), /is not kept for later \(EISDIR.*gone when Sallyport ends\. Free space/);
    assert.equal(await delegation.readResult(run.id), 'Done.');
  });

  it('redacts a title before it is cut', async () => {
    const run = delegation.start(task({ prompt: `${'a'.repeat(117)}hush` }));
    (await workers.next()).answers('ok');
    await run.result;
    assert.doesNotMatch(record(run).title, /ahu?s?…$/);
  });

  it('refuses bad tasks without a trace in the journal', async () => {
    for (const bad of [task({ prompt: ' ' }), task({ choice: { by: 'level', level: 9 } }), task({ cwd: '/nowhere' })]) {
      assert.equal((await delegation.start(bad).result).reason, 'badRequest');
    }
    assert.deepEqual(entries, []);
  });

  it('finds a live run by its own id and by its session', async () => {
    const run = delegation.start(task());
    const worker = await workers.next();
    assert.equal(delegation.findLive(`codex:${run.id}`)?.id, run.id);
    worker.says({ event: { kind: 'session', id: 's9' } });
    assert.equal(delegation.findLive('codex:s9')?.id, run.id);
    worker.answers('ok');
    await run.result;
    assert.equal(delegation.findLive('codex:s9'), undefined);
    assert.equal((await delegation.findRecord('codex:s9'))?.runId, run.id);
  });

  it('ends on shutdown also what is asked for meanwhile', async () => {
    const run = delegation.start(task());
    await workers.next();
    const over = delegation.shutdown();
    const late = delegation.start(task());
    await over;
    assert.deepEqual([run.phase.kind, late.phase.kind], ['ended', 'ended']);
    assert.equal((await late.result).status, 'cancelled');
  });

  it('ends everything on shutdown', async () => {
    const runs = [delegation.start(task()), delegation.start(task())];
    await workers.next();
    await delegation.shutdown();
    assert.deepEqual(await Promise.all(runs.map(async (run) => (await run.result).status)), ['cancelled', 'cancelled']);
  });
});
