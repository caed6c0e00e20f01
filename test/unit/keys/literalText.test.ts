import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assertLiteral, utf8Pieces } from '../../../src/keys/literalText.ts';
import { sendArguments } from '../../../src/keys/tmuxTarget.ts';

describe('literal text', () => {
  it('comes in pieces that cut no character', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 4, max: 40 }), (text, maxBytes) => {
        const pieces = utf8Pieces(text, maxBytes);
        assert.ok(pieces.every((piece) => piece.length > 0 && piece.length <= maxBytes));
        assert.equal(pieces.map((piece) => piece.toString('utf8')).join(''), text);
      }),
    );
    assert.deepEqual(utf8Pieces('', 10), []);
  });

  it('is refused with the place of what would act', () => {
    assert.throws(() => assertLiteral('a\tb'), /U\+0009/);
    assert.throws(() => assertLiteral('a\u009b'), /U\+009B/);
    assertLiteral('größe 漢字 🚀 \u00a0');
  });

  it('reaches tmux as hexadecimal bytes alone, whatever it is, and never as Tab or Shift+Tab', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (text) => {
        let commands: string[] = [];
        try {
          commands = sendArguments({ text });
        } catch {
          assert.match(text, /[\u0000-\u001f\u007f-\u009f]/);
        }
        for (const command of commands) {
          assert.match(command, /^-H(?: [\da-f]{2})+$/);
          assert.doesNotMatch(command, / (?:09|1b|0d|0a)\b/);
        }
      }),
    );
  });
});
