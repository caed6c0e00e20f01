import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBefore } from '../../../src/git/readBefore.ts';
import { createGit } from '../../../src/git/git.ts';
import { changesSince, takeSnapshot } from '../../../src/git/snapshot.ts';
import { addWorktree, bringBack, planWorktree, removeWorktree } from '../../../src/git/worktree.ts';
import { capture } from '../../../src/process/capture.ts';
import { GitRepository } from '../../support/gitRepository.ts';

/** Everything a repository can say that makes some git command start a program. */
const programSettings = [
  'core.fsmonitor',
  'core.sshCommand',
  'core.pager',
  'core.editor',
  'core.askPass',
  'core.gitProxy',
  'core.alternateRefsCommand',
  'pager.config',
  'pager.ls-files',
  'pager.diff-tree',
  'pager.cat-file',
  'diff.external',
  'diff.evil.command',
  'diff.evil.textconv',
  'filter.evil.clean',
  'filter.evil.smudge',
  'filter.evil.process',
  'merge.evil.driver',
  'gpg.program',
  'credential.helper',
  'interactive.diffFilter',
  'uploadpack.packObjectsHook',
];

const hooks = [
  'pre-commit',
  'post-index-change',
  'post-checkout',
  'reference-transaction',
  'fsmonitor-watchman',
  'pre-auto-gc',
];
const gitCommands = [
  'config',
  'ls-files',
  'update-index',
  'write-tree',
  'diff-tree',
  'cat-file',
  'hash-object',
  'status',
];

describe('a hostile repository', () => {
  let repository: GitRepository;
  let canary: string;

  beforeEach(() => {
    repository = new GitRepository();
    canary = join(repository.base, 'canary');
  });
  afterEach(() => repository.remove());

  const plant = (gitFolder: string) => {
    const program = join(repository.base, 'program.sh');
    writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${canary}'\ncat\n`, { mode: 0o755 });
    for (const hook of hooks)
      writeFileSync(join(gitFolder, 'hooks', hook), `#!/bin/sh\nexec ${program} ${hook}\n`, { mode: 0o755 });
    const settings = programSettings.map((key) => [key, program] as const);
    const aliases = gitCommands.map((name) => [`alias.${name}`, `!${program}`] as const);
    const more = [
      ['filter.evil.required', 'true'],
      ['core.hooksPath', join(gitFolder, 'hooks')],
      ['core.attributesFile', join(repository.base, 'attributes')],
    ] as const;
    const included = join(repository.base, 'included');
    for (const [key, value] of [...settings, ...aliases, ...more])
      repository.git('config', '--file', included, key, value);
    repository.git('config', '--file', join(gitFolder, 'config'), 'include.path', included);
    const attributes = '* filter=evil diff=evil merge=evil working-tree-encoding=UTF-16 ident\n';
    writeFileSync(join(repository.base, 'attributes'), attributes);
    writeFileSync(join(gitFolder, 'info', 'attributes'), attributes);
    return attributes;
  };

  it('runs nothing of what it names', async () => {
    repository.commit({ 'a.txt': 'a', 'b.txt': 'b' });
    repository.write('sub/inner.txt', 'inner');
    const sub = join(repository.root, 'sub');
    repository.gitIn(sub, 'init', '--quiet');
    repository.gitIn(sub, 'add', '.');
    repository.gitIn(sub, 'commit', '--quiet', '--message', 'inner');
    repository.commit({
      '.gitmodules': '[submodule "sub"]\n\tpath = sub\n\turl = ext::sh\n\tupdate = !sh\n\tignore = none\n',
    });

    repository.write('.gitattributes', plant(join(repository.root, '.git')));
    plant(join(sub, '.git'));
    repository.write('a.txt', 'changed');
    repository.write('sub/inner.txt', 'changed');
    assert.throws(() => repository.git('status'), 'the trap is set');
    assert.ok(existsSync(canary), 'the trap catches an ordinary git');
    rmSync(canary);

    const git = createGit({ capture, binary: 'git', env: repository.env });
    const before = await takeSnapshot(git, repository.root, repository.store);
    assert.ok(before);
    repository.write('a.txt', 'again');
    repository.write('sub/inner.txt', 'again');
    repository.write('new.txt', 'new');
    assert.deepEqual((await changesSince(git, before)).changes, [
      { path: 'a.txt', kind: 'modified' },
      { path: 'new.txt', kind: 'added' },
    ]);
    assert.equal((await readBefore(git, before, 'a.txt'))?.toString(), 'changed');
    assert.equal((await readBefore(git, before, 'b.txt'))?.toString(), 'b');
    assert.equal(existsSync(canary), false);
  });

  it('has nothing written through links that a worker puts in the way', async () => {
    repository.commit({ 'a.txt': 'a' });
    const git = createGit({ capture, binary: 'git', env: repository.env });
    const planned = await planWorktree(git, repository.root, join(repository.base, 'place'), 'sallyport-0001');
    assert.ok(!('why' in planned));
    const { worktree } = await addWorktree(git, planned);
    writeFileSync(join(worktree.checkout, 'a.txt'), 'changed');
    const victim = join(repository.base, 'victim');
    const index = join(worktree.entry, 'index');
    renameSync(index, victim);
    symlinkSync(victim, index);
    const mine = readFileSync(victim, 'hex');
    assert.ok(await bringBack(git, worktree));
    assert.equal(readFileSync(victim, 'hex'), mine);

    const heads = join(repository.root, '.git/refs/heads');
    renameSync(heads, join(repository.base, 'heads'));
    symlinkSync(join(repository.base, 'heads'), heads);
    writeFileSync(join(worktree.checkout, 'a.txt'), 'again');
    await assert.rejects(bringBack(git, worktree), /refs\/heads is a link now/);
    const again = await planWorktree(git, repository.root, join(repository.base, 'other'), 'x');
    assert.match('why' in again ? again.why : '', /refs\/heads is a link/);
  });

  it('runs nothing while a worktree of it is made, brought back and removed, whatever the worker adds', async () => {
    repository.commit({ 'a.txt': 'a' });
    repository.write('.gitattributes', plant(join(repository.root, '.git')));
    const git = createGit({ capture, binary: 'git', env: repository.env });
    const planned = await planWorktree(git, repository.root, join(repository.base, 'place'), 'sallyport-0001');
    assert.ok(!('why' in planned));
    const { worktree } = await addWorktree(git, planned);
    writeFileSync(join(worktree.checkout, 'a.txt'), 'changed');
    writeFileSync(join(worktree.entry, 'config.worktree'), '[core]\n\tfsmonitor = touch canary\n');
    const back = await bringBack(git, worktree);
    assert.match(back?.patch.toString() ?? '', /\+changed/);
    await removeWorktree(back?.worktree ?? worktree, true);
    assert.equal(existsSync(canary), false);
  });
});
