import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hookScriptName } from '../../../src/clients/claudeHookScript.ts';
import { Launcher } from '../../../src/clients/launcher.ts';
import { launcherCommand, launcherScript } from '../../../src/clients/launcherScript.ts';
import { newestServer } from '../../../src/clients/newestServer.ts';
import { placeOf, placeText, readPlace } from '../../../src/clients/place.ts';

describe('where an editor keeps Sallyport', () => {
  it('is known by what the folders of all versions begin with', () => {
    for (const name of ['sallyport.sallyport-0.1.0', 'sallyport.sallyport-12.0.3-linux-x64']) {
      const place = placeOf(`/home/ada/.vscode/extensions/${name}`, '/usr/bin/code');
      assert.equal(place.prefix, '/home/ada/.vscode/extensions/sallyport.sallyport-');
    }
  });

  it('is the folder itself for a checkout', () => {
    assert.equal(placeOf('/home/ada/src/sallyport', '/usr/bin/code').prefix, '/home/ada/src/sallyport');
  });

  it('is read as it was written, also with the line ends of Windows', () => {
    const place = { runtime: '/opt/a b/code', prefix: '/home/ä/x-' };
    assert.deepEqual(readPlace(placeText(place)), place);
    assert.deepEqual(readPlace(placeText(place).replaceAll('\n', '\r\n')), place);
    for (const text of ['', '\n', '/usr/bin/code', '\n/x-\n']) assert.equal(readPlace(text), undefined);
  });
});

describe('the launcher', () => {
  let root: string;
  let extensions: string;
  let launcher: Launcher;
  /** A server program that tells what it was started with. */
  const server = `process.stdout.write(JSON.stringify({ file: __filename, main: process.argv[1], args: process.argv.slice(2), state: process.env.SALLYPORT_STATE_DIR, asNode: process.env.ELECTRON_RUN_AS_NODE }));`;

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), "sallyport's launcher ")));
    extensions = join(root, 'extensions');
    const extension = await install('0.1.0');
    launcher = launcherOf(extension);
  });

  afterEach(() => rm(root, { recursive: true }));

  function launcherOf(extension: string, runtime = process.execPath): Launcher {
    return new Launcher({ stateRoot: join(root, 'state'), extension, runtime, platform: 'linux' });
  }

  async function install(version: string, folder = extensions): Promise<string> {
    const extension = join(folder, `sallyport.sallyport-${version}`);
    await mkdir(join(extension, 'dist'), { recursive: true });
    await writeFile(join(extension, 'dist', 'mcp.cjs'), server);
    await writeFile(join(extension, 'dist', 'launcher.cjs'), '// the program\n');
    return extension;
  }

  const clients = () => join(root, 'state', 'clients');
  const newest = () => newestServer(clients());
  const serverOf = (version: string, folder = extensions) =>
    join(folder, `sallyport.sallyport-${version}`, 'dist', 'mcp.cjs');

  it('is private to the person', async () => {
    await launcher.write();
    const modes = await Promise.all(
      [launcher.path, join(clients(), 'launch.cjs'), clients(), join(clients(), 'places')].map(
        async (path) => (await stat(path)).mode & 0o777,
      ),
    );
    assert.deepEqual(modes, [0o700, 0o600, 0o700, 0o700]);
  });

  it('is not written again while nothing has changed', async () => {
    await launcher.write();
    const { ino } = await stat(launcher.path);
    await launcher.write();
    assert.equal((await stat(launcher.path)).ino, ino);
    await writeFile(join(clients(), 'launch.cjs'), 'of an earlier version');
    await launcher.write();
    assert.equal(await readFile(join(clients(), 'launch.cjs'), 'utf8'), '// the program\n');
    assert.deepEqual((await readdir(clients())).sort(), ['launch.cjs', 'places', 'sallyport-mcp']);
  });

  it('starts the newest version, by number', async () => {
    await launcher.write();
    assert.equal(newest(), serverOf('0.1.0'));
    for (const version of ['0.9.0', '0.10.0', '0.10.0-rc']) await install(version);
    await rm(join(extensions, 'sallyport.sallyport-0.10.0-rc'), { recursive: true });
    assert.equal(newest(), serverOf('0.10.0'));
  });

  it('survives an update, in which the folder of the version is replaced', async () => {
    await launcher.write();
    await rename(
      join(extensions, 'sallyport.sallyport-0.1.0'),
      join(extensions, 'sallyport.sallyport-0.2.0-linux-x64'),
    );
    assert.equal(newest(), serverOf('0.2.0-linux-x64'));
  });

  it('knows every editor that has Sallyport', async () => {
    await launcher.write();
    const other = join(root, 'other editor');
    await launcherOf(await install('0.3.0', other)).write();
    assert.equal(newest(), serverOf('0.3.0', other));
    await rm(other, { recursive: true });
    assert.equal(newest(), serverOf('0.1.0'));
  });

  it('starts no version that was uninstalled and is not deleted yet, and nobody else’s extension', async () => {
    await launcher.write();
    await install('0.2.0');
    await mkdir(join(extensions, 'sallyport.sallyport-0.4.0'));
    await mkdir(join(extensions, 'sallyport.other-9.0.0', 'dist'), { recursive: true });
    await writeFile(join(extensions, 'sallyport.other-9.0.0', 'dist', 'mcp.cjs'), '');
    await writeFile(join(extensions, '.obsolete'), JSON.stringify({ 'sallyport.sallyport-0.2.0': true }));
    assert.equal(newest(), serverOf('0.1.0'));
    await writeFile(join(extensions, '.obsolete'), 'no JSON');
    assert.equal(newest(), serverOf('0.2.0'));
  });

  it('starts the very checkout that an editor was told to develop, and no neighbour, when nothing is installed', async () => {
    const checkout = join(root, 'sallyport');
    await install('0.1.0');
    for (const folder of [checkout, `${checkout}-old`]) {
      await mkdir(join(folder, 'dist'), { recursive: true });
      await writeFile(join(folder, 'dist', 'mcp.cjs'), server);
      await writeFile(join(folder, 'dist', 'launcher.cjs'), '');
    }
    await launcherOf(checkout).write();
    assert.equal(newest(), join(checkout, 'dist', 'mcp.cjs'));
    await launcher.write();
    assert.equal(newest(), serverOf('0.1.0'));
  });

  it('finds nothing when all are gone', async () => {
    await launcher.write();
    await rm(extensions, { recursive: true });
    assert.equal(newest(), undefined);
  });

  describe('run by a shell', () => {
    /** The source stands in for the bundle: it is made of the same files. */
    const program = join(import.meta.dirname, '../../../src/clients/launcherMain.ts');

    beforeEach(async () => {
      await launcher.write();
      // Where the bundle is a file alone, the source needs its neighbours: it is linked to, and told where it was found.
      await writeFile(
        join(clients(), 'launch.cjs'),
        `import(${JSON.stringify(program)}).catch((error) => { console.error(error); process.exitCode = 9; });\n`,
      );
    });

    function run(env: NodeJS.ProcessEnv = { PATH: process.env.PATH }) {
      return spawnSync(launcher.path, ['--flag', 'a b'], { env, encoding: 'utf8', input: '' });
    }

    it('starts the server in its own process, with the state folder it was made in', () => {
      const { status, stdout, stderr } = run();
      assert.equal(stderr, '');
      assert.equal(status, 0);
      assert.deepEqual(JSON.parse(stdout), {
        file: serverOf('0.1.0'),
        main: serverOf('0.1.0'),
        args: ['--flag', 'a b'],
        state: join(root, 'state'),
        asNode: '1',
      });
    });

    it('leaves a state folder that is named', () => {
      const { stdout } = run({ PATH: process.env.PATH, SALLYPORT_STATE_DIR: '/elsewhere' });
      assert.match(stdout, /"state":"\/elsewhere"/);
    });

    it('takes node from PATH when no editor is left, and says what to do when there is none', async () => {
      for (const name of await readdir(join(clients(), 'places'))) {
        const place = readPlace(await readFile(join(clients(), 'places', name), 'utf8'));
        assert.ok(place);
        await writeFile(join(clients(), 'places', name), placeText({ ...place, runtime: join(root, 'gone') }));
      }
      assert.equal(run({ PATH: dirname(process.execPath) }).status, 0);
      const { status, stdout, stderr } = run({ PATH: '/none' });
      assert.equal(status, 1);
      assert.equal(stdout, '');
      assert.match(stderr, /^Sallyport: found neither .* Start your editor once, or install Node 20/);
    });

    it('says how to take the entry out when Sallyport was uninstalled', async () => {
      await rm(extensions, { recursive: true });
      const { status, stdout, stderr } = run();
      assert.equal(status, 1);
      assert.equal(stdout, '');
      assert.match(stderr, /^Sallyport: .*Install Sallyport again.*claude mcp remove sallyport/s);
    });
  });

  it('goes away as a whole, but for what the hook needs', async () => {
    await launcher.write();
    await writeFile(join(clients(), hookScriptName), '');
    await launcher.remove();
    assert.deepEqual((await readdir(clients())).sort(), ['places', hookScriptName]);
    assert.equal(await launcher.exists(), false);
    await rm(join(clients(), hookScriptName));
    await launcher.write();
    await launcher.remove();
    assert.deepEqual(await readdir(join(root, 'state')), []);
    await launcher.remove();
  });

  it('says why when it cannot be written', async function () {
    await mkdir(join(root, 'state'), { recursive: true });
    await writeFile(clients(), '');
    await assert.rejects(launcher.write(), /ENOTDIR|EEXIST/);
    await rm(clients());
    if (process.getuid?.() === 0) return;
    await chmod(join(root, 'state'), 0o500);
    await assert.rejects(launcher.write(), /EACCES/);
    await chmod(join(root, 'state'), 0o700);
  });
});

