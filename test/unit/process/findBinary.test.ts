import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { capture, type Captured, type Command } from '../../../src/process/capture.ts';
import { type BinaryQuery, createBinaryFinder, type Found } from '../../../src/process/findBinary.ts';

const reason = (result: Found) => (result.ok ? '' : result.why);

describe('binary finder', () => {
  let root: string;
  let home: string;
  let workspace: string;

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'sallyport-find-')));
    home = join(root, 'home');
    workspace = join(root, 'project');
    await mkdir(home);
    await mkdir(workspace);
  });

  afterEach(() => rm(root, { recursive: true }));

  async function program(path: string, text = '#!/bin/sh\n'): Promise<string> {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    await chmod(path, 0o755);
    return path;
  }

  async function link(path: string, target: string): Promise<string> {
    await mkdir(dirname(path), { recursive: true });
    await symlink(target, path);
    return path;
  }

  function finder(path: string[], env: NodeJS.ProcessEnv = {}, run: (command: Command) => Promise<Captured> = capture) {
    return createBinaryFinder({
      env: { PATH: path.join(':'), ...env },
      home,
      platform: 'linux',
      workspaceFolders: () => [workspace],
      capture: run,
    });
  }

  const named = (name: string, extra: Partial<BinaryQuery> = {}): BinaryQuery => ({
    names: [name],
    nativeCandidates: () => [],
    ...extra,
  });

  it('takes the first executable on PATH, of the best name', async () => {
    const first = await program(join(root, 'a/codex-cli'));
    await program(join(root, 'b/codex-cli'));
    const best = await program(join(root, 'b/codex'));
    await writeFile(join(root, 'a/codex'), 'not executable');
    const found = finder([join(root, 'a'), join(root, 'b')]);
    assert.deepEqual(await found.find(named('codex-cli')), { ok: true, file: first });
    assert.deepEqual(await found.find({ ...named(''), names: ['codex', 'codex-cli'] }), { ok: true, file: best });
  });

  it('never takes a program of the workspace, however it is reached', async () => {
    const planted = await program(join(workspace, 'node_modules/.bin/codex'));
    await program(join(workspace, 'bin/codex'));
    await link(join(root, 'outside/codex'), planted);
    await link(join(root, 'linked'), join(workspace, 'bin'));
    await link(join(workspace, 'pointing'), join(root, 'safe'));
    const path = ['', '.', 'node_modules/.bin', './bin', dirname(planted), join(workspace, 'bin')];
    const found = finder([...path, join(root, 'outside'), join(root, 'linked'), join(workspace, 'pointing')]);
    const cwd = process.cwd();
    process.chdir(workspace);
    try {
      const refused = await found.find(named('codex'));
      assert.equal(refused.ok, false);
      assert.match(reason(refused), /outside\/codex leads into the workspace/);
      const safe = await program(join(root, 'safe/codex'));
      assert.equal((await found.find(named('codex'))).ok, false, 'by a link that the workspace owns');
      const direct = finder([...path, join(root, 'outside'), join(root, 'safe')]);
      assert.deepEqual(await direct.find(named('codex')), { ok: true, file: safe });
      assert.equal((await direct.personPath()).split(':')[0], join(root, 'outside'));
    } finally {
      process.chdir(cwd);
    }
  });

  it('takes a workspace folder that is itself a link for what it is', async () => {
    const planted = await program(join(root, 'real/bin/codex'));
    await rm(workspace, { recursive: true });
    await link(workspace, join(root, 'real'));
    assert.equal((await finder([dirname(planted)]).find(named('codex'))).ok, false);
  });

  it('never takes a program of the node_modules above the workspace', async () => {
    const planted = await program(join(root, 'mono/node_modules/.bin/codex'));
    workspace = join(root, 'mono/packages/one');
    await mkdir(workspace, { recursive: true });
    assert.equal((await finder([dirname(planted)]).find(named('codex'))).ok, false);
    const configured = await finder([]).find(named('codex', { configured: planted }));
    assert.match(reason(configured), /lies in the workspace/);
  });

  it('never takes a native binary that lies in the workspace', async () => {
    const wrapper = await program(join(root, 'a/codex'));
    const native = await program(join(workspace, 'native'));
    const found = await finder([dirname(wrapper)]).find(named('codex', { nativeCandidates: () => [native] }));
    assert.deepEqual(found, { ok: true, file: wrapper });
  });

  it('prefers the native binary to the npm wrapper', async () => {
    const modules = join(root, 'lib/node_modules');
    const wrapper = await program(join(modules, '@openai/codex/bin/codex.js'));
    const native = await program(join(modules, '@openai/codex-linux-x64/bin/codex'));
    await link(join(root, 'bin/codex'), wrapper);
    const asked: string[] = [];
    const nativeCandidates = (real: string) => {
      asked.push(real);
      return [join(dirname(real), 'missing'), join(dirname(real), '../../codex-linux-x64/bin/codex')];
    };
    const found = finder([join(root, 'bin')]);
    assert.deepEqual(await found.find(named('codex', { nativeCandidates })), { ok: true, file: native });
    assert.deepEqual(asked, [wrapper]);
    assert.deepEqual(await finder([join(root, 'bin')]).find(named('codex')), { ok: true, file: wrapper });
  });

  it("runs a version manager's link by its own name", async () => {
    const manager = await program(join(root, 'usr/mise'));
    const shim = await link(join(home, '.local/share/mise/shims/codex'), manager);
    assert.deepEqual(await finder([]).find(named('codex')), { ok: true, file: shim });
  });

  it("finds the default of nvm, also by another alias, then the newest version's", async () => {
    for (const version of ['v18.1.0', 'v20.9.0', 'v20.10.0', 'v9.0.0', 'v22.0.0']) {
      await mkdir(join(home, '.nvm/versions/node', version, 'bin'), { recursive: true });
    }
    await mkdir(join(home, '.nvm/alias/lts'), { recursive: true });
    await writeFile(join(home, '.nvm/alias/default'), 'lts/iron\n');
    await writeFile(join(home, '.nvm/alias/lts/iron'), 'v20\n');
    const folders = (await finder([]).personPath()).split(':').filter((folder) => folder.includes('.nvm'));
    assert.deepEqual(
      folders.map((folder) => folder.slice(join(home, '.nvm/versions/node/').length)),
      ['v20.10.0/bin', 'v22.0.0/bin'],
    );
  });

  it('asks the login shell once when the editor was started from a dock', async () => {
    const codex = await program(join(home, 'tools/codex'));
    const runs = join(root, 'runs');
    const shell = await program(
      join(root, 'shells/fancysh'),
      `#!/bin/sh\necho "welcome $*" ; pwd >> ${runs}; [ "$1 $2 $3" = "-i -l -c" ] || exit 1; PATH=${dirname(codex)}:$PATH; eval "$4"; echo bye\n`,
    );
    const found = finder(['/usr/bin', '/bin'], { SHELL: shell });
    const [path] = await Promise.all([found.personPath(), found.find(named('codex'))]);
    assert.equal(path.split(':')[0], dirname(codex));
    assert.deepEqual(await found.find(named('codex')), { ok: true, file: codex });
    assert.equal(await readFile(runs, 'utf8'), `${home}\n`, 'once, from the home folder');
  });

  it('asks no login shell when PATH names folders of the person, nor one that is not absolute', async () => {
    const none = () => Promise.reject(new Error('nothing may be started'));
    await finder([join(home, '.nvm/versions/node/v20.1.0/bin')], { SHELL: '/bin/sh' }, none).personPath();
    await finder(['/usr/bin'], { SHELL: 'sh' }, none).personPath();
  });

  it('does without a login shell that fails or never ends', async () => {
    const hung: Captured = {
      ...{ code: null, signal: 'SIGKILL', stdout: Buffer.from('welcome'), stderr: '' },
      ...{ timedOut: true, truncated: false, startFailed: false },
    };
    const path = await finder(['/usr/bin'], { SHELL: '/bin/sh' }, () => Promise.resolve(hung)).personPath();
    assert.equal(path.split(':')[0], '/usr/bin');
  });

  it('validates a configured path and says what is wrong with it', async () => {
    const good = await program(join(root, 'my codex'));
    const found = finder([]);
    const why = async (configured: string) => {
      const result = await found.find(named('codex', { configured }));
      return result.ok ? result.file : result.why;
    };
    assert.equal(await why(good), good);
    assert.match(await why('codex'), /not absolute/);
    assert.match(await why(join(root, 'nothing')), /does not exist or is not an executable/);
    assert.match(await why(root), /does not exist or is not an executable/);
    assert.match(await why(await program(join(workspace, 'codex'))), /workspace/);
  });

  it('remembers a hit until refreshed, and no miss', async () => {
    const found = finder([join(root, 'a')]);
    const missing = await found.find(named('codex'));
    assert.match(reason(missing), /No program named codex was found/);
    const codex = await program(join(root, 'a/codex'));
    assert.deepEqual(await found.find(named('codex')), { ok: true, file: codex });
    await rm(codex);
    assert.equal((await found.find(named('codex'))).ok, true);
    found.refresh();
    assert.equal((await found.find(named('codex'))).ok, false);
  });
});
