import assert from 'node:assert/strict';
import { findLookAlikes } from '../../../src/base/lookAlikes.ts';

describe('letters that look like others', () => {
  const found = (text: string) => findLookAlikes(text).map(({ at, length }) => text.slice(at, at + length));

  it('are found where a Latin word holds one of another script', () => {
    assert.deepEqual(found('\u0441url https://p\u0430ypal.com'), ['\u0441', '\u0430']);
    assert.deepEqual(found('git\u03bfne'), ['\u03bf']);
  });

  it('are found wherever full-width or mathematical letters stand for ASCII', () => {
    assert.deepEqual(found('\uff52\uff4d -rf \u{1d42b}'), ['\uff52', '\uff4d', '\u{1d42b}']);
  });

  it('are not what people write in their own script, or as symbols', () => {
    for (const text of [
      'привет мир',
      'Δx = 3 μs',
      'αβγ',
      'Grüße, naïve café',
      '日本語！（テスト）',
      'echo "сообщение"',
      'version2',
    ]) {
      assert.deepEqual(found(text), [], text);
    }
  });
});
