import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readChatInfo } from '../../../../src/cursor/store/chatInfo.ts';
import { bucketsOf, cursorRoots, isAcpSession, listChats } from '../../../../src/cursor/store/storePaths.ts';
import { ChatStoreWriter } from '../../../support/cursorStore/chatStoreWriter.ts';
import { useTemporaryFolder } from '../../../support/cursorStore/temporaryFolder.ts';

describe("Cursor's folders", () => {
  const temporaryFolder = useTemporaryFolder();
  const chat = (root: string, cwd = '/work', isSubagent = false): string => {
    const writer = new ChatStoreWriter({ root, cwd, isSubagent, title: 'Größe' });
    writer.close();
    return writer.folder;
  };

  it('are wherever its environment, or that of a terminal, may say', () => {
    const home = '/home/mia';
    assert.deepEqual(cursorRoots({ env: {}, home }), [
      '/home/mia/.config/cursor',
      '/home/mia/.config/Cursor',
      '/home/mia/.cursor',
    ]);
    const env = { CURSOR_CONFIG_DIR: '/opt/cursor', XDG_CONFIG_HOME: '/xdg' };
    assert.deepEqual(cursorRoots({ env, home }).slice(0, 3), ['/opt/cursor', '/xdg/cursor', '/xdg/Cursor']);
    assert.deepEqual(
      cursorRoots({ env: { CURSOR_CONFIG_DIR: 'relative', XDG_CONFIG_HOME: '' }, home }),
      cursorRoots({ env: {}, home }),
    );
    assert.deepEqual(
      cursorRoots({ env: { XDG_CONFIG_HOME: '/home/mia/.config' }, home }),
      cursorRoots({ env: {}, home }),
    );
  });

  it('list every chat once, over all roots and buckets', async () => {
    const [one, two] = [join(temporaryFolder(), 'one'), join(temporaryFolder(), 'two')];
    const folders = [chat(one), chat(one), chat(one, '/elsewhere'), chat(two)];
    const found = await listChats([one, two, one, join(temporaryFolder(), 'missing')]);
    assert.deepEqual(found.map(({ folder }) => folder).sort(), folders.sort());
    assert.equal(found.find(({ folder }) => folder === folders[0])?.bucket.length, 32);
  });

  it('hold more than chats: other names, empty chats, ACP sessions', async () => {
    const root = temporaryFolder();
    const folder = chat(root);
    mkdirSync(join(root, 'chats', 'not-a-bucket', 'chat'), { recursive: true });
    writeFileSync(join(root, 'chats', 'not-a-bucket', 'chat', 'store.db'), '');
    mkdirSync(join(folder, '..', 'no-store-yet'));
    mkdirSync(join(folder, '..', 'odd', 'store.db'), { recursive: true });
    mkdirSync(join(root, 'acp-sessions', 'session'), { recursive: true });
    writeFileSync(join(root, 'acp-sessions', 'session', 'store.db'), '');
    assert.deepEqual(
      (await listChats([root])).map((found) => found.folder),
      [folder],
    );
    assert.equal(isAcpSession(join(root, 'acp-sessions', 'session')), true);
    assert.equal(isAcpSession(folder), false);
  });

  it('may be reached by symbolic links, also by two, or by one that leads in a circle', async function () {
    if (process.platform === 'win32') this.skip();
    const root = join(temporaryFolder(), 'real');
    const folder = chat(root);
    const linked = join(temporaryFolder(), 'linked');
    mkdirSync(linked);
    symlinkSync(join(root, 'chats'), join(linked, 'chats'));
    assert.deepEqual(
      (await listChats([linked])).map((found) => found.folder),
      [folder],
    );
    assert.equal((await listChats([linked, root])).length, 1);
    symlinkSync(join(root, 'chats'), join(root, 'chats', 'f'.repeat(32)));
    symlinkSync('nowhere', join(root, 'chats', 'e'.repeat(32)));
    assert.equal((await listChats([root])).length, 1);
  });

  it('name the bucket after the working folder, as given and as it really is', async function () {
    // What md5sum says of the paths.
    assert.deepEqual(await bucketsOf('/work/not/there', 'linux'), ['459593e89fde84c4cbd1be18ab9eeadf']);
    assert.deepEqual(await bucketsOf('c:\\Work', 'win32'), [
      '48dd9a7ec825321381a963cf53b27a37',
      '48629dfb762ea3973a02fc12f5fd8532',
    ]);
    if (process.platform === 'win32') this.skip();
    const [real, linked] = [join(temporaryFolder(), 'real'), join(temporaryFolder(), 'linked')];
    mkdirSync(real);
    symlinkSync(real, linked);
    assert.deepEqual(await bucketsOf(linked), [...new Set([md5(linked), md5(real)])]);
  });

  it('describe a chat beside its store', async () => {
    const folder = chat(temporaryFolder(), '/work/größe', true);
    assert.deepEqual(await readChatInfo(folder), {
      hasConversation: true,
      createdAtMs: 1790000000000,
      cwd: '/work/größe',
      title: 'Größe',
      isSubagent: true,
    });
    writeFileSync(join(folder, 'meta.json'), '{"cwd":7,"title":["x"],"isSubagent":"yes","__proto__":{"cwd":"/"}}');
    assert.equal(JSON.stringify(await readChatInfo(folder)), '{}');
    for (const text of ['', '[]', 'null', '{', ' '.repeat(2_000_000)]) {
      writeFileSync(join(folder, 'meta.json'), text);
      assert.equal(await readChatInfo(folder), undefined);
    }
    assert.equal(await readChatInfo(join(folder, 'nothing')), undefined);
  });
});

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
