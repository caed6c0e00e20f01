import assert from 'node:assert/strict';
import { questionOf } from '../../../src/vscode/consentText.ts';

const l10n = {
  t: (text: unknown, ...values: unknown[]) =>
    String(text).replace(/\{(\d)\}/g, (_, index) => String(values[Number(index)])),
};
const detailOf = (command: string) => questionOf({ kind: 'command', command }, '/w', l10n).detail;

describe('the question for work without a sandbox', () => {
  it('names the agent, and how it would act', () => {
    const { question, detail } = questionOf({ kind: 'agent', title: 'Grok' }, '/w', l10n);
    assert.equal(question, 'Let Grok work without a sandbox in /w?');
    assert.match(detail, /^Its command line tool/);
  });

  it('shows a command, and says nothing of an agent', () => {
    const { question, detail } = questionOf({ kind: 'command', command: 'npm test' }, '/w', l10n);
    assert.equal(question, 'Run a shell command without a sandbox in /w?');
    assert.match(detail, /\n\nnpm test\n\n/);
    assert.doesNotMatch(detail, /command line tool|agent/);
  });

  it('shows what hides in a command: further lines, and characters that cannot be seen', () => {
    assert.match(detailOf('npm test\nrm -rf ~'), /npm test ⏎ rm -rf ~/);
    assert.match(detailOf('echo \u202eabc\u001b[2K'), /echo \\u\{202e\}abc\\x1b\[2K/);
  });

  it('says how much of a long command is not shown', () => {
    const detail = detailOf(`echo ${'a'.repeat(1000)}`);
    assert.match(detail, /…? ?\(shortened: 1005 characters in all\)/);
    assert.ok(detail.length < 600);
  });
});
