import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { carryOut, planRevert, planUndo, type RevertDeps, type RevertPlan } from '../../../src/delegation/revert.ts';
import { RunFolders } from '../../../src/delegation/runFolder.ts';
import { createGit, type Git } from '../../../src/git/git.ts';
import { changesSince, takeSnapshot } from '../../../src/git/snapshot.ts';
import { capture } from '../../../src/process/capture.ts';
import { GitRepository } from '../../support/gitRepository.ts';

const lines = (...numbers: (number | string)[]) => numbers.map((number) => `line ${number}\n`).join('');
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('taking back what a run changed', () => {
  let repository: GitRepository;
  let git: Git;
  let deps: RevertDeps;
  let runId: string;

  beforeEach(() => {
    repository = new GitRepository();
    git = createGit({ capture, binary: 'git', env: repository.env });
    deps = { folders: new RunFolders(join(repository.base, 'runs')), git: () => Promise.resolve(git) };
    runId = 'run-00000001';
  });
  afterEach(() => repository.remove());

  const at = (path: string) => join(repository.root, path);
  const text = (path: string) => readFileSync(at(path), 'utf8');

  /** Does to the work tree what a run would, and keeps its two states as a run does. */
  async function run(work: () => void): Promise<void> {
    const { objects } = await deps.folders.create(runId);
    const before = await takeSnapshot(git, repository.root, objects);
    assert.ok(before);
    await deps.folders.keepSnapshot(runId, 'before', before);
    work();
    await deps.folders.keepSnapshot(runId, 'after', (await changesSince(git, before)).after);
  }

  async function planned(): Promise<RevertPlan> {
    const plan = await planRevert(runId, deps);
    assert.ok(plan);
    return plan;
  }

  const refusals = ({ files }: RevertPlan) => files.flatMap(({ path, refused }) => (refused ? [[path, refused]] : []));

  async function revert(): Promise<void> {
    const plan = await planned();
    assert.deepEqual(refusals(plan), []);
    assert.deepEqual(await carryOut(plan, deps), { done: true });
  }

  it('restores changed, deleted, added and renamed files in a clean tree', async () => {
    repository.commit({ 'a.txt': 'a', 'gone/b.txt': 'b', 'old.txt': 'o', 'bin.dat': Buffer.from([0, 1, 2]) });
    await run(() => {
      repository.write('a.txt', 'changed');
      rmSync(at('gone'), { recursive: true });
      repository.write('new/deep/c.txt', 'c');
      renameSync(at('old.txt'), at('moved.txt'));
      repository.write('bin.dat', Buffer.from([0, 9, 9]));
    });
    await revert();
    assert.equal(repository.git('status', '--porcelain'), '');
    assert.equal(existsSync(at('new')), false);
  });

  it('restores what was not committed, and leaves the rest of a dirty tree alone', async () => {
    repository.commit({ 'a.txt': lines(...range(1, 20)), 'other.txt': 'committed' });
    repository.write('a.txt', lines('mine', ...range(2, 20)));
    repository.write('other.txt', 'dirty');
    repository.write('untracked.txt', 'mine');
    await run(() => {
      repository.write('a.txt', lines('mine', ...range(2, 19), 'its'));
      repository.write('untracked.txt', 'its');
    });
    await revert();
    assert.equal(text('a.txt'), lines('mine', ...range(2, 20)));
    assert.equal(text('untracked.txt'), 'mine');
    assert.equal(text('other.txt'), 'dirty');
  });

  it('takes only its own lines out of a file that was changed since', async () => {
    repository.commit({ 'a.txt': lines(...range(1, 20)) });
    await run(() => repository.write('a.txt', lines('its', ...range(2, 20))));
    repository.write('a.txt', lines('its', ...range(2, 19), 'mine'));
    await revert();
    assert.equal(text('a.txt'), lines(...range(1, 19), 'mine'));
  });

  it('refuses where its lines were touched since, says which and why, and changes nothing', async () => {
    repository.commit({ 'a.txt': lines(...range(1, 9)), 'b.txt': 'b', 'c.txt': 'c', 'd.txt': 'd', 'ok.txt': 'ok' });
    await run(() => {
      repository.write('a.txt', lines('its', ...range(2, 9)));
      repository.write('b.txt', 'its');
      rmSync(at('c.txt'));
      repository.write('new.txt', 'its');
      repository.write('d.txt', Buffer.from([0, 1]));
      repository.write('ok.txt', 'its');
    });
    repository.write('a.txt', lines('mine', ...range(2, 9)));
    rmSync(at('b.txt'));
    repository.write('c.txt', 'mine');
    repository.write('new.txt', 'mine');
    repository.write('d.txt', Buffer.from([0, 2]));
    assert.deepEqual(refusals(await planned()), [
      ['a.txt', 'sameLines'],
      ['b.txt', 'deletedSince'],
      ['c.txt', 'createdSince'],
      ['d.txt', 'changedAgain'],
      ['new.txt', 'changedAgain'],
    ]);
    assert.equal(text('ok.txt'), 'its');
  });

  it('works in the middle of a merge with conflicts', async () => {
    repository.commit({ 'a.txt': 'base\n', 'b.txt': 'b\n' });
    repository.git('checkout', '--quiet', '-b', 'other');
    repository.commit({ 'a.txt': 'other\n' });
    repository.git('checkout', '--quiet', '-');
    repository.commit({ 'a.txt': 'ours\n' });
    assert.throws(() => repository.git('merge', 'other'));
    const conflicted = text('a.txt');
    await run(() => {
      repository.write('a.txt', 'resolved\n');
      repository.write('b.txt', 'its\n');
    });
    await revert();
    assert.equal(text('a.txt'), conflicted);
    assert.equal(text('b.txt'), 'b\n');
    assert.match(repository.git('status', '--porcelain'), /^UU a\.txt$/m);
  });

  it('restores modes and links, and keeps other permissions', async () => {
    repository.commit({ 'run.sh': 'x', 'private.txt': 'p', 'target.txt': 't' });
    symlinkSync('target.txt', at('link'));
    repository.git('add', 'link');
    chmodSync(at('private.txt'), 0o600);
    await run(() => {
      chmodSync(at('run.sh'), 0o755);
      repository.write('private.txt', 'its');
      rmSync(at('link'));
      symlinkSync('run.sh', at('link'));
    });
    await revert();
    assert.equal(statSync(at('run.sh')).mode & 0o111, 0);
    assert.equal(statSync(at('private.txt')).mode & 0o777, 0o600);
    assert.equal(readlinkSync(at('link')), 'target.txt');
    assert.ok(lstatSync(at('link')).isSymbolicLink());
  });

  for (const autocrlf of ['true', 'false']) {
    it(`keeps the line ends of the work tree with core.autocrlf ${autocrlf}`, async () => {
      repository.git('config', 'core.autocrlf', autocrlf);
      const crlf = (from: string) => from.replaceAll('\n', '\r\n');
      repository.commit({
        'crlf.txt': crlf(lines(...range(1, 9))),
        'lf.txt': lines(1, 2),
        'both.txt': crlf(lines(...range(1, 20))),
      });
      await run(() => {
        repository.write('crlf.txt', crlf(lines('its', ...range(2, 9))));
        repository.write('lf.txt', lines('its', 2));
        repository.write('both.txt', crlf(lines('its', ...range(2, 20))));
      });
      repository.write('both.txt', crlf(lines('its', ...range(2, 19), 'mine')));
      await revert();
      assert.equal(text('crlf.txt'), crlf(lines(...range(1, 9))));
      assert.equal(text('lf.txt'), lines(1, 2));
      assert.equal(text('both.txt'), crlf(lines(...range(1, 19), 'mine')));
    });
  }

  it('puts a folder back where a file came', async () => {
    repository.commit({ 'two/inner.txt': 'inner' });
    await run(() => {
      rmSync(at('two'), { recursive: true });
      repository.write('two', 'file now');
    });
    await revert();
    assert.equal(text('two/inner.txt'), 'inner');
  });

  it('writes nothing through a link that came where a folder was', async () => {
    repository.commit({ 'dir/a.txt': 'a' });
    await run(() => repository.write('dir/a.txt', 'its'));
    const outside = join(repository.base, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'a.txt'), 'its');
    rmSync(at('dir'), { recursive: true });
    symlinkSync(outside, at('dir'));
    assert.deepEqual(refusals(await planned()), [['dir/a.txt', 'linkedFolder']]);
  });

  it('does nothing when a file was changed after the plan was made', async () => {
    repository.commit({ 'a.txt': 'a', 'b.txt': 'b' });
    await run(() => {
      repository.write('a.txt', 'its');
      repository.write('b.txt', 'its');
    });
    const plan = await planned();
    repository.write('b.txt', 'mine');
    assert.deepEqual(await carryOut(plan, deps), { done: false, changed: ['b.txt'] });
    assert.equal(text('a.txt'), 'its');
  });

  it('can be taken back, with what was changed after it kept', async () => {
    repository.commit({ 'a.txt': lines(...range(1, 20)), 'gone.txt': 'g' });
    await run(() => {
      repository.write('a.txt', lines('its', ...range(2, 20)));
      repository.write('new.txt', 'new');
      rmSync(at('gone.txt'));
    });
    await revert();
    repository.write('a.txt', lines(...range(1, 19), 'mine'));
    const undo = await planUndo(runId, deps);
    assert.ok(undo);
    assert.deepEqual(refusals(undo), []);
    assert.deepEqual(await carryOut(undo, deps), { done: true });
    assert.equal(text('a.txt'), lines('its', ...range(2, 19), 'mine'));
    assert.equal(text('new.txt'), 'new');
    assert.equal(existsSync(at('gone.txt')), false);
    assert.equal(await planUndo(runId, deps), undefined);
    await revert();
    assert.equal(text('a.txt'), lines(...range(1, 19), 'mine'));
  });

  it('puts everything back when the disk fails on the way', async () => {
    repository.commit({ 'a.txt': 'a' });
    await run(() => repository.write('a.txt', 'its'));
    const plan = await planned();
    const impossible = { place: at('a.txt/inner'), path: 'a.txt/inner', now: { kind: 'absent' } } as const;
    const becomes = { kind: 'file', bytes: Buffer.from('x'), executable: false } as const;
    await assert.rejects(carryOut({ ...plan, files: [...plan.files, { ...impossible, becomes }] }, deps));
    assert.equal(text('a.txt'), 'its');
  });

  it('does not know runs whose states are gone', async () => {
    assert.equal(await planRevert(runId, deps), undefined);
  });
});
