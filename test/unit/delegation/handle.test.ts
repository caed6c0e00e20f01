import assert from 'node:assert/strict';
import { formatHandle, parseHandle } from '../../../src/delegation/handle.ts';

describe('session handles', () => {
  it('come back as they were written', () => {
    const handle = { engine: 'codex', id: '0199a213-81c0-7800-8aa1-bbab2a035a53' } as const;
    assert.deepEqual(parseHandle(formatHandle(handle)), handle);
  });

  for (const text of ['session_id: grok:abc-1', ' `grok:abc-1` ', '"grok:abc-1"', 'grok:abc-1\n']) {
    it(`are read out of ${JSON.stringify(text)}`, () => {
      assert.deepEqual(parseHandle(text), { engine: 'grok', id: 'abc-1' });
    });
  }

  for (const text of [
    '',
    'codex',
    'codex:',
    'vim:abc',
    'codex:--flag',
    'codex:a b',
    'codex:a/../b',
    `codex:${'a'.repeat(129)}`,
  ]) {
    it(`are not ${JSON.stringify(text.slice(0, 40))}`, () => {
      assert.equal(parseHandle(text), undefined);
    });
  }
});
