import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStateFolders } from '../../../src/base/stateFolders.ts';

describe('the state folders', () => {
  let base: string;

  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'sallyport-state-'));
  });

  afterEach(() => rmSync(base, { recursive: true }));

  it('are private', () => {
    const folders = openStateFolders(join(base, 'own'));
    for (const folder of Object.values<string>({ ...folders }))
      assert.equal(statSync(folder).mode & 0o777, 0o700, folder);
  });

  it('say what to do when they cannot be made', () => {
    writeFileSync(join(base, 'file'), '');
    assert.throws(() => openStateFolders(join(base, 'file')), /cannot be made.*SALLYPORT_STATE_DIR/s);
  });

  it('are never made relative to the folder a process happens to be in', () => {
    for (const path of ['', 'relative']) assert.throws(() => openStateFolders(path), /absolute.*SALLYPORT_STATE_DIR/s);
  });
});
