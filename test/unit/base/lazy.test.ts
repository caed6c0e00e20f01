import assert from 'node:assert/strict';
import { lazy } from '../../../src/base/lazy.ts';

describe('lazy', () => {
  it('makes once, on the first call', async () => {
    let made = 0;
    const get = lazy(() => Promise.resolve(++made));
    assert.equal(made, 0);
    assert.deepEqual(await Promise.all([get(), get()]), [1, 1]);
    assert.equal(await get.started, 1);
  });

  it('tries again after a failure', async () => {
    let tries = 0;
    const get = lazy(() => (++tries === 1 ? Promise.reject(new Error('once')) : Promise.resolve('made')));
    await assert.rejects(get(), /once/);
    assert.equal(await get(), 'made');
  });
});
