import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { readBefore } from '../../../src/git/readBefore.ts';
import { type Git, GitError, createGit } from '../../../src/git/git.ts';
import type { Snapshot } from '../../../src/protocol/model.ts';
import { changesSince as changesSinceThen, takeSnapshot } from '../../../src/git/snapshot.ts';
import { capture } from '../../../src/process/capture.ts';
import { GitRepository } from '../../support/gitRepository.ts';

describe('snapshot', () => {
  let repository: GitRepository;
  let git: Git;

  beforeEach(() => {
    repository = new GitRepository();
    git = createGit({ capture, binary: 'git', env: repository.env });
  });
  afterEach(() => repository.remove());

  const take = async (cwd = repository.root): Promise<Snapshot> => {
    const taken = await takeSnapshot(git, cwd, repository.store);
    assert.ok(taken);
    return taken;
  };
  const changesSince = async (before: Snapshot) => (await changesSinceThen(git, before)).changes;
  const textBefore = async (before: Snapshot, path: string) => (await readBefore(git, before, path))?.toString('utf8');

  it('tells what changed after it, and what was there before', async () => {
    repository.commit({ 'kept.txt': 'kept', 'changed.txt': 'one', 'gone.txt': 'gone', 'dirty.txt': 'committed' });
    repository.write('dirty.txt', 'dirty');
    repository.write('staged.txt', 'staged');
    repository.git('add', 'staged.txt');
    repository.write('untracked.txt', 'untracked');
    const before = await take();

    repository.write('changed.txt', 'two');
    repository.write('dirty.txt', 'dirtier');
    repository.write('untracked.txt', 'other');
    repository.write('deep/new.txt', 'new');
    rmSync(join(repository.root, 'gone.txt'));

    assert.deepEqual(await changesSince(before), [
      { path: 'changed.txt', kind: 'modified' },
      { path: 'deep/new.txt', kind: 'added' },
      { path: 'dirty.txt', kind: 'modified' },
      { path: 'gone.txt', kind: 'deleted' },
      { path: 'untracked.txt', kind: 'modified' },
    ]);
    assert.equal(await textBefore(before, 'changed.txt'), 'one');
    assert.equal(await textBefore(before, 'dirty.txt'), 'dirty');
    assert.equal(await textBefore(before, 'untracked.txt'), 'untracked');
    assert.equal(await textBefore(before, 'gone.txt'), 'gone');
    assert.equal(await textBefore(before, 'deep/new.txt'), undefined);
  });

  it('leaves the repository as it was, byte for byte', async () => {
    repository.commit({ 'a.txt': 'a', 'b/c.txt': 'c' });
    repository.write('a.txt', 'changed');
    repository.write('new.txt', 'new');
    const was = fingerprint(repository.root);
    await changesSince(await take());
    assert.deepEqual(fingerprint(repository.root), was);
  });

  it('works before the first commit and from a subfolder', async () => {
    repository.write('a.txt', 'a');
    repository.write('sub/b.txt', 'b');
    const before = await take(join(repository.root, 'sub'));
    assert.equal(before.root, repository.root);
    repository.write('a.txt', 'A');
    assert.deepEqual(await changesSince(before), [{ path: 'a.txt', kind: 'modified' }]);
    assert.equal(await textBefore(before, 'sub/b.txt'), 'b');
  });

  it('is undefined outside a work tree', async () => {
    assert.equal(await takeSnapshot(git, repository.env.HOME, repository.store), undefined);
    execFileSync('git', ['init', '--quiet', '--bare', join(repository.base, 'bare.git')], { env: repository.env });
    assert.equal(await takeSnapshot(git, join(repository.base, 'bare.git'), repository.store), undefined);
  });

  it('leaves ignored files out, and does not let a run hide files by ignoring them', async () => {
    mkdirSync(join(repository.env.HOME, '.config/git'), { recursive: true });
    writeFileSync(join(repository.env.HOME, '.config/git/ignore'), '*.swp\n');
    repository.commit({ '.gitignore': '*.log\n', 'a.txt': 'a' });
    repository.write('.git/info/exclude', '*.tmp\n');
    const before = await take();
    for (const name of ['x.log', 'x.tmp', 'x.swp']) repository.write(name, 'x');
    repository.write('new.txt', 'new');
    repository.write('.git/info/exclude', '*\n');
    assert.deepEqual(await changesSince(before), [{ path: 'new.txt', kind: 'added' }]);
  });

  it('sees through "assume unchanged", in every version of the index', async () => {
    for (const version of ['2', '3', '4']) {
      repository.commit({ 'folder/first.txt': version, 'folder/second.txt': `two ${version}` });
      repository.git('update-index', '--index-version', version);
      repository.git('update-index', '--assume-unchanged', 'folder/second.txt');
      const before = await take();
      repository.write('folder/second.txt', 'changed');
      assert.deepEqual(
        await changesSince(before),
        [{ path: 'folder/second.txt', kind: 'modified' }],
        `version ${version}`,
      );
      repository.git('update-index', '--no-assume-unchanged', 'folder/second.txt');
    }
  });

  it('sees a change of the same size and time', async () => {
    repository.commit({ 'a.txt': 'one' });
    const before = await take();
    const { atime, mtime } = lstatSync(join(repository.root, 'a.txt'));
    repository.write('a.txt', 'two');
    utimesSync(join(repository.root, 'a.txt'), atime, mtime);
    assert.deepEqual(await changesSince(before), [{ path: 'a.txt', kind: 'modified' }]);
  });

  it('does not depend on what the run did to the index and the history', async () => {
    repository.commit({ 'a.txt': 'a', 'b.txt': 'b' });
    const before = await take();
    repository.commit({ 'a.txt': 'A', 'c.txt': 'c' });
    repository.git('rm', '--cached', '--quiet', 'b.txt');
    assert.deepEqual(await changesSince(before), [
      { path: 'a.txt', kind: 'modified' },
      { path: 'c.txt', kind: 'added' },
    ]);
    assert.equal(await textBefore(before, 'a.txt'), 'a');
  });

  it('takes any file name', async () => {
    const names = ['-rf', '--', 'two\nlines', 'tab\t"quote"\\', ' space ', ':(glob)*', 'a:b', '*', '.hidden', 'é', "'"];
    repository.commit({ 'a.txt': 'a' });
    for (const name of names) repository.write(name, 'before');
    const before = await take();
    for (const name of names) repository.write(name, 'after');
    const changed = await changesSince(before);
    assert.deepEqual(changed.map(({ path }) => path).sort(), [...names].sort());
    for (const name of names) assert.equal(await textBefore(before, name), 'before', name);
    for (const name of ['./a.txt', '../a.txt', '/a.txt', '', 'no/such\nfile'])
      assert.equal(await textBefore(before, name), undefined);
  });

  it('takes names that are not UTF-8', async function () {
    if (process.platform !== 'linux') this.skip();
    const place = Buffer.concat([Buffer.from(join(repository.root, 'x')), Buffer.from([0xff, 0xfe])]);
    writeFileSync(place, 'one');
    const before = await take();
    writeFileSync(place, 'two');
    assert.deepEqual(await changesSince(before), [{ path: 'x\ufffd\ufffd', kind: 'modified' }]);
  });

  it('counts modes, links and a file that became a folder', async () => {
    repository.commit({ 'run.sh': 'x', 'file.txt': 'x', thing: 'x', 'folder/in.txt': 'x' });
    symlinkSync('file.txt', join(repository.root, 'link'));
    const before = await take();
    chmodSync(join(repository.root, 'run.sh'), 0o755);
    rmSync(join(repository.root, 'link'));
    symlinkSync('/etc/passwd', join(repository.root, 'link'));
    rmSync(join(repository.root, 'thing'));
    repository.write('thing/inside.txt', 'x');
    rmSync(join(repository.root, 'folder'), { recursive: true });
    repository.write('folder', 'now a file');
    assert.deepEqual(await changesSince(before), [
      { path: 'folder', kind: 'added' },
      { path: 'folder/in.txt', kind: 'deleted' },
      { path: 'link', kind: 'modified' },
      { path: 'run.sh', kind: 'modified' },
      { path: 'thing', kind: 'deleted' },
      { path: 'thing/inside.txt', kind: 'added' },
    ]);
    assert.equal(await textBefore(before, 'link'), 'file.txt');
  });

  it('names large files instead of keeping them, and still sees them change', async () => {
    repository.write('large.bin', '');
    truncateSync(join(repository.root, 'large.bin'), 60 * 1024 * 1024);
    const before = await take();
    assert.deepEqual(before.leftOut, ['large.bin']);
    assert.equal(await textBefore(before, 'large.bin'), undefined);
    assert.deepEqual(await changesSince(before), []);
    truncateSync(join(repository.root, 'large.bin'), 61 * 1024 * 1024);
    assert.deepEqual(await changesSince(before), [{ path: 'large.bin', kind: 'modified' }]);
    rmSync(join(repository.root, 'large.bin'));
    assert.deepEqual(await changesSince(before), [{ path: 'large.bin', kind: 'deleted' }]);
  });

  it('does not open pipes, even where git knew a file', async function () {
    if (process.platform === 'win32') this.skip();
    repository.commit({ 'a.txt': 'a' });
    const before = await take();
    rmSync(join(repository.root, 'a.txt'));
    execFileSync('mkfifo', ['a.txt', 'pipe'], { cwd: repository.root });
    assert.deepEqual(await changesSince(before), [{ path: 'a.txt', kind: 'deleted' }]);
  });

  it('does not enter repositories inside, but sees their commit move', async () => {
    repository.write('inner/a.txt', 'a');
    repository.write('empty/a.txt', 'a');
    for (const name of ['inner', 'empty']) repository.gitIn(join(repository.root, name), 'init', '--quiet');
    const inner = join(repository.root, 'inner');
    repository.gitIn(inner, 'add', '.');
    repository.gitIn(inner, 'commit', '--quiet', '--message', 'one');
    const before = await take();
    assert.deepEqual(before.leftOut, ['empty']);
    repository.gitIn(inner, 'commit', '--quiet', '--allow-empty', '--message', 'two');
    assert.deepEqual(await changesSince(before), [{ path: 'inner', kind: 'modified' }]);
    assert.equal(await textBefore(before, 'inner'), undefined);
  });

  it('works in a linked work tree, with a split index, a sparse checkout and unresolved conflicts', async () => {
    repository.commit({ 'a.txt': 'a', 'in/b.txt': 'b', 'out/c.txt': 'c' });
    const linked = join(repository.base, 'linked');
    repository.git('worktree', 'add', '--quiet', '-b', 'side', linked);
    repository.gitIn(linked, 'update-index', '--split-index');
    const inLinked = await take(linked);
    writeFileSync(join(linked, 'a.txt'), 'side');
    assert.equal(inLinked.root, linked);
    assert.deepEqual(await changesSince(inLinked), [{ path: 'a.txt', kind: 'modified' }]);
    repository.gitIn(linked, 'commit', '--quiet', '--all', '--message', 'side');

    repository.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'in');
    const sparse = await take();
    assert.deepEqual(await changesSince(sparse), []);
    assert.equal(await textBefore(sparse, 'out/c.txt'), 'c');
    repository.write('out/c.txt', 'there all the same');
    assert.deepEqual(await changesSince(sparse), [{ path: 'out/c.txt', kind: 'modified' }]);
    repository.git('sparse-checkout', 'disable');

    repository.commit({ 'a.txt': 'main' });
    assert.throws(() => repository.git('merge', 'side'));
    const conflicted = await take();
    assert.match((await textBefore(conflicted, 'a.txt')) ?? '', /<{7}/);
    repository.write('a.txt', 'resolved');
    assert.deepEqual(await changesSince(conflicted), [{ path: 'a.txt', kind: 'modified' }]);
  });

  it('works where objects have SHA-256 names', async () => {
    repository.remove();
    repository = new GitRepository('--object-format=sha256');
    repository.commit({ 'a.txt': 'a' });
    const before = await take();
    assert.equal(before.tree.length, 64);
    repository.write('a.txt', 'b');
    assert.deepEqual(await changesSince(before), [{ path: 'a.txt', kind: 'modified' }]);
  });

  it('gives back the line ends the work tree had', async () => {
    repository.git('config', 'core.autocrlf', 'true');
    repository.commit({ 'a.txt': 'one\r\ntwo\r\n' });
    const before = await take();
    assert.equal(await textBefore(before, 'a.txt'), 'one\r\ntwo\r\n');
    repository.write('a.txt', 'one\r\ntwo\r\n');
    assert.deepEqual(await changesSince(before), []);
  });

  it('says so when the repository is removed meanwhile', async () => {
    repository.commit({ 'a.txt': 'a' });
    const before = await take();
    renameSync(join(repository.root, '.git'), join(repository.base, 'aside'));
    repository.write('a.txt', 'b');
    await assert.rejects(changesSince(before), GitError);
  });

  it('can be taken again into a store where an attempt was stopped', async () => {
    repository.commit({ 'a.txt': 'a' });
    await take();
    writeFileSync(join(repository.store, 'index.lock'), '');
    repository.write('a.txt', 'b');
    assert.equal(await textBefore(await take(), 'a.txt'), 'b');
  });

  it('works inside the folder that holds its store', async () => {
    repository.commit({ 'a.txt': 'a' });
    const before = await takeSnapshot(git, repository.root, join(repository.root, 'state/store'));
    assert.ok(before);
    repository.write('a.txt', 'b');
    assert.deepEqual(await changesSince(before), [{ path: 'a.txt', kind: 'modified' }]);
  });

  it('says what is wrong with a broken index, and obeys its signal', async () => {
    repository.commit({ 'a.txt': 'a' });
    await assert.rejects(takeSnapshot(git, repository.root, repository.store, AbortSignal.abort()), {
      name: 'AbortError',
    });
    repository.write('.git/index', 'DIRCnot an index at all, by no means, whatever the first four letters say');
    await assert.rejects(take(), (error) => error instanceof GitError && error.message.includes('index'));
  });

  it('is not led elsewhere by the environment or by core.worktree', async () => {
    repository.commit({ 'a.txt': 'a' });
    repository.git('config', 'core.worktree', repository.env.HOME);
    const env = { ...repository.env, GIT_DIR: '/nonexistent', GIT_INDEX_FILE: '/nonexistent', GIT_WORK_TREE: '/' };
    git = createGit({ capture, binary: 'git', env });
    const before = await take();
    assert.equal(before.root, repository.root);
    assert.equal(await textBefore(before, 'a.txt'), 'a');
  });
});

/** Every file's name, size, times and content. */
function fingerprint(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const { mode, size, mtimeMs, ctimeMs } = lstatSync(join(folder, name));
      const isFile = (mode & 0o170000) === 0o100000;
      const content = isFile
        ? createHash('sha256')
            .update(readFileSync(join(folder, name)))
            .digest('hex')
        : '';
      return [name, mode, size, mtimeMs, ctimeMs, content].join(' ');
    });
}
