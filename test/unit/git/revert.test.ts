import assert from 'node:assert/strict';
import type { FileVersion } from '../../../src/git/fileVersion.ts';
import { reversalOf } from '../../../src/git/revert.ts';

const file = (text: string, executable = false): FileVersion => ({
  kind: 'file',
  bytes: Buffer.from(text),
  executable,
});
const link = (target: string): FileVersion => ({ kind: 'link', target: Buffer.from(target) });
const absent: FileVersion = { kind: 'absent' };
const unknown: FileVersion = { kind: 'unknown' };

describe('reversalOf', () => {
  const cases: [what: string, before: FileVersion, after: FileVersion, now: FileVersion, expected: string][] = [
    ['writes what was there', file('a'), file('b'), file('b'), 'write'],
    ['has nothing to do where it is as before', file('a'), file('b'), file('a'), 'nothing'],
    ['removes what came', absent, file('b'), file('b'), 'write'],
    ['has nothing to do where what came is gone', absent, file('b'), absent, 'nothing'],
    ['brings back what went', file('a'), absent, absent, 'write'],
    ['has nothing to do where what went is back', file('a'), absent, file('a'), 'nothing'],
    ['keeps a file that came and was changed', absent, file('b'), file('c'), 'changedAgain'],
    ['keeps a file that came where one had gone', file('a'), absent, file('c'), 'createdSince'],
    ['leaves alone what was deleted since', file('a'), file('b'), absent, 'deletedSince'],
    ['merges a text that was changed elsewhere', file('a\n1\n'), file('b\n1\n'), file('b\n2\n'), 'merge'],
    ['does not merge what has no lines', file('\0a'), file('\0b'), file('\0c'), 'changedAgain'],
    ['puts a link back', link('x'), link('y'), link('y'), 'write'],
    ['puts a file back where a link came', file('a'), link('y'), link('y'), 'write'],
    ['keeps a file that replaced a changed link', link('x'), link('y'), file('c'), 'changedAgain'],
    ['does not guess what was not kept', unknown, file('b'), file('b'), 'notKept'],
    ['does not overwrite a folder', file('a'), file('b'), unknown, 'changedAgain'],
    ['does not overwrite a folder where a file went', file('a'), absent, unknown, 'createdSince'],
  ];
  for (const [what, before, after, now, expected] of cases) {
    it(what, () => {
      const reversal = reversalOf({ before, after, now });
      assert.equal(reversal.kind === 'refused' ? reversal.why : reversal.kind, expected);
      if (reversal.kind === 'write') assert.deepEqual(reversal.version, before);
    });
  }

  it('takes back a change of mode and leaves one alone that came later', () => {
    const own = reversalOf({ before: file('a'), after: file('a', true), now: file('a', true) });
    assert.deepEqual(own, { kind: 'write', version: file('a') });
    const later = reversalOf({ before: file('a'), after: file('b'), now: file('b', true) });
    assert.deepEqual(later, { kind: 'write', version: file('a', true) });
    const both = reversalOf({ before: file('a\n'), after: file('b\n', true), now: file('b\nc\n', true) });
    assert.equal(both.kind === 'merge' && both.executable, false);
  });
});
