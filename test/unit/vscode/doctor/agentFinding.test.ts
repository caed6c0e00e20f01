import assert from 'node:assert/strict';
import { claude } from '../../../../src/engines/claude.ts';
import { codex } from '../../../../src/engines/codex.ts';
import { engines } from '../../../../src/engines/registry.ts';
import { type AgentFacts, agentFinding } from '../../../../src/vscode/doctor/agentFinding.ts';
import type { Finding } from '../../../../src/vscode/doctor/finding.ts';
import { english } from '../../../support/sampleRequests.ts';

const ready: AgentFacts = {
  engine: codex,
  place: { ok: true, file: '/bin/codex' },
  isConfigured: false,
  readiness: { ok: true, installed: { binary: '/bin/codex', version: '0.171.0' } },
  signIn: { state: 'signedIn', how: 'ChatGPT' },
  levels: [1, 3],
  illHealth: undefined,
  limitSeconds: 5,
};
const look = (facts: Partial<AgentFacts>): Finding => agentFinding({ ...ready, ...facts }, english);
const commands = ({ remedies }: Finding) =>
  remedies.flatMap((each) => (each.kind === 'terminal' ? [each.command] : []));

describe('what is found about an agent', () => {
  it('that is ready', () => {
    assert.deepEqual(look({}), {
      state: 'ok',
      verdict: 'Signed in',
      account: undefined,
      found: ['Version 0.171.0: /bin/codex', 'Delegation levels that ask for it: 1, 3', 'Signed in by: ChatGPT'],
      remedies: [],
    });
  });

  it('keeps the account apart, for reports to leave it out', () => {
    const finding = look({ signIn: { state: 'signedIn', account: 'ada@example.com' } });
    assert.equal(finding.account, 'ada@example.com');
    assert.doesNotMatch(finding.found.join(), /ada/);
  });

  it('that is not installed: the command for each, and the setting', () => {
    const none = {
      place: { ok: false, why: 'No program was found.' },
      readiness: undefined,
      signIn: undefined,
    } as const;
    for (const engine of engines) {
      const finding = look({ ...none, engine });
      assert.equal(finding.state, 'missing');
      assert.equal(finding.absent, true);
      assert.equal(finding.verdict, 'Not installed');
      assert.match(commands(finding)[0] ?? '', /^(npm install -g @|curl https:\/\/cursor)/);
      assert.deepEqual(finding.remedies[1], {
        kind: 'settings',
        whose: 'own',
        query: `${engine.id}.path`,
        label: 'Open Settings',
      });
    }
    const misnamed = look({ ...none, isConfigured: true });
    assert.deepEqual([misnamed.state, misnamed.absent, commands(misnamed)], ['missing', undefined, []]);
    assert.match(misnamed.advice ?? '', /sallyport\.codex\.path/);
  });

  it('that does not answer', () => {
    const finding = look({ readiness: 'silent', signIn: undefined });
    assert.deepEqual([finding.state, finding.verdict], ['unknown', 'Did not answer within 5 s']);
    assert.deepEqual(commands(finding), ['/bin/codex --version']);
  });

  it('that is another program, or too old', () => {
    const not = (message: string) =>
      look({ readiness: { ok: false, reason: 'notInstalled', message }, signIn: undefined });
    const other = not(`/bin/codex: This is not OpenAI's Codex CLI. ${codex.installHint}`);
    assert.deepEqual([other.state, other.verdict, other.absent], ['missing', 'Not usable', undefined]);
    assert.deepEqual(commands(other), ['npm install -g @openai/codex']);
    const old = not(
      '/bin/claude: Claude Code 1 is too old: it has no --tools. Run `claude update`. Install it with `x`.',
    );
    assert.deepEqual([old.verdict, commands(old)], ['Too old', ['claude update']]);
  });

  it('that nobody is signed in to: the command to type, of the program that is used', () => {
    const out = { signIn: { state: 'signedOut' } } as const;
    assert.deepEqual([look(out).state, look(out).verdict], ['missing', 'Not signed in']);
    assert.deepEqual(commands(look(out)), ['codex login']);
    assert.deepEqual(commands(look({ ...out, isConfigured: true })), ['/bin/codex login']);
    const spaced = { isConfigured: true, place: { ok: true, file: '/my tools/$x/codex' } } as const;
    assert.deepEqual(commands(look({ ...out, ...spaced })), ['"/my tools/\\$x/codex" login']);
    assert.deepEqual(commands(look({ ...out, engine: claude })), ['claude auth login']);
  });

  it('that cannot say who is signed in: it may work', () => {
    const silent = look({ signIn: { state: 'silent' } });
    assert.deepEqual([silent.state, commands(silent)], ['warning', ['codex login status']]);
    assert.match(silent.found.join('\n'), /`codex login status` did not answer within 5 s/);
    for (const state of ['notAsked', 'unknown'] as const) assert.equal(look({ signIn: { state } }).state, 'warning');
  });

  it('that is passed over for now', () => {
    const finding = look({ illHealth: '2 of its runs failed within the hour' });
    assert.equal(finding.state, 'warning');
    assert.ok(finding.found.includes('2 of its runs failed within the hour'));
  });
});
