import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPermissions } from '../../../../src/cursor/session/permissions.ts';
import { useTemporaryFolder } from '../../../support/cursorStore/temporaryFolder.ts';

const secret = 'eyJhbGciOiJIUzI1NiJ9.secret';

describe('permissions', () => {
  const temporaryFolder = useTemporaryFolder();
  const write = (path: string, value: unknown): void => {
    const file = join(temporaryFolder(), path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  };
  const read = (cwd?: string) =>
    readPermissions(join(temporaryFolder(), 'root'), cwd === undefined ? undefined : join(temporaryFolder(), cwd));

  it('are empty where nothing is configured', async () => {
    assert.deepEqual(await read(), { allow: [], deny: [] });
    assert.deepEqual(await read('work'), { allow: [], deny: [] });
  });

  it('are those two lists and nothing else', async () => {
    write('root/cli-config.json', {
      permissions: { allow: ['Shell(git)', 7], deny: ['Shell(rm)'], token: secret },
      authInfo: { accessToken: secret },
    });
    const found = await read();
    assert.deepEqual(found, { allow: ['Shell(git)'], deny: ['Shell(rm)'] });
    assert.ok(!JSON.stringify(found).includes(secret));
  });

  it('are replaced by those of a deeper folder, up to the top of the repository', async () => {
    write('root/cli-config.json', { permissions: { allow: ['Shell(a)'], deny: ['Shell(d)'] } });
    write('.cursor/cli.json', { permissions: { allow: ['Shell(outside)'] } });
    write('repo/.git/HEAD', '');
    write('elsewhere/.git/HEAD', '');
    write('repo/.cursor/cli.json', { permissions: { allow: ['Shell(b)'] } });
    write('repo/deep/er/.cursor/cli.json', { permissions: { deny: [] } });
    assert.deepEqual(await read('repo'), { allow: ['Shell(b)'], deny: ['Shell(d)'] });
    assert.deepEqual(await read('repo/deep/er'), { allow: ['Shell(b)'], deny: [] });
    assert.deepEqual(await read('elsewhere/x'), { allow: ['Shell(a)'], deny: ['Shell(d)'] });
  });

  it('leave out what is broken or of another kind', async () => {
    for (const value of [
      '{',
      '[]',
      { permissions: 7 },
      { permissions: { allow: 'Shell(*)' } },
      ' '.repeat(2_000_000),
    ]) {
      write('root/cli-config.json', value);
      assert.deepEqual(await read(), { allow: [], deny: [] });
    }
  });
});
