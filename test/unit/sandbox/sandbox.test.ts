import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findRepository } from '../../../src/git/repository.ts';
import { capture, type Captured } from '../../../src/process/capture.ts';
import { runVariable } from '../../../src/process/marker.ts';
import type { EngineState } from '../../../src/protocol/engineState.ts';
import type { Access } from '../../../src/protocol/model.ts';
import { createSandbox, type Prepared, type SandboxSettings } from '../../../src/sandbox/sandbox.ts';
import { GitRepository } from '../../support/gitRepository.ts';
import { eventually, survivors } from '../../support/processes/runs.ts';
import { needsSandbox, realProbe } from '../../support/sandbox.ts';

const state: EngineState = {
  folders: [
    {
      path: '.cli',
      variable: 'CLI_HOME',
      hidden: ['RULES.md', 'hooks.json', 'skills/'],
      readOnly: ['bin'],
      copied: [{ path: 'config.toml', edit: (text) => text.replace('servers', '') }],
    },
  ],
  files: [{ path: '.cli.json', edit: (text) => text.toUpperCase() }],
};

describe('the sandbox', function () {
  this.timeout(20_000);
  let base: string;
  let home: string;
  let workspace: string;
  let scratch: string;
  let settings: SandboxSettings;
  let env: Record<string, string>;

  before(needsSandbox);

  beforeEach(() => {
    // Outside of /tmp, which is another one inside.
    mkdirSync(join(homedir(), '.cache'), { recursive: true });
    base = realpathSync(mkdtempSync(join(homedir(), '.cache', 'sallyport-sandbox-')));
    [home, workspace, scratch] = [join(base, 'me'), join(base, 'me', 'code', 'w'), join(base, 'scratch')];
    for (const folder of [join(home, '.ssh'), join(home, '.cli', 'skills', 'one'), workspace, scratch]) {
      mkdirSync(folder, { recursive: true });
    }
    writeFileSync(join(home, '.ssh', 'key'), 'a key');
    writeFileSync(join(workspace, 'file.txt'), 'a line\n');
    settings = { extraPaths: {}, allowGitConfig: false };
    env = { HOME: home, PATH: '/usr/local/bin:/usr/bin:/bin', TMPDIR: '/elsewhere' };
  });

  afterEach(() => rmSync(base, { recursive: true, force: true }));

  const sandbox = () => createSandbox({ probe: realProbe, settings: () => settings, home, uid: process.getuid?.() });

  async function prepare(access: Access = 'full', cwd = workspace): Promise<Prepared> {
    const repository = await findRepository(cwd);
    rmSync(join(scratch, 'sandbox'), { recursive: true, force: true });
    return sandbox().prepare({
      access,
      workspace: cwd,
      scratch,
      env,
      program: '/bin/sh',
      state,
      ...(repository && { repository }),
    });
  }

  async function inside(script: string, access?: Access, cwd = workspace): Promise<Captured & { text: string }> {
    const prepared = await prepare(access, cwd);
    const program = prepared.confine({ file: '/bin/sh', args: ['-c', script], env });
    const ended = await capture({ ...program, cwd, timeoutMs: 10_000, maxBytes: 100_000 });
    return { ...ended, text: ended.stdout.toString().trim() };
  }

  it('has an empty home, but for what was bound', async () => {
    const { text } = await inside('ls -A "$HOME"; cat "$HOME/.ssh/key"; echo x > "$HOME/new"; ls /root /home; pwd');
    assert.equal(text.split('\n').slice(0, 2).join(), '.cli,code');
    assert.ok(!text.includes('a key'));
    assert.ok(text.endsWith(workspace));
    assert.ok(!existsSync(join(home, 'new')));
  });

  it('lets a worker write its workspace and /tmp, and nothing else of this machine', async () => {
    const script = `echo x > made; echo x > /tmp/sandbox-test; for place in /usr /etc ${home} ${join(home, 'code')} ${base} /; do echo x > $place/sandbox-test; done; true`;
    await inside(script);
    assert.equal(readFileSync(join(workspace, 'made'), 'utf8'), 'x\n');
    for (const place of ['/tmp', '/usr', '/etc', home, join(home, 'code'), base, '/']) {
      assert.ok(!existsSync(join(place, 'sandbox-test')), place);
    }
  });

  it('lets a reading worker write neither its workspace nor what a setting adds', async () => {
    const other = join(base, 'other');
    mkdirSync(other);
    settings = { ...settings, extraPaths: { [other]: 'readWrite' } };
    const { text } = await inside(`cat file.txt; echo x > made; echo x > ${other}/made`, 'readOnly');
    assert.equal(text, 'a line');
    assert.ok(!existsSync(join(workspace, 'made')) && !existsSync(join(other, 'made')));
  });

  it('cannot be left: no mount can be undone, not in a namespace of its own either', async () => {
    const tries = [`umount ${home}`, 'mount -o remount,rw /usr', 'mount -o remount,rw,bind /usr', 'umount /tmp'];
    const script = `${tries.join('; ')}; unshare -Ur sh -c '${tries.join('; ')}; touch /usr/sandbox-test'; cat ${home}/.ssh/key; true`;
    const { text } = await inside(script);
    assert.equal(text, '');
    assert.ok(!existsSync('/usr/sandbox-test'));
  });

  it('has its own temporary folder, and no word of the one outside', async () => {
    const { text } = await inside('ls -A /tmp; echo "${TMPDIR-none}"');
    assert.equal(text, 'none');
  });

  it('sees only its own processes, all of which end with the first', async () => {
    const runId = randomUUID();
    env[runVariable] = runId;
    const loop = 'trap "" TERM HUP INT; echo x > alive; while :; do sleep 1; done';
    const { text } = await inside(
      `setsid sh -c '${loop}' > /dev/null 2>&1 & until [ -e alive ]; do :; done; ls /proc | grep -c '^[0-9]'`,
    );
    assert.ok(Number(text) < 12, text);
    await eventually('the loop has ended', async () => (await survivors(runId)).length === 0);
  });

  describe('with the state of a CLI', () => {
    beforeEach(() => {
      writeFileSync(join(home, '.cli', 'auth.json'), 'old token');
      writeFileSync(join(home, '.cli', 'RULES.md'), 'my rules');
      writeFileSync(join(home, '.cli', 'config.toml'), 'model servers');
      writeFileSync(join(home, '.cli.json'), 'account');
    });

    it('lets it replace a token by a rename', async () => {
      const { code } = await inside('cd ~/.cli && cat auth.json && echo new > auth.tmp && mv auth.tmp auth.json');
      assert.equal(code, 0);
      assert.equal(readFileSync(join(home, '.cli', 'auth.json'), 'utf8'), 'new\n');
    });

    it('hides what would steer the worker, and gives it copies of what it needs', async () => {
      const { text } = await inside(
        'cd ~/.cli; cat RULES.md; ls skills; cat hooks.json; echo; cat config.toml; echo; cat ~/.cli.json',
      );
      assert.equal(text, '{}\nmodel \nACCOUNT');
    });

    it('keeps a worker from leaving anything that steers the person’s next session', async () => {
      mkdirSync(join(home, '.cli', 'bin'));
      await inside(
        [
          'cd ~/.cli',
          'for file in RULES.md hooks.json bin/cli; do echo evil > $file; rm -f $file; echo evil > new; mv new $file; done',
          'mkdir -p skills/evil; echo evil > skills/evil/SKILL.md; mv skills gone; mkdir -p skills/evil',
          'echo evil > config.toml; echo evil > new; mv new config.toml; echo evil > ~/.cli.json; true',
        ].join('; '),
      );
      const read = (path: string) => readFileSync(join(home, path), 'utf8');
      assert.deepEqual(['.cli/RULES.md', '.cli/hooks.json', '.cli/config.toml', '.cli.json'].map(read), [
        'my rules',
        '{}',
        'model servers',
        'account',
      ]);
      assert.ok(!existsSync(join(home, '.cli', 'bin', 'cli')) && !existsSync(join(home, '.cli', 'skills', 'evil')));
    });

    it('covers what links lead to, as dotfile managers make them, and puts a replaced link back', async () => {
      const dotfiles = join(home, 'dotfiles');
      mkdirSync(join(dotfiles, 'skills', 'one'), { recursive: true });
      for (const name of ['RULES.md', 'config.toml', 'skills']) {
        rmSync(join(home, '.cli', name), { recursive: true });
        if (name !== 'skills') writeFileSync(join(dotfiles, name), `my servers of ${name}`);
        symlinkSync(join(dotfiles, name), join(home, '.cli', name));
      }
      const prepared = await prepare();
      const script = 'cd ~/.cli; cat RULES.md config.toml; ls skills; rm RULES.md; echo evil > RULES.md';
      const program = prepared.confine({ file: '/bin/sh', args: ['-c', script], env });
      const { stdout, stderr } = await capture({ ...program, cwd: workspace, timeoutMs: 10_000, maxBytes: 1000 });
      assert.deepEqual([stdout.toString(), stderr], ['my  of config.toml', '']);
      assert.equal(readFileSync(join(home, '.cli', 'RULES.md'), 'utf8'), 'evil\n');
      assert.match((await prepared.tidy()).join(), /replaced .*RULES\.md.*put back/);
      assert.equal(readFileSync(join(home, '.cli', 'RULES.md'), 'utf8'), 'my servers of RULES.md');
    });

    it('shows nothing that a worker has made a link to', async () => {
      symlinkSync(join(home, '.ssh'), join(home, '.cli', 'bin'));
      const { text } = await inside('cat ~/.cli/bin/key');
      assert.equal(text, '');
    });

    it('works with a folder that is a link itself', async () => {
      renameSync(join(home, '.cli'), join(base, 'moved'));
      symlinkSync(join(base, 'moved'), join(home, '.cli'));
      const { text } = await inside('cat ~/.cli/auth.json ~/.cli/RULES.md; echo x > ~/.cli/session');
      assert.equal(text, 'old token');
      assert.ok(existsSync(join(base, 'moved', 'session')));
    });

    it('follows the variable that names the folder elsewhere', async () => {
      const elsewhere = join(base, 'elsewhere');
      mkdirSync(elsewhere);
      writeFileSync(join(elsewhere, 'RULES.md'), 'my rules');
      env.CLI_HOME = elsewhere;
      const { text } = await inside('cat "$CLI_HOME/RULES.md"; echo x > "$CLI_HOME/session"; ls -A "$HOME"');
      assert.deepEqual(text.split('\n'), ['code', '.cli.json'].sort());
      assert.equal(readFileSync(join(elsewhere, 'session'), 'utf8'), 'x\n');
    });

    it('is refused when that variable would uncover the home', async () => {
      env.CLI_HOME = base;
      await assert.rejects(prepare(), /CLI_HOME names .*, which holds your whole home/);
    });
  });

  it('is not there for a folder that holds the home', async () => {
    const answer = await sandbox().available(base);
    assert.ok(!answer.ok);
    assert.match(answer.why, /holds your whole home/);
  });

  it('is not there for a folder that all programs share', async () => {
    for (const folder of ['/tmp', '/etc']) assert.equal((await sandbox().available(folder)).ok, false, folder);
  });

  it('shows programs of the person read-only: those on PATH with their libraries, and of managers', async () => {
    for (const path of ['tool/bin', 'tool/lib', 'tool/secrets', '.nvm/versions']) {
      mkdirSync(join(home, path), { recursive: true });
      writeFileSync(join(home, path, 'x'), path);
    }
    // As version managers make them, in a folder that is shown and in one that is not.
    symlinkSync(join(home, '.nvm', 'versions'), join(home, '.nvm', 'current'));
    symlinkSync(join(home, '.nvm', 'versions'), join(home, 'tool', 'now'));
    const folders = ['tool/bin', '.nvm/current', 'tool/now', '.'].map((path) => join(home, path));
    env.PATH = ['/usr/local/bin', '/usr/bin', '/bin', ...folders].join(':');
    const { text } = await inside(
      'cd ~; cat tool/bin/x tool/lib/x tool/secrets/x .nvm/versions/x .nvm/current/x tool/now/x; echo y > tool/bin/x',
    );
    assert.equal(text, `tool/bintool/lib${'.nvm/versions'.repeat(3)}`);
    assert.equal(readFileSync(join(home, 'tool/bin/x'), 'utf8'), 'tool/bin');
  });

  it('shows what a setting adds, by ~ too, and leaves out what is not there', async () => {
    writeFileSync(join(home, '.toolrc'), 'identity');
    mkdirSync(join(home, 'cache'));
    settings = {
      ...settings,
      extraPaths: { '~/.toolrc': 'readOnly', '~/cache': 'readWrite', '/no/such': 'readOnly' },
    };
    const { text } = await inside('cat ~/.toolrc; echo x > ~/cache/x; echo evil > ~/.toolrc');
    assert.equal(text, 'identity');
    assert.ok(existsSync(join(home, 'cache', 'x')));
    assert.equal(readFileSync(join(home, '.toolrc'), 'utf8'), 'identity');
  });

  it('works in a folder that is reached by a link, under both its names', async () => {
    const named = join(base, 'named');
    symlinkSync(workspace, named);
    const { text } = await inside(`pwd -P; cat ${named}/file.txt`, 'full', named);
    assert.equal(text, `${workspace}\na line`);
  });
});

