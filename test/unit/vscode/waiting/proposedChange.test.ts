import assert from 'node:assert/strict';
import type { RequestSubject } from '../../../../src/protocol/request.ts';
import { proposedChanges } from '../../../../src/vscode/waiting/proposedChange.ts';

const disk: Readonly<Record<string, string>> = { 'a.ts': 'one\ntwo\nthree\n', 'twice.ts': 'x\nx\n' };
const changes = (subject: RequestSubject) => proposedChanges(subject, (path) => Promise.resolve(disk[path]));
const patch = (text: string) => changes({ kind: 'patch', paths: ['a.ts'], patch: text });

describe('the change a request proposes', () => {
  it('is the whole file for what is written', async () => {
    assert.deepEqual(await changes({ kind: 'write', path: 'a.ts', contents: 'new' }), [
      { path: 'a.ts', onDisk: true, before: disk['a.ts'], after: 'new' },
    ]);
    assert.equal((await changes({ kind: 'write', path: 'none.ts', contents: 'new' }))[0]?.before, '');
  });

  it('is the file with a text replaced, taken literally', async () => {
    const [change] = await changes({ kind: 'replace', path: 'a.ts', before: 'two', after: '$& $1' });
    assert.deepEqual(change, { path: 'a.ts', onDisk: true, before: disk['a.ts'], after: 'one\n$& $1\nthree\n' });
  });

  for (const [why, path, before] of [
    ['is not there', 'a.ts', 'four'],
    ['is there twice', 'twice.ts', 'x'],
    ['cannot be read', 'none.ts', 'x'],
    ['is empty', 'a.ts', ''],
  ] as const) {
    it(`is the two texts alone where the one to replace ${why}`, async () => {
      assert.deepEqual(await changes({ kind: 'replace', path, before, after: 'y' }), [
        { path, onDisk: false, before, after: 'y' },
      ]);
    });
  }

  it('is every file of a patch in the agents’ notation', async () => {
    const text = [
      '*** Begin Patch',
      '*** Update File: a.ts',
      '@@',
      ' one',
      '-two',
      '+TWO',
      '*** Add File: b.ts',
      '+hello',
      '*** Delete File: twice.ts',
      '*** End Patch',
      '',
    ].join('\n');
    assert.deepEqual(await patch(text), [
      { path: 'a.ts', onDisk: true, before: disk['a.ts'], after: 'one\nTWO\nthree\n' },
      { path: 'b.ts', onDisk: true, before: '', after: 'hello' },
      { path: 'twice.ts', onDisk: true, before: 'x\nx\n', after: '' },
    ]);
  });

  it('is every file of a unified diff', async () => {
    const text = 'diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n';
    assert.deepEqual(await patch(text), [
      { path: 'a.ts', onDisk: true, before: disk['a.ts'], after: 'one\nTWO\nthree\n' },
    ]);
  });

  it('is the hunks alone where they do not fit, or fit twice', async () => {
    assert.deepEqual(await patch('*** Update File: a.ts\n@@\n-four\n+FOUR'), [
      { path: 'a.ts', onDisk: false, before: 'four', after: 'FOUR' },
    ]);
    assert.equal((await patch('*** Update File: twice.ts\n@@\n-x\n+y'))[0]?.onDisk, false);
  });

  it('is the patch itself where nobody knows its notation', async () => {
    assert.deepEqual(await patch('s/a/b/'), [{ path: 'a.ts', onDisk: false, before: '', after: 's/a/b/' }]);
  });

  it('is none for what changes no text', async () => {
    assert.deepEqual(await changes({ kind: 'delete', path: 'a.ts' }), []);
  });
});
