import assert from 'node:assert/strict';
import { isInside } from '../../../src/base/inside.ts';

describe('inside', () => {
  it('takes a folder itself and what lies below it', () => {
    assert.equal(isInside('/w/a', '/w/a'), true);
    assert.equal(isInside('/w/a/b/c.ts', '/w/a'), true);
    assert.equal(isInside('/w/a/..b/c.ts', '/w/a'), true);
  });

  it('takes no neighbour and no parent', () => {
    assert.equal(isInside('/w/ab', '/w/a'), false);
    assert.equal(isInside('/w', '/w/a'), false);
    assert.equal(isInside('/w/a/../b', '/w/a'), false);
  });
});