describe('the launcher on Windows', () => {
  const { name, text } = launcherScript('win32');

  it('is a command file with the line ends that it needs', () => {
    assert.equal(name, 'sallyport-mcp.cmd');
    assert.ok(text.split('\n').every((line) => line === '' || line.endsWith('\r')));
  });

  it('prints nothing but on the error stream', () => {
    assert.match(text, /^@echo off\r\n/);
    for (const line of text.split('\r\n').filter((each) => /^\s*echo /.test(each))) assert.match(line, / 1>&2$/);
    assert.match(text, /chcp 65001 >nul/);
    assert.match(text, /where node >nul 2>nul/);
  });

  it('runs only an .exe that a place names, as Node, and passes on arguments and the exit code', () => {
    assert.match(text, /if \/i "%%~xr"=="\.exe" if exist "%%~r" set "runtime=%%~r"/);
    assert.match(text, /set "ELECTRON_RUN_AS_NODE=1"\r\n"%runtime%" "%here%launch\.cjs" %\*\r\nexit \/b %errorlevel%/);
  });

  it('is started by cmd, since Node and others start no command files', () => {
    const path = String.raw`C:\Users\Ada L\AppData\Local\sallyport\clients\sallyport-mcp.cmd`;
    assert.deepEqual(launcherCommand('win32', path), { command: 'cmd', args: ['/c', path] });
    assert.deepEqual(launcherCommand('darwin', '/x/sallyport-mcp'), { command: '/x/sallyport-mcp', args: [] });
  });
});
