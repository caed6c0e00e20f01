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
    const { folders, problem } = openStateFolders(join(base, 'own'));
    assert.equal(problem, undefined);
    for (const folder of Object.values<string>({ ...folders }))
      assert.equal(statSync(folder).mode & 0o777, 0o700, folder);
  });

  it('are named when they cannot be made, with what to do', () => {
    writeFileSync(join(base, 'file'), '');
    const { folders, problem } = openStateFolders(join(base, 'file'));
    assert.match(problem ?? '', /cannot be written: E\w+.*SALLYPORT_STATE_DIR/s);
    assert.equal(folders.locks, join(base, 'file', 'locks'));
  });

  it('are never made relative to the folder a process happens to be in', () => {
    for (const path of ['', 'relative']) assert.throws(() => openStateFolders(path), /absolute.*SALLYPORT_STATE_DIR/s);
  });
});
