import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkQuotes } from '../../../../src/delegation/command/quotes.ts';

describe('quotes of a log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-quotes-'));
  const file = join(folder, 'output.log');
  const long = `a very long line ${'that goes on and on '.repeat(100)}`;

  before(() => writeFileSync(file, ['one', 'two', '  three   four', 'two', long].join('\n')));
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [what, answer, expected] of [
    ['words without a number are the agent’s own', 'All is well.', ['All is well.', 0, 0]],
    ['a true quote stays', 'So:\n1: one', ['So:\n1: one', 0, 0]],
    ['a quote in other dress loses it', '- `1: one`', ['1: one', 0, 0]],
    ['white space does not count', '3: three four', ['3: three four', 0, 0]],
    ['a wrong number is corrected', '9: one', ['1: one', 1, 0]],
    ['what could be two lines is dropped', '9: two\n4: two', ['4: two', 0, 1]],
    ['what is nowhere is dropped', '1: two\n2: five', ['', 0, 2]],
    ['the beginning of a long line will do', `5: ${long.slice(0, 60)}…`, [`5: ${long.slice(0, 60)}…`, 0, 0]],
    ['and is found', `7: ${long.slice(0, 60)}...`, [`5: ${long.slice(0, 60)}...`, 1, 0]],
    ['a short beginning will not', '1: o…', ['', 0, 1]],
  ] as const) {
    it(what, async () => {
      const { text, renumbered, dropped } = await checkQuotes(answer, file);
      assert.deepEqual([text, renumbered, dropped], expected);
    });
  }
});
