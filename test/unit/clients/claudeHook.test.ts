import assert from 'node:assert/strict';
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClaudeHook } from '../../../src/clients/claudeHook.ts';
import { hookScript, hookScriptName } from '../../../src/clients/claudeHookScript.ts';
import { Launcher } from '../../../src/clients/launcher.ts';

const text = '{\n  "model": "opus"\n}\n';

describe('the hook of Claude Code', () => {
  let root: string;
  let hook: ClaudeHook;
  let launcher: Launcher;

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'sallyport-hook-')));
    await mkdir(join(root, 'extension', 'dist'), { recursive: true });
    await writeFile(join(root, 'extension', 'dist', 'launcher.cjs'), '');
    const deps = { stateRoot: join(root, 'state'), platform: 'linux' } as const;
    launcher = new Launcher({ ...deps, extension: join(root, 'extension'), runtime: '/usr/bin/code' });
    hook = new ClaudeHook({ ...deps, claudeFolder: join(root, 'claude'), launcher });
  });

  afterEach(() => rm(root, { recursive: true }));

  const script = () => join(root, 'state', 'clients', hookScriptName);

  async function writeSettings(content: string, mode = 0o640): Promise<void> {
    await mkdir(join(root, 'claude'), { recursive: true });
    await writeFile(hook.settings, content, { mode });
  }

  it('is put into settings of the person and taken out again, byte for byte', async () => {
    await writeSettings(text);
    assert.deepEqual(await hook.install(), { ok: true, changed: true });
    assert.equal(await hook.isInstalled(), true);
    assert.equal(await readFile(script(), 'utf8'), hookScript);
    assert.equal((await stat(hook.settings)).mode & 0o777, 0o640);
    assert.equal(await readFile(hook.backup, 'utf8'), text);
    assert.deepEqual(await hook.remove(), { ok: true, changed: true });
    assert.equal(await readFile(hook.settings, 'utf8'), text);
    assert.deepEqual(await readdir(join(root, 'state')), []);
  });

  it('makes settings where there are none', async () => {
    assert.deepEqual(await hook.install(), { ok: true, changed: true });
    assert.equal((await stat(hook.settings)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(join(root, 'claude')), ['settings.json']);
    await hook.remove();
    assert.equal(await readFile(hook.settings, 'utf8'), '{}\n');
  });

  it('writes nothing when it is there already', async () => {
    await writeSettings(text);
    await hook.install();
    const { ino } = await stat(hook.settings);
    assert.deepEqual(await hook.install(), { ok: true, changed: false });
    assert.equal((await stat(hook.settings)).ino, ino);
    assert.equal(await readFile(hook.backup, 'utf8'), text);
  });

  it('follows a link into dotfiles, and leaves the link', async () => {
    await mkdir(join(root, 'dotfiles'));
    await mkdir(join(root, 'claude'));
    await writeFile(join(root, 'dotfiles', 'claude.json'), text);
    await symlink(join(root, 'dotfiles', 'claude.json'), hook.settings);
    await hook.install();
    assert.ok((await lstat(hook.settings)).isSymbolicLink());
    assert.match(await readFile(join(root, 'dotfiles', 'claude.json'), 'utf8'), new RegExp(hookScriptName));
    assert.deepEqual(await readdir(join(root, 'dotfiles')), ['claude.json']);
  });

  it('leaves settings alone that cannot be read', async () => {
    const broken = '// mine\n{ "model": "opus", }';
    await writeSettings(broken);
    for (const change of [await hook.install(), await hook.remove()]) assert.equal(change.ok, false);
    assert.equal(await readFile(hook.settings, 'utf8'), broken);
    assert.deepEqual((await readdir(root)).sort(), ['claude', 'extension']);
    assert.deepEqual(await readdir(join(root, 'claude')), ['settings.json']);
  });

  it('has nothing to take out where it never was', async () => {
    assert.deepEqual(await hook.remove(), { ok: true, changed: false });
    assert.deepEqual(await readdir(root), ['extension']);
  });

  it('leaves the launcher when it goes', async () => {
    await launcher.write();
    await hook.install();
    await hook.remove();
    assert.equal(await launcher.exists(), true);
  });

  it('is brought up to date, and forgets sessions of a month ago, only where it is in use', async () => {
    const now = 1_800_000_000_000;
    await hook.refresh(now);
    assert.deepEqual(await readdir(root), ['extension']);
    await hook.install();
    await writeFile(script(), 'of an earlier version');
    const nudged = join(root, 'state', 'clients', 'nudged');
    await mkdir(nudged);
    for (const [name, days] of [
      ['old', 31],
      ['young', 29],
    ] as const) {
      await writeFile(join(nudged, name), '');
      await utimes(join(nudged, name), now / 1000, now / 1000 - days * 86_400);
    }
    await hook.refresh(now);
    assert.equal(await readFile(script(), 'utf8'), hookScript);
    assert.deepEqual(await readdir(nudged), ['young']);
  });
});