describe('a repository in the sandbox', function () {
  this.timeout(20_000);
  let repository: GitRepository;
  let settings: SandboxSettings;

  before(needsSandbox);

  beforeEach(() => {
    repository = new GitRepository();
    repository.commit({ 'a.txt': 'a\n', 'part/b.txt': 'b\n' });
    settings = { extraPaths: {}, allowGitConfig: false };
  });

  afterEach(() => repository.remove());

  async function inside(script: string, cwd = repository.root): Promise<{ text: string; warnings: string[] }> {
    const scratch = mkdtempSync(join(repository.base, 'scratch-'));
    const { env } = repository;
    const sandbox = createSandbox({
      probe: realProbe,
      settings: () => settings,
      home: env.HOME,
      uid: process.getuid?.(),
    });
    const found = await findRepository(cwd);
    const variables = { ...env, PATH: '/usr/local/bin:/usr/bin:/bin' };
    const prepared = await sandbox.prepare({
      ...{ access: 'full', workspace: cwd, scratch, env: variables, program: '/bin/sh' },
      ...(found && { repository: found }),
    });
    const program = prepared.confine({ file: '/bin/sh', args: ['-c', `exec 2>&1; ${script}`], env: variables });
    const { stdout } = await capture({ ...program, cwd, timeoutMs: 10_000, maxBytes: 100_000 });
    return { text: stdout.toString().trim(), warnings: await prepared.tidy() };
  }

  const config = () => readFileSync(join(repository.root, '.git', 'config'), 'utf8');

  it('can be committed to', async () => {
    await inside('echo more >> a.txt && git commit -qam more');
    assert.equal(repository.git('log', '-1', '--format=%s').trim(), 'more');
    assert.equal(repository.git('status', '--porcelain'), '');
  });

  it('is committed to in the person’s name, of whose git configuration a worker sees no more', async () => {
    const { HOME } = repository.env;
    const text =
      '[user]\n\tname = Ann\n\temail = ann@example.org\n[url "https://token@host"]\n\tinsteadOf = x\n[alias]\n';
    writeFileSync(join(HOME, '.gitconfig'), text);
    const { text: seen } = await inside(
      'unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL; echo more >> a.txt && git commit -qam more; cat ~/.gitconfig',
    );
    assert.equal(repository.git('log', '-1', '--format=%an <%ae>').trim(), 'Ann <ann@example.org>');
    assert.equal(seen, '[user]\n\tname = Ann\n\temail = ann@example.org');
    assert.equal(readFileSync(join(HOME, '.gitconfig'), 'utf8'), text);
  });

  it('keeps its configuration and hooks, however they are written', async () => {
    const before = config();
    rmSync(join(repository.root, '.git', 'hooks'), { recursive: true });
    const { text } = await inside(
      [
        'git config core.fsmonitor evil',
        'echo evil > .git/config; rm -f .git/config; mv .git gone; mv .git/config .git/gone',
        'mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit; mv .git/hooks .git/gone',
        'git branch -u origin/x',
      ].join('; '),
    );
    assert.match(text, /could not write config file \.git\/config/);
    assert.equal(config(), before);
    assert.ok(!existsSync(join(repository.root, '.git', 'hooks', 'pre-commit')));
    assert.ok(existsSync(join(repository.root, '.git', 'config')) && !existsSync(join(repository.root, 'gone')));
  });

  it('can be configured when the setting says so', async () => {
    settings = { ...settings, allowGitConfig: true };
    await inside('git config user.nickname x');
    assert.match(config(), /nickname = x/);
  });

  it('loses a redirection to another configuration, and says so', async () => {
    const { warnings } = await inside('mkdir evil; echo ../evil > .git/commondir');
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /commondir.*removed/);
    assert.ok(!existsSync(join(repository.root, '.git', 'commondir')));
  });

  it('shows git the rest of the work tree around a part that is the workspace, which alone can be written', async () => {
    const part = join(repository.root, 'part');
    const { text } = await inside('echo x > made; echo x > ../made; git status --porcelain', part);
    assert.ok(text.endsWith('?? part/made'), text);
    assert.ok(!existsSync(join(repository.root, 'made')));
  });

  it('binds the common folder of a linked work tree, guarded as well', async () => {
    const linked = join(repository.base, 'linked');
    repository.git('worktree', 'add', '-q', linked, '-b', 'other');
    const before = config();
    const script =
      'echo more >> a.txt && git commit -qam linked; git config core.fsmonitor evil; echo evil > .git; true';
    await inside(script, linked);
    assert.equal(repository.git('log', '-1', '--format=%s', 'other').trim(), 'linked');
    assert.equal(config(), before);
    assert.match(readFileSync(join(linked, '.git'), 'utf8'), /^gitdir: /);
    assert.ok(!existsSync(join(repository.root, 'part', 'made')));
  });

  it('works in a linked work tree that lies in its repository', async () => {
    const nested = join(repository.root, '.worktrees', 'nested');
    repository.git('worktree', 'add', '-q', nested, '-b', 'nested');
    await inside('echo more >> a.txt && git commit -qam nested; echo x > ../../made', nested);
    assert.equal(repository.git('log', '-1', '--format=%s', 'nested').trim(), 'nested');
    assert.ok(!existsSync(join(repository.root, 'made')));
  });

  it('guards the configuration of submodules', async () => {
    const other = new GitRepository();
    try {
      other.commit({ 'c.txt': 'c\n' });
      repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.root, 'sub');
      const place = join(repository.root, '.git', 'modules', 'sub');
      const before = readFileSync(join(place, 'config'), 'utf8');
      await inside(
        'cd sub; git config core.fsmonitor evil; cd ../.git; mv modules gone; mv modules/sub modules/gone; true',
      );
      assert.equal(readFileSync(join(place, 'config'), 'utf8'), before);
      await inside('echo more >> c.txt && git commit -qam sub', join(repository.root, 'sub'));
      assert.equal(repository.gitIn(join(repository.root, 'sub'), 'log', '-1', '--format=%s').trim(), 'sub');
    } finally {
      other.remove();
    }
  });

  it('does not take a folder for its own that does not say so itself', async () => {
    const victim = new GitRepository();
    try {
      victim.commit({ 'c.txt': 'c\n' });
      const claims = join(repository.base, 'claims');
      mkdirSync(claims);
      writeFileSync(join(claims, '.git'), `gitdir: ${join(victim.root, '.git')}\n`);
      await inside(`echo x > ${victim.root}/.git/made; echo x > made`, claims);
      assert.ok(existsSync(join(claims, 'made')));
      assert.ok(!existsSync(join(victim.root, '.git', 'made')));

      symlinkSync(victim.root, join(repository.root, '.git', 'config.worktree'));
      assert.doesNotMatch((await inside(`cat ${victim.root}/c.txt`)).text, /^c$/m);

      writeFileSync(join(repository.root, '.git', 'commondir'), `${victim.root}\n`);
      await inside(`echo x > ${victim.root}/made`);
      assert.ok(!existsSync(join(victim.root, 'made')));
      assert.ok(lstatSync(join(repository.root, '.git')).isDirectory());
    } finally {
      victim.remove();
    }
  });
});
