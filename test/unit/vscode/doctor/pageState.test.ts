import assert from 'node:assert/strict';
import { readSetupPage } from '../../../../src/protocol/setupPage.ts';
import { type Finding, fine } from '../../../../src/vscode/doctor/finding.ts';
import { type PageInput, pageState } from '../../../../src/vscode/doctor/pageState.ts';
import { reportText } from '../../../../src/vscode/doctor/reportText.ts';
import { setupInput } from '../../../support/setupInput.ts';
import { english } from '../../../support/sampleRequests.ts';

const absent: Finding = { ...fine('Not installed'), state: 'missing', absent: true };
const signedOut: Finding = { ...fine('Not signed in'), state: 'missing' };
const page = (findings: Record<string, Finding>, input: Partial<PageInput> = {}) =>
  pageState({ ...setupInput(findings), ...input }, english);
const all = (codex: Finding, grok: Finding, sandbox = fine('Works')) => ({
  codex,
  grok,
  sandbox,
  mcp: fine('Offered'),
});
const states = ({ groups }: ReturnType<typeof page>) => groups.flatMap(({ rows }) => rows.map(({ state }) => state));

describe('the page of Check Setup', () => {
  it('says what is still looked at', () => {
    const { summary, groups } = page(
      { codex: fine('Signed in') },
      { pending: new Set(['codex', 'grok', 'sandbox', 'mcp']) },
    );
    assert.deepEqual(summary, { tone: 'busy', text: 'Checking: Codex, Grok, Sandbox, Tools' });
    assert.deepEqual(
      groups[0]?.rows.map(({ state }) => state),
      ['checking', 'checking'],
    );
  });

  it('keeps what was found while it looks again', () => {
    const [row] =
      page(all(fine('Signed in', '/bin/codex'), absent), { pending: new Set(['codex']) }).groups[0]?.rows ?? [];
    assert.deepEqual([row?.state, row?.verdict, row?.found], ['checking', 'Checking…', ['/bin/codex']]);
  });

  it('needs one agent: others that are not there are no fault', () => {
    const ready = page(all(fine('Signed in'), absent));
    assert.deepEqual(states(ready), ['ok', 'optional', 'ok', 'ok']);
    assert.deepEqual(ready.summary, { tone: 'good', text: 'Ready: Codex' });
    assert.deepEqual(states(page(all(absent, absent))).slice(0, 2), ['missing', 'missing']);
    assert.equal(page(all(absent, absent)).summary.text, 'No agent is ready. Install one and sign in to it.');
    assert.equal(page(all(signedOut, absent)).summary.text, 'No agent is ready. Codex: Not signed in');
    assert.deepEqual(states(page(all(fine('Signed in'), signedOut))).slice(0, 2), ['ok', 'missing']);
  });

  it('names what is to mend', () => {
    const { summary } = page(all(fine('Signed in'), signedOut, { ...fine('Not installed'), state: 'missing' }));
    assert.deepEqual(summary, { tone: 'bad', text: 'Ready: Codex. To look at: Grok, Sandbox' });
  });

  it('says in Restricted Mode why so little is known', () => {
    const { notice, summary } = page(all(absent, absent), { isTrusted: false });
    assert.match(notice?.text ?? '', /Restricted Mode, in which Sallyport starts nothing/);
    assert.equal(summary.text, 'Not everything could be checked.');
  });

  it('shows the command that the first button types, and no character that hides', () => {
    const finding: Finding = {
      ...signedOut,
      found: ['/bin/\u202ecodex'],
      account: 'ada@example.com',
      remedies: [
        { kind: 'terminal', command: 'codex login', label: 'Type in Terminal' },
        { kind: 'settings', whose: 'own', query: 'x', label: 'Open Settings' },
      ],
    };
    const row = page(all(finding, absent)).groups[0]?.rows[0];
    assert.equal(row?.command, 'codex login');
    assert.deepEqual(row.buttons, ['Type in Terminal', 'Open Settings']);
    assert.deepEqual(row.found, ['/bin/\\u{202e}codex', 'Account: ada@example.com']);
  });

  it('is what the page understands', () => {
    const state = page(all(signedOut, absent), { done: 'Copied.', isTrusted: false });
    assert.deepEqual(readSetupPage(JSON.parse(JSON.stringify(state))), state);
    assert.equal(readSetupPage({ type: 'state' }), undefined);
  });
});

describe('the page as text', () => {
  it('tells everything but accounts and the name of the home folder', () => {
    const codex = { ...fine('Signed in', '/home/ada/bin/codex'), account: 'ada@example.com' };
    const text = reportText({ ...setupInput(all(codex, absent)), about: 'Sallyport 1 · Code 2' }, '/home/ada', english);
    assert.match(text, /Sallyport 1 · Code 2/);
    assert.match(text, /^- Codex: Signed in \[ok\]\n {2}- ~\/bin\/codex$/m);
    assert.match(text, /^- Grok: Not installed \[optional\]$/m);
    assert.doesNotMatch(text, /ada/);
  });
});
