import assert from 'node:assert/strict';
import { showsOnly } from '../../../../src/vscode/waiting/shownTabs.ts';

describe('tabs of a request', () => {
  const ours = new Set(['a:1', 'a:2', 'a:3', 'a:4']);
  const pair = (original: string, modified: string) => ({ original, modified });

  it('are those that compare only what was opened for it', () => {
    assert.ok(showsOnly(pair('a:1', 'a:2'), ours));
    assert.ok(showsOnly({ textDiffs: [pair('a:1', 'a:2'), pair('a:3', 'a:4')] }, ours));
    assert.ok(!showsOnly(pair('a:1', 'file:2'), ours));
    assert.ok(!showsOnly({ textDiffs: [pair('a:1', 'a:2'), pair('b:3', 'a:4')] }, ours));
  });

  it('are no others', () => {
    for (const input of [undefined, null, {}, { uri: 'a:1' }, { textDiffs: [] }, { textDiffs: ['a:1'] }]) {
      assert.ok(!showsOnly(input, ours));
    }
  });
});
