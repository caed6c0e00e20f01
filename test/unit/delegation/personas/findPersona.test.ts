import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findPersona, personaRoots } from '../../../../src/delegation/personas/findPersona.ts';

describe('findPersona', () => {
  let top: string;
  let home: string;
  let project: string;
  let extra: string[];

  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-personas-')));
    home = join(top, 'home');
    project = join(home, 'project');
    extra = [];
    mkdirSync(join(project, '.git'), { recursive: true });
  });

  afterEach(() => rmSync(top, { recursive: true, force: true }));

  /** Writes a file, changed `age` seconds before a fixed moment. */
  function write(path: string, text: string, age = 0): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    utimesSync(path, 1_750_000_000 - age, 1_750_000_000 - age);
  }

  const named = (name: string, body: string) => `---\nname: ${name}\ndescription: Knows ${name}.\n---\n${body}\n`;

  /** The body of what was found, or the message. */
  async function find(name: string, cwd = project): Promise<string> {
    const found = await findPersona(name, await personaRoots({ extra, cwd, home }));
    return found.ok ? found.body : `- ${found.message}`;
  }

  it('looks in the folders of the setting, the project, the home and its plugins, in this order', async () => {
    extra = [join(top, 'shared')];
    const places = [
      join(home, '.claude/plugins/cache/market/pit/1.2.0/agents/digger.md'),
      join(home, '.claude/agents/digger.md'),
      join(project, '.claude/agents/digger.md'),
      join(top, 'shared/digger.md'),
    ];
    for (const place of places) {
      // The older it is the better: the place decides.
      write(place, named('digger', place), places.indexOf(place) * 100);
      assert.equal(await find('digger'), place);
    }
  });

  it('takes the newest of several in one place', async () => {
    const cache = join(home, '.claude/plugins/cache/market/pit');
    write(join(cache, '1.0.0/agents/digger.md'), named('digger', 'one'), 50);
    write(join(cache, '0.9.0/agents/digger.md'), named('digger', 'touched last'), 1);
    write(join(cache, '2.0.0/agents/digger.md'), named('digger', 'two'), 20);
    assert.equal(await find('digger'), 'touched last');
    assert.equal(await find('pit:digger'), 'touched last');
  });

  it('knows a plugin by its manifest, else by its folder, and no other Markdown of plugins', async () => {
    const plugins = join(home, '.claude/plugins');
    write(join(plugins, 'marketplaces/m/plugins/folder-name/agents/deep/digger.md'), named('digger', 'manifest'));
    write(join(plugins, 'marketplaces/m/plugins/folder-name/.claude-plugin/plugin.json'), '{ "name": "pit" }');
    write(join(plugins, 'marketplaces/m/plugins/other/agents/digger.md'), named('digger', 'other'), 9);
    write(join(plugins, 'marketplaces/m/plugins/other/.claude-plugin/plugin.json'), 'no JSON');
    write(join(plugins, 'cache/m/hashed/0123456789ab/agents/digger.md'), named('digger', 'hashed'), 99);
    write(join(plugins, 'cache/m/hashed/0123456789ab/commands/go.md'), named('go', 'a command'));
    assert.equal(await find('pit:digger'), 'manifest');
    assert.equal(await find('other:digger'), 'other');
    assert.equal(await find('hashed:digger'), 'hashed');
    assert.match(await find('folder-name:digger'), /^- There is no agent/);
    assert.match(await find('go'), /^- There is no agent/);
  });

  it('goes by the front matter, else by the file name, and gives the body alone', async () => {
    write(join(project, '.claude/agents/some-file.md'), named('digger', 'You dig.'));
    write(join(project, '.claude/agents/group/plain.md'), 'You are plain.');
    write(join(project, '.claude/agents/empty.md'), named('empty', ''));
    write(join(project, '.claude/agents/large.md'), named('large', 'x'.repeat(300_000)));
    assert.equal(await find('digger'), 'You dig.');
    assert.equal(await find('plain'), 'You are plain.');
    assert.equal(await find('group:plain'), 'You are plain.');
    for (const none of ['some-file', 'empty', 'large']) assert.match(await find(none), /^- There is no agent/);
  });

  it('finds those of the repository from a folder deep in it, the nearest first', async () => {
    const deep = join(project, 'packages/a');
    mkdirSync(deep, { recursive: true });
    write(join(project, '.claude/agents/digger.md'), named('digger', 'of the top'));
    assert.equal(await find('digger', deep), 'of the top');
    write(join(deep, '.claude/agents/digger.md'), named('digger', 'of the package'), 99);
    assert.equal(await find('digger', deep), 'of the package');
    assert.equal(await find('digger'), 'of the top');
    // Outside a repository only the folder itself is the project.
    rmSync(join(project, '.git'), { recursive: true });
    rmSync(join(deep, '.claude'), { recursive: true });
    assert.match(await find('digger', deep), /^- There is no agent/);
  });

  it('follows no link out of a root, and reads nothing but files', async () => {
    const agents = join(project, '.claude/agents');
    write(join(top, 'outside/digger.md'), named('digger', 'outside'));
    write(join(top, 'outside/agents/deep.md'), named('deep', 'outside'));
    write(join(agents, 'inside/real.md'), named('real', 'inside'));
    symlinkSync(join(top, 'outside/digger.md'), join(agents, 'digger.md'));
    symlinkSync(join(top, 'outside'), join(agents, 'folder'));
    symlinkSync(join(agents, 'inside'), join(agents, 'loop'));
    symlinkSync('/nowhere', join(agents, 'dangling.md'));
    mkdirSync(join(agents, 'folder.md'));
    mkdirSync(join(home, '.claude/plugins'), { recursive: true });
    symlinkSync(join(top, 'outside'), join(home, '.claude/plugins/evil'));
    for (const none of ['digger', 'deep', 'dangling', 'folder']) assert.match(await find(none), /^- There is no agent/);
    assert.equal(await find('real'), 'inside');
    assert.equal(await find('inside:real'), 'inside');
  });

  it('waits for no pipe, runs nothing, and offers no file by a name that is none', async function () {
    if (process.platform === 'win32') this.skip();
    const agents = join(project, '.claude/agents');
    for (const name of ['$(touch ran).md', '`touch ran`.md', '-rf.md', 'a\nb.md', '..md', 'good.md'])
      write(join(agents, name), 'X');
    mkdirSync(join(home, '.claude/plugins/pit/agents'), { recursive: true });
    mkdirSync(join(home, '.claude/plugins/pit/.claude-plugin'));
    write(join(home, '.claude/plugins/pit/agents/digger.md'), 'You dig.');
    for (const pipe of [join(agents, 'pipe.md'), join(home, '.claude/plugins/pit/.claude-plugin/plugin.json')]) {
      execFileSync('mkfifo', [pipe]);
    }
    assert.equal(await find('pit:digger'), 'You dig.');
    assert.match(await find('pipe'), /^- There is no agent "pipe"\. There are: good, digger\. Or pass/);
    assert.ok(!existsSync(join(project, 'ran')) && !existsSync('ran'));
  });

  it('does not take a link in a project for its agents, and takes one in the home', async () => {
    write(join(top, 'outside/digger.md'), named('digger', 'outside'));
    mkdirSync(join(project, '.claude'));
    symlinkSync(join(top, 'outside'), join(project, '.claude/agents'));
    assert.match(await find('digger'), /^- There is no agent/);
    mkdirSync(join(home, '.claude'));
    symlinkSync(join(top, 'outside'), join(home, '.claude/agents'));
    assert.equal(await find('digger'), 'outside');
  });

  it('refuses what is no name before it looks anywhere', async () => {
    const hostile = [
      ...['', '.', '..', '../digger', '/etc/passwd', 'a/b', 'a\\b', 'C:\\x', 'a..b', '~', '-rf', ' a', 'a\n', 'a\0'],
      ...['a:b:c', ':a', 'a:', '$(id)', '`id`', 'a;b', '\u202Eabc', 'x'.repeat(200)],
    ];
    for (const name of hostile) {
      const found = await findPersona(name, [{ folder: '/' }]);
      assert.match(found.ok ? '' : found.message, /is no name of an agent/, JSON.stringify(name));
    }
  });

  it('says who is there, and shows nothing that acts', async () => {
    assert.match(await find('digger'), /^- There is no agent "digger"\. None was found in \.claude\/agents/);
    const agents = join(project, '.claude/agents');
    write(join(agents, 'a.md'), '---\nname: alpha\ndescription: "First \\e[2K line\\nsecond"\n---\nA');
    write(join(agents, 'b.md'), named('../../etc', 'B'));
    write(join(agents, 'c.md'), 'C');
    const said = await find('digger');
    assert.match(said, /There are: alpha \(First .* second\), c\. Or pass/);
    assert.ok(!said.includes('\u001b') && !said.includes('../'), said);
    for (let n = 10; n < 40; n += 1) write(join(agents, `d${n}.md`), 'D');
    assert.match(await find('digger'), /, and 12 more\./);
  });
});
