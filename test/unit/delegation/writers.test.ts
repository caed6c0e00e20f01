import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDelegation } from '../../../src/delegation/delegate.ts';
import type { Delegation, LiveRun, Task } from '../../../src/delegation/task.ts';
import { Worktrees } from '../../../src/delegation/worktrees.ts';
import { createGit } from '../../../src/git/git.ts';
import type { Entry } from '../../../src/journal/entry.ts';
import { capture } from '../../../src/process/capture.ts';
import { delegationDeps, records } from '../../support/delegationDeps.ts';
import { FakeClock } from '../../support/fakes/clock.ts';
import { FakeWorkers } from '../../support/fakes/workers.ts';
import { GitRepository } from '../../support/gitRepository.ts';

describe('two runs that may write in the same checkout', () => {
  let repository: GitRepository;
  let clock: FakeClock;
  let workers: FakeWorkers;
  let entries: Entry[];
  let delegation: Delegation;
  let consentFor: string[];

  beforeEach(() => {
    repository = new GitRepository();
    repository.commit({ 'a.txt': 'one\n', 'deep/b.txt': 'b\n' });
    const folder = join(repository.base, 'state');
    mkdirSync(join(folder, 'worktrees'), { recursive: true });
    clock = new FakeClock();
    workers = new FakeWorkers();
    entries = [];
    consentFor = [];
    const git = createGit({ capture, binary: 'git', env: repository.env });
    delegation = createDelegation({
      ...delegationDeps({ folder, clock, workers, entries }),
      worktrees: new Worktrees(join(folder, 'worktrees'), () => Promise.resolve(git)),
      consent: {
        given: (cwd) => {
          consentFor.push(cwd);
          return true;
        },
      },
    });
  });

  afterEach(async () => {
    await delegation.shutdown();
    repository.remove();
  });

  const start = (over: Partial<Task> = {}): LiveRun =>
    delegation.start({
      tool: 'delegate',
      prompt: 'mend it',
      access: 'workspaceWrite',
      cwd: repository.root,
      choice: { by: 'level', level: 1 },
      ...over,
    });

  /** When a run says that it waits for another one. */
  const waits = (run: LiveRun) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (run.phase.kind === 'waiting' && run.phase.behind === 'checkout') resolve();
      };
      delegation.onDidChange(look);
      look();
    });

  it('take turns, whichever folder of it they work in; a reader does not wait', async () => {
    const first = start();
    const one = await workers.next();
    const second = start({ cwd: join(repository.root, 'deep'), prompt: 'second' });
    await waits(second);
    start({ access: 'readOnly', prompt: 'reader' });
    assert.match((await workers.next()).written[0] ?? '', /^reader/);
    one.answers('ok');
    const two = await workers.next();
    assert.match(two.written[0] ?? '', /^second/);
    two.answers('ok');
    assert.doesNotMatch((await first.result).notes.join(), /waited/);
    assert.match((await second.result).notes.join(), /waited for another run that may write in the same checkout\./);
  });

  it('say of a folder that is under no git that it can have no worktree', async () => {
    const plain = join(repository.base, 'plain');
    mkdirSync(join(plain, 'below'), { recursive: true });
    const first = start({ cwd: plain });
    const one = await workers.next();
    const second = start({ cwd: join(plain, 'below') });
    await waits(second);
    one.answers('ok');
    (await workers.next()).answers('ok');
    await first.result;
    assert.match((await second.result).notes.join(), /under no git, so it can have no worktree/);
    const isolated = await start({ cwd: plain, isolation: 'worktree' }).result;
    assert.equal(isolated.reason, 'badRequest');
    assert.match(isolated.text, /worktree cannot be made: .*plain is not under git\. Delegate without isolation/);
  });

  it('run side by side when the second has a worktree, and nobody is asked about that folder', async () => {
    const first = start();
    const one = await workers.next();
    repository.write('a.txt', 'being edited\n');
    const second = start({ cwd: join(repository.root, 'deep'), isolation: 'worktree' });
    const two = await workers.next();
    assert.match(two.spec.cwd, /worktrees\/.*\/tree\/deep$/);
    assert.equal(readFileSync(join(two.spec.cwd, '../a.txt'), 'utf8'), 'being edited\n');
    assert.match(two.spec.env.FAKE_REQUEST ?? '', /You work in a git worktree/);
    writeFileSync(join(two.spec.cwd, 'b.txt'), 'other\n');
    two.says({ event: { kind: 'session', id: 's2' } });
    two.answers('ok');
    const { branch = '', notes } = await second.result;
    assert.equal(repository.git('show', `${branch}:deep/b.txt`), 'other\n');
    const [, patch = ''] = /git apply '(.*?)'/.exec(notes.join('\n')) ?? [];
    repository.git('apply', patch);
    assert.equal(readFileSync(join(repository.root, 'deep/b.txt'), 'utf8'), 'other\n');
    assert.deepEqual(new Set(consentFor), new Set([repository.root, join(repository.root, 'deep')]));
    one.answers('ok');
    await first.result;
  });

  it('leave no worktree behind when the worker never had a session', async () => {
    const run = start({ isolation: 'worktree' });
    (await workers.next()).exit({ code: 1 });
    for (let worker = workers.next(); delegation.live.length > 0; worker = workers.next())
      await Promise.race([worker.then((next) => next.exit({ code: 1 })), run.result]);
    assert.equal((await run.result).status, 'failed');
    assert.equal(repository.git('worktree', 'list').trim().split('\n').length, 1);
  });

  it('take turns across processes: who was asked first goes first', async () => {
    const owner = { pid: 2, startedAt: 'y', kind: 'standalone' } as const;
    const elsewhere = (runId: string, at: number): Entry => ({
      type: 'started',
      at,
      runId,
      owner,
      tool: 'delegate',
      engine: 'codex',
      access: 'workspaceWrite',
      cwd: repository.root,
      title: 'x',
    });
    entries.push(elsewhere('earlier-0', clock.now() - 5), elsewhere('later-000', clock.now() + 5));
    const run = start();
    await waits(run);
    while (clock.pending === 0) await new Promise(setImmediate);
    const at = clock.now();
    entries.push({ type: 'ended', at, runId: 'earlier-0', status: 'completed', charsRead: 0, files: [], notes: [] });
    clock.advance(1_000);
    (await workers.next()).answers('ok');
    assert.equal((await run.result).status, 'completed');
    assert.equal(records(entries).find(({ runId }) => runId === 'later-000')?.status, 'running');
  });
});
