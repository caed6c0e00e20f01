import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { LoopbackEngine } from '../support/agentHomes.ts';
import { Bench, type BenchOptions, unsandboxed } from '../support/bench/bench.ts';
import { fillHome, heavyWord, stateVariable } from '../support/heavyHome/heavyHome.ts';
import type { Scenario } from '../support/modelServer/scenario.ts';
import { needsSandbox } from '../support/sandbox.ts';

const engines = ['codex', 'claude', 'grok'] as const;

/** The model runs one command and says what came of it. */
const commanding = (command: string): Scenario => ({
  about: 'runs a command',
  steps: [{ call: { kind: 'shell', command } }, { say: 'It printed: {{lastToolOutput}}' }],
});

/** Nobody has agreed to anything, and nobody is there to ask. */
const given = (command: string): BenchOptions => ({ consent: false, scenarios: { command: commanding(command) } });

const stateOf = (bench: Bench, engine: LoopbackEngine) =>
  bench.wiring.settings.environment[stateVariable[engine]] ?? assert.fail('no state folder');

for (const engine of engines) {
  describe(`${engine} in the sandbox`, function () {
    this.timeout(60_000);
    /** A folder of the person's home. */
    let own: string;

    before(needsSandbox);

    beforeEach(() => {
      mkdirSync(join(homedir(), '.cache'), { recursive: true });
      own = mkdtempSync(join(homedir(), '.cache', 'sallyport-agents-'));
      writeFileSync(join(own, 'secret'), 'the-secret-of-the-person');
    });

    afterEach(() => rmSync(own, { recursive: true, force: true }));

    it('writes and runs what it is asked to, without anybody’s consent', () =>
      Bench.with(
        [engine],
        async (bench) => {
          const { status, text, files, notes } = await bench.run('[[scenario: command]] Do it.');
          assert.equal(status, 'completed', text);
          assert.deepEqual({ files, notes }, { files: [{ path: 'made.txt', kind: 'added' }], notes: [] });
        },
        given('echo made > made.txt'),
      ));

    it('reads nothing of the person’s home, and writes nothing outside the workspace', () => {
      // Beside `own` the CLI's own test home lies in that folder, and no more.
      const read = `cat ${own}/secret; ls ${homedir()}/.cache; ls -A ${homedir()}`;
      const write = `echo x > ${own}/breach; echo x > ${homedir()}/breach; echo x > /usr/breach; echo x > /tmp/sallyport-breach`;
      return Bench.with(
        [engine],
        async (bench) => {
          const { status, text } = await bench.run('[[scenario: command]] Do it.');
          assert.equal(status, 'completed', text);
          assert.match(text, /tried-it/);
          assert.doesNotMatch(text, /the-secret-of-the-person|\.ssh|\.bashrc/);
          for (const place of [`${own}/breach`, `${homedir()}/breach`, '/usr/breach', '/tmp/sallyport-breach']) {
            assert.ok(!existsSync(place), place);
          }
        },
        given(`(${read}; ${write}) 2>&1; echo tried-it`),
      );
    });

    it('can replace its token by a rename, and leave nothing that steers the next session', () => {
      const rules = engine === 'claude' ? 'CLAUDE.md' : 'AGENTS.md';
      const token = 'echo new > t && mv t token.json';
      const plant = `echo evil > ${rules}; mkdir -p skills/evil; echo evil > skills/evil/SKILL.md`;
      return Bench.with(
        [engine],
        async (bench) => {
          const { status, text } = await bench.run('[[scenario: command]] Do it.');
          assert.equal(status, 'completed', text);
          const state = stateOf(bench, engine);
          assert.equal(readFileSync(join(state, 'token.json'), 'utf8'), 'new\n');
          assert.equal(readFileSync(join(state, rules), 'utf8'), '');
          assert.ok(!existsSync(join(state, 'skills', 'evil')));
        },
        given(`cd "$${stateVariable[engine]}" && ${token}; ${plant}; true`),
      );
    });

    it('finds its state and keeps its sessions below HOME, where people have them', () =>
      Bench.with([engine], async (bench) => {
        const { [stateVariable[engine]]: state, ...environment } = bench.wiring.settings.environment;
        const home = environment.HOME ?? assert.fail('no home');
        const inHome = join(home, `.${engine}`);
        mkdirSync(inHome);
        if (engine !== 'claude') copyFileSync(join(state ?? '', 'config.toml'), join(inHome, 'config.toml'));
        const account = JSON.stringify({ numStartups: 7, mcpServers: { notes: { command: '/no/such' } } });
        writeFileSync(join(home, '.claude.json'), account);
        bench.change({ environment });
        const first = await bench.run('[[scenario: remember]] Begin.');
        assert.equal(first.text, 'I have seen 1 user turn(s).');
        assert.equal((await bench.followUp(first, '[[scenario: remember]] And?')).text, 'I have seen 2 user turn(s).');
        assert.equal(readFileSync(join(home, '.claude.json'), 'utf8'), account);
        assert.deepEqual(readdirSync(home).sort(), ['.claude.json', `.${engine}`].sort());
      }));

    it('says in its result what git could not save', () =>
      Bench.with(
        [engine],
        async (bench) => {
          const { text, notes } = await bench.run('[[scenario: command]] Do it.');
          assert.match(text, /could not write config file/);
          assert.match(notes.join(), /allowGitConfig/);
          assert.match(bench.lastRequest().prompt, /config and hooks are read-only/);
        },
        given('git config branch.main.remote origin; true'),
      ));

    it('loads nothing of what the person has collected in its home', async () => {
      const asked = async (options: BenchOptions): Promise<{ sent: string; started: boolean }> => {
        const started = join(own, 'started');
        rmSync(started, { force: true });
        let sent = '';
        await Bench.with(
          [engine],
          async (bench) => {
            await fillHome(engine, stateOf(bench, engine), started);
            const { status, text } = await bench.run('[[scenario: answer]] What is it?', { access: 'readOnly' });
            assert.equal(status, 'completed', text);
            sent = JSON.stringify(bench.lastRequest().body);
          },
          options,
        );
        return { sent, started: existsSync(started) };
      };
      const inside = await asked({});
      assert.ok(!inside.sent.includes(heavyWord), 'in the request');
      assert.ok(!inside.started, 'a hook or server was started');
      const outside = await asked({ settings: { sandbox: unsandboxed } });
      // Claude Code is told to leave the person's own things alone by its flags too.
      if (engine !== 'claude') assert.ok(outside.sent.length > inside.sent.length + 10_000, 'outside there is more');
    });
  });
}
