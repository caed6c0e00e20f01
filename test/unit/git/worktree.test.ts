import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGit, type Git } from '../../../src/git/git.ts';
import { addWorktree, bringBack, planWorktree, removeWorktree } from '../../../src/git/worktree.ts';
import { capture } from '../../../src/process/capture.ts';
import type { Worktree } from '../../../src/protocol/model.ts';
import { GitRepository } from '../../support/gitRepository.ts';

describe('worktree', () => {
  let repository: GitRepository;
  let git: Git;

  beforeEach(() => {
    repository = new GitRepository();
    git = createGit({ capture, binary: 'git', env: repository.env });
  });
  afterEach(() => repository.remove());

  const plan = async (cwd = repository.root): Promise<Worktree> => {
    const planned = await planWorktree(git, cwd, join(repository.base, 'place'), 'sallyport-0001');
    return 'why' in planned ? assert.fail(planned.why) : planned;
  };
  const add = async (): Promise<Worktree> => (await addWorktree(git, await plan())).worktree;
  const read = (path: string) => readFileSync(path, 'utf8');

  it('holds the work tree as it is, untracked files included, and leaves that one alone', async () => {
    repository.commit({ 'a.txt': 'one', 'gone.txt': 'gone', '.gitignore': 'ignored\n' });
    repository.write('a.txt', 'dirty');
    repository.write('new/b.txt', 'untracked');
    repository.write('ignored', 'x');
    rmSync(join(repository.root, 'gone.txt'));
    const before = [
      repository.git('status', '--porcelain'),
      repository.git('rev-parse', 'HEAD', '--abbrev-ref', 'HEAD'),
    ];
    const { checkout } = await add();

    assert.equal(read(join(checkout, 'a.txt')), 'dirty');
    assert.equal(read(join(checkout, 'new/b.txt')), 'untracked');
    assert.equal(existsSync(join(checkout, 'gone.txt')), false);
    assert.equal(existsSync(join(checkout, 'ignored')), false);
    assert.equal(repository.gitIn(checkout, 'status', '--porcelain'), '', 'git finds a clean worktree');
    assert.match(repository.gitIn(checkout, 'log', '--format=%s'), /^The work tree as it was\nwork\n$/);
    assert.match(repository.git('worktree', 'list'), /place\/tree +[0-9a-f]+ \(detached HEAD\)/);
    assert.deepEqual(
      [repository.git('status', '--porcelain'), repository.git('rev-parse', 'HEAD', '--abbrev-ref', 'HEAD')],
      before,
    );
  });

  it("comes back as a branch and a patch, with the worker's own commits", async () => {
    repository.commit({ 'a.txt': 'one\n' });
    repository.write('a.txt', 'dirty\n');
    const worktree = await add();
    assert.equal(await bringBack(git, worktree), undefined, 'nothing has changed');
    writeFileSync(join(worktree.checkout, 'a.txt'), 'two\n');
    repository.gitIn(worktree.checkout, 'commit', '--quiet', '--all', '--message', 'mine');
    writeFileSync(join(worktree.checkout, 'b.bin'), Buffer.from([0, 1, 2]));
    const back = (await bringBack(git, worktree)) ?? assert.fail('nothing came back');

    assert.equal(
      repository.git('log', '--format=%s', worktree.branch),
      'What the worker left\nmine\nThe work tree as it was\nwork\n',
    );
    assert.equal(repository.gitIn(worktree.checkout, 'status', '--porcelain'), '');
    assert.equal(await bringBack(git, back.worktree), undefined, 'it came back already');
    writeFileSync(join(repository.base, 'patch'), back.patch);
    repository.git('apply', join(repository.base, 'patch'));
    assert.equal(read(join(repository.root, 'a.txt')), 'two\n');
    assert.deepEqual(readFileSync(join(repository.root, 'b.bin')), Buffer.from([0, 1, 2]));
    repository.git('fsck', '--strict');
  });

  it('says what is too large to come along, and keeps it out of what comes back', async () => {
    repository.commit({ 'a.txt': 'one' });
    repository.write('large.bin', '');
    truncateSync(join(repository.root, 'large.bin'), 60 * 1024 * 1024);
    const { worktree, leftOut } = await addWorktree(git, await plan());
    assert.deepEqual(leftOut, ['large.bin']);
    assert.equal(existsSync(join(worktree.checkout, 'large.bin')), false);
    writeFileSync(join(worktree.checkout, 'other.bin'), '');
    truncateSync(join(worktree.checkout, 'other.bin'), 60 * 1024 * 1024);
    writeFileSync(join(worktree.checkout, 'a.txt'), 'two');
    const back = await bringBack(git, worktree);
    assert.deepEqual(back?.leftOut, ['other.bin']);
    assert.equal(repository.git('ls-tree', '-r', '--name-only', worktree.branch), 'a.txt\n');
  });

  it('is removed with nothing left but its branch, or with that too', async () => {
    repository.commit({ 'a.txt': 'one' });
    for (const branchToo of [false, true]) {
      const worktree = await add();
      writeFileSync(join(worktree.checkout, 'a.txt'), 'two');
      const back = (await bringBack(git, worktree)) ?? assert.fail();
      await removeWorktree(back.worktree, branchToo);
      assert.equal(repository.git('worktree', 'list', '--porcelain').match(/^worktree /gm)?.length, 1);
      assert.equal(existsSync(join(repository.root, '.git/worktrees')), false);
      assert.equal(existsSync(worktree.checkout) || existsSync(worktree.store), false);
      assert.equal(repository.git('branch', '--list', worktree.branch) === '', branchToo);
      if (!branchToo) repository.git('branch', '-D', worktree.branch);
    }
  });

  it('leaves a branch that has moved on, and removes what was only planned', async () => {
    repository.commit({ 'a.txt': 'one' });
    const worktree = await add();
    writeFileSync(join(worktree.checkout, 'a.txt'), 'two');
    const back = (await bringBack(git, worktree)) ?? assert.fail();
    repository.git('branch', '--force', worktree.branch, 'HEAD');
    await removeWorktree(back.worktree, true);
    assert.notEqual(repository.git('branch', '--list', worktree.branch), '');
    await removeWorktree(await plan(), true);
  });

  it('works from a folder below the top, from another worktree, before the first commit, and with sha256', async () => {
    repository.write('deep/a.txt', 'one');
    const first = (await addWorktree(git, await plan(join(repository.root, 'deep')))).worktree;
    assert.equal(read(join(first.checkout, 'deep/a.txt')), 'one');
    assert.equal(repository.gitIn(first.checkout, 'log', '--format=%s'), 'The work tree as it was\n');
    await removeWorktree(first, true);

    repository.commit({});
    const linked = join(repository.base, 'linked');
    repository.git('worktree', 'add', '--quiet', linked);
    writeFileSync(join(linked, 'a.txt'), 'there');
    const second = (await addWorktree(git, await plan(linked))).worktree;
    assert.equal(read(join(second.checkout, 'a.txt')), 'there');
    await removeWorktree(second, true);
    assert.ok(existsSync(join(repository.root, '.git/worktrees/linked')), 'the other one stays');

    repository.remove();
    repository = new GitRepository('--object-format=sha256');
    repository.commit({ 'a.txt': 'one' });
    const third = await add();
    writeFileSync(join(third.checkout, 'a.txt'), 'two');
    assert.match((await bringBack(git, third))?.worktree.tip ?? '', /^[0-9a-f]{64}$/);
  });

  it('says why there can be none', async () => {
    const planned = await planWorktree(git, repository.base, join(repository.base, 'place'), 'x');
    assert.match('why' in planned ? planned.why : '', /not under git/);
  });
});
