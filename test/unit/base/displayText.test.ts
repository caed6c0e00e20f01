import assert from 'node:assert/strict';
import fc from 'fast-check';
import { oneLine, reveal, revealParts, showHidden } from '../../../src/base/displayText.ts';

describe('display text', () => {
  it('shows controls, escape sequences and C1 bytes', () => {
    assert.deepEqual(reveal('a\u001b[2Kb\rc\u009bd\u0007'), { text: 'a\\x1b[2Kb\\x0dc\\x9bd\\x07', suspicious: true });
    assert.equal(showHidden('\u001b]52;c;cm0=\u0007'), '\\x1b]52;c;cm0=\\x07');
  });

  it('shows bidi, zero-width, separator, filler and tag characters', () => {
    assert.deepEqual(reveal('\u202erm\u2066\u200b\u2028\u2029\u{e0041}\ufeff\u3164'), {
      text: '\\u{202e}rm\\u{2066}\\u{200b}\\u{2028}\\u{2029}\\u{e0041}\\u{feff}\\u{3164}',
      suspicious: true,
    });
  });

  it('shows lone surrogates and leaves pairs', () => {
    assert.deepEqual(reveal('a\ud83db\udc69'), { text: 'a\\u{d83d}b\\u{dc69}', suspicious: true });
    assert.deepEqual(reveal('👩'), { text: '👩', suspicious: false });
  });

  it('leaves text, tabs, line feeds and joined emoji alone', () => {
    const text = 'Grüße\t→ 日本\n👩‍💻 👍🏽 👩🏽‍🚀 ❤️‍🔥 שלום';
    assert.deepEqual(reveal(text), { text, suspicious: false });
  });

  it('shows a joiner that joins no emoji', () => {
    assert.equal(showHidden('pay\u200dpal'), 'pay\\u{200d}pal');
  });

  it('reads CR LF as a line feed, and a lone CR as what it is', () => {
    assert.deepEqual(reveal('a\r\nb'), { text: 'a\nb', suspicious: false });
    assert.equal(reveal('safe\rrm').suspicious, true);
  });

  it('shows line feeds and tabs where no layout is wanted, without suspicion', () => {
    assert.deepEqual(reveal('a\tb\nc\r\nd', false), { text: 'a\\x09b\\x0ac\\x0d\\x0ad', suspicious: false });
  });

  it('leaves nothing that acts or hides, whatever comes in, and suspects nothing in its own output', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = reveal(text).text;
        assert.doesNotMatch(
          shown,
          /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\u200b\u{e0000}-\u{e007f}]|\p{Surrogate}/u,
        );
        assert.deepEqual(reveal(shown), { text: shown, suspicious: false });
      }),
    );
  });

  it('tells in parts what it shows as a whole', () => {
    assert.deepEqual(revealParts('a\u001b[2K\r\nb\u202e'), [
      { text: 'a' },
      { text: '\\x1b', hidden: true },
      { text: '[2K\nb' },
      { text: '\\u{202e}', hidden: true },
    ]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const parts = revealParts(text);
        const whole = parts.map((part) => part.text).join('');
        assert.deepEqual({ text: whole, suspicious: parts.some(({ hidden }) => hidden) }, reveal(text));
      }),
    );
  });

  it('folds white space into one line and cuts it', () => {
    assert.equal(oneLine('  npm\n\n test\t--all ', 80), 'npm test --all');
    assert.equal(oneLine('x'.repeat(500), 10), `${'x'.repeat(9)}…`);
    assert.equal(oneLine(`12345678😀😀`, 10), '12345678…');
    assert.equal(oneLine('rm \u202e x\u001b[2K', 80), 'rm \\u{202e} x\\x1b[2K');
  });

  it('does not look at more of a huge text than it shows', () => {
    assert.equal(oneLine(`ok${' '.repeat(50_000_000)}`, 5), 'ok');
  });
});
