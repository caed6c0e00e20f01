import assert from 'node:assert/strict';
import { promptWithSelection, selectionReference } from '../../../src/vscode/commands/selection.ts';

const selected = (startLine: number, endLine: number, endCharacter = 4, file = '/w/src/a b.ts') =>
  selectionReference({ file, startLine, endLine, endCharacter }, '/w');

describe('selection', () => {
  it('names the lines from 1', () => {
    assert.equal(selected(9, 19), 'src/a b.ts:10-20');
  });

  it('names one line once', () => {
    assert.equal(selected(9, 9), 'src/a b.ts:10');
  });

  it('leaves out a last line of which nothing is selected', () => {
    assert.equal(selected(9, 12, 0), 'src/a b.ts:10-12');
    assert.equal(selected(9, 10, 0), 'src/a b.ts:10');
  });

  it('names a file outside the folder by its whole path', () => {
    assert.equal(selected(0, 1, 3, '/other/x.ts'), '/other/x.ts:1-2');
  });

  it('adds the selection after the words', () => {
    assert.equal(promptWithSelection('Fix it', 'a.ts:1'), 'Fix it\n\nThis is about the selection at a.ts:1.');
    assert.equal(promptWithSelection('Fix it', undefined), 'Fix it');
  });
});
