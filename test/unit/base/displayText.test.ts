import assert from 'node:assert/strict';
import { oneLine, showHidden } from '../../../src/base/displayText.ts';

describe('display text', () => {
  it('shows controls, escapes and C1 bytes', () => {
    assert.equal(showHidden('a\u001b[2Kb\rc\u009bd'), 'a\\u{1B}[2Kb\\u{D}c\\u{9B}d');
  });

  it('shows bidi, zero-width, separator and tag characters', () => {
    assert.equal(
      showHidden('\u202erm\u2066\u200b\u2028\u{e0041}\ufeff'),
      '\\u{202E}rm\\u{2066}\\u{200B}\\u{2028}\\u{E0041}\\u{FEFF}',
    );
  });

  it('leaves text, tabs, line feeds and joined emoji alone', () => {
    const text = 'Grüße\t→ 日本\n👩‍💻 👍🏽 👩🏽‍🚀';
    assert.equal(showHidden(text), text);
  });

  it('shows a joiner that joins no emoji', () => {
    assert.equal(showHidden('pay\u200dpal'), 'pay\\u{200D}pal');
  });

  it('folds white space into one line and cuts it', () => {
    assert.equal(oneLine('  npm\n\n test\t--all ', 80), 'npm test --all');
    assert.equal(oneLine('x'.repeat(500), 10), `${'x'.repeat(9)}…`);
  });

  it('does not look at more of a huge text than it shows', () => {
    assert.equal(oneLine(`ok${' '.repeat(50_000_000)}`, 5), 'ok');
  });
});
