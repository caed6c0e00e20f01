import assert from 'node:assert/strict';
import {
  gitFinding,
  sandboxFinding,
  type SandboxFacts,
  terminalsFinding,
  tmuxFinding,
  type TmuxFacts,
} from '../../../../src/vscode/doctor/machineFindings.ts';
import { findInstallCommand } from '../../../../src/vscode/doctor/packageManagers.ts';
import { english } from '../../../support/sampleRequests.ts';

const apt = (name: string) => `sudo apt-get install ${name}`;
const none = { ok: false, why: 'No program was found.' } as const;

describe('what is found about the sandbox', () => {
  const working: SandboxFacts = {
    platform: 'linux',
    mode: 'auto',
    available: { ok: true },
    isInstalled: true,
    isHeldByAppArmor: false,
    install: apt,
  };
  const refused = { available: { ok: false, why: 'this system does not let programs make user namespaces' } } as const;
  const cases: readonly [string, Partial<SandboxFacts>, string, string, RegExp | undefined][] = [
    ['works', {}, 'ok', 'Works', undefined],
    ['switched off', { mode: 'off' }, 'warning', 'Switched off', undefined],
    ['elsewhere', { platform: 'darwin', ...refused }, 'optional', 'None on this system', undefined],
    ['absent', { ...refused, isInstalled: false }, 'missing', 'Not installed', /apt-get install bubblewrap/],
    ['refused', refused, 'warning', 'Refused by this system', undefined],
    [
      'by AppArmor',
      { ...refused, isHeldByAppArmor: true },
      'missing',
      'Refused by this system',
      /bwrap-userns-restrict/,
    ],
  ];
  for (const [name, facts, state, verdict, command] of cases) {
    it(name, () => {
      const finding = sandboxFinding({ ...working, ...facts }, english);
      assert.deepEqual([finding.state, finding.verdict], [state, verdict]);
      const [first] = finding.remedies;
      if (command) assert.match(first?.kind === 'terminal' ? first.command : '', command);
      else assert.notEqual(first?.kind, 'terminal');
    });
  }

  it('names the reason, and the setting', () => {
    assert.ok(
      sandboxFinding({ ...working, ...refused }, english)
        .found.join()
        .includes(refused.available.why),
    );
    const off = sandboxFinding({ ...working, mode: 'off' }, english).remedies[0];
    assert.equal(off?.kind === 'settings' && off.query, 'sandbox.mode');
  });

  it('has a link where no package manager is known', () => {
    const unknown = sandboxFinding({ ...working, ...refused, isInstalled: false, install: () => undefined }, english);
    assert.equal(unknown.remedies[0]?.kind, 'link');
  });
});

describe('what is found about tmux', () => {
  const working: TmuxFacts = {
    platform: 'linux',
    place: { ok: true, file: '/usr/bin/tmux' },
    version: '3.3a',
    servers: 2,
    panes: 5,
    failures: [],
    install: apt,
  };
  it('works', () => {
    const { state, found } = tmuxFinding(working, english);
    assert.deepEqual([state, found], ['ok', ['Version 3.3a: /usr/bin/tmux', 'Servers: 2, panes: 5']]);
    assert.match(tmuxFinding({ ...working, servers: 0, panes: 0 }, english).found.join(), /No server runs/);
  });
  it('is not needed', () => {
    const absent = tmuxFinding({ ...working, place: none }, english);
    assert.deepEqual([absent.state, absent.verdict], ['optional', 'Not installed']);
    assert.equal(absent.remedies[0]?.kind, 'terminal');
    assert.deepEqual(tmuxFinding({ ...working, place: none, platform: 'win32' }, english).remedies, []);
  });
  it('has a server that is silent', () => {
    const finding = tmuxFinding({ ...working, failures: ['tmux has not answered for 5 seconds.'] }, english);
    assert.equal(finding.state, 'warning');
    assert.ok(finding.found.includes('tmux has not answered for 5 seconds.'));
  });
});

describe('what is found about terminals and git', () => {
  it('works', () => {
    assert.equal(terminalsFinding(undefined, english).state, 'ok');
    assert.deepEqual(gitFinding({ place: { ok: true, file: '/usr/bin/git' }, install: apt }, english).found, [
      '/usr/bin/git',
    ]);
  });
  it('does not', () => {
    const terminals = terminalsFinding('no native part', english);
    assert.deepEqual([terminals.state, terminals.found], ['warning', ['no native part']]);
    const git = gitFinding({ place: none, install: apt }, english);
    const [install] = git.remedies;
    assert.equal(git.state, 'missing');
    assert.equal(install?.kind === 'terminal' && install.command, 'sudo apt-get install git');
  });
});

describe('the command that installs', () => {
  const command = async (platform: NodeJS.Platform, ...there: string[]) =>
    (await findInstallCommand(platform, (program) => Promise.resolve(there.includes(program))))('tmux');
  it('is that of the system’s own package manager', async () => {
    assert.equal(await command('linux', 'brew', 'apt-get'), 'sudo apt-get install tmux');
    assert.equal(await command('linux', 'dnf'), 'sudo dnf install tmux');
    assert.equal(await command('linux', 'pacman'), 'sudo pacman -S tmux');
    assert.equal(await command('darwin', 'brew'), 'brew install tmux');
    assert.equal(await command('win32', 'winget', 'apt-get'), 'winget install tmux');
    assert.equal(await command('linux'), undefined);
  });
});
