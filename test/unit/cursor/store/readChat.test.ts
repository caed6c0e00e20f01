import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatState, ReadChat } from '../../../../src/cursor/store/chatState.ts';
import { openChat, readChat } from '../../../../src/cursor/store/readChat.ts';
import { listChats } from '../../../../src/cursor/store/storePaths.ts';
import { ChatStoreWriter, type ChatStoreOptions } from '../../../support/cursorStore/chatStoreWriter.ts';
import { assistantMessage, call, toolResult, userMessage } from '../../../support/cursorStore/messages.ts';
import { useTemporaryFolder } from '../../../support/cursorStore/temporaryFolder.ts';
import { tracesOf } from '../../../support/cursorStore/traces.ts';
import { withoutPrivileges } from '../../../support/cursorStore/withoutPrivileges.ts';

const secret = 'c2VjcmV0LWtleS1vZi10aGUtYmxvYnM=';
const pendingA = assistantMessage([call('a\nfc_a')], 1790000000123);

function known(state: ChatState): ReadChat {
  assert.ok(state.certainty === 'known', state.why);
  return state;
}
function unknownLayout(state: ChatState): ReadChat {
  assert.ok(state.certainty === 'unknownLayout', `${state.certainty}: ${state.why}`);
  assert.match(state.why ?? '', /unknown layout/);
  return state;
}
const ids = ({ pending }: ReadChat): string[] => pending.map(({ toolCallId }) => toolCallId);

describe('reading a chat', () => {
  const temporaryFolder = useTemporaryFolder();
  const writers: ChatStoreWriter[] = [];
  const chat = (options: Partial<ChatStoreOptions> = {}): ChatStoreWriter => {
    const writer = new ChatStoreWriter({ root: join(temporaryFolder(), '.cursor'), cwd: '/work', ...options });
    writers.push(writer);
    return writer;
  };
  afterEach(() => {
    for (const writer of writers.splice(0)) writer.close();
  });

  it('follows a call from pending to its result', async () => {
    const writer = chat();
    const reader = openChat(writer.folder);
    writer.writeMeta();
    assert.deepEqual(ids(known(await reader.read())), []);
    assert.equal(known(await reader.read()).headId, undefined);

    writer.addMessage(userMessage('deploy it'));
    const headId = writer.commitHead([pendingA]);
    const waiting = known(await reader.read());
    assert.deepEqual(ids(waiting), ['a\nfc_a']);
    assert.equal(waiting.headId, headId);
    assert.equal(waiting.messageCount, 1);
    assert.deepEqual(waiting.workspaces, ['file:///work']);
    assert.deepEqual(waiting.pending[0]?.args, { command: 'make deploy' });

    writer.addMessage(assistantMessage([call('a\nfc_a')]));
    writer.commitHead([pendingA]);
    assert.deepEqual(ids(known(await reader.read())), []);

    writer.addMessage(toolResult('a\nfc_a'));
    writer.commitHead();
    const done = known(await reader.read());
    assert.deepEqual(ids(done), []);
    assert.equal(done.messageCount, 3);
  });

  it('shows no ghost of a former head', async () => {
    const writer = chat();
    writer.commitHead([pendingA]);
    writer.commitHead([assistantMessage([call('b')], 1790000000124)]);
    assert.deepEqual(ids(known(await readChat(writer.folder))), ['b']);
    writer.commitHead();
    assert.deepEqual(ids(known(await readChat(writer.folder))), []);
  });

  it('keeps a batch together and in order', async () => {
    const writer = chat();
    writer.commitHead([assistantMessage([call('c'), call('a'), call('b')], 5)]);
    const state = known(await readChat(writer.folder));
    assert.deepEqual(
      state.pending.map(({ toolCallId, batch }) => [toolCallId, batch]),
      [
        ['c', 'c'],
        ['a', 'c'],
        ['b', 'c'],
      ],
    );
  });

  it('counts what the messages of the present head say, not those of a former one', async () => {
    const writer = chat();
    const reader = openChat(writer.folder);
    writer.addMessage(assistantMessage([call('a\nfc_a')]));
    writer.commitHead([pendingA]);
    assert.deepEqual(ids(known(await reader.read())), []);
    writer.root.messageIds = [];
    writer.commitHead([pendingA]);
    assert.deepEqual(ids(known(await reader.read())), ['a\nfc_a']);
  });

  it('asks again for a message that was not there yet', async () => {
    const writer = chat();
    const reader = openChat(writer.folder);
    const message = Buffer.from(JSON.stringify(toolResult('a\nfc_a')));
    writer.root.messageIds = [createHash('sha256').update(message).digest('hex')];
    writer.commitHead([pendingA]);
    assert.deepEqual(ids(known(await reader.read())), ['a\nfc_a']);
    writer.putBlob(message);
    assert.deepEqual(ids(known(await reader.read())), []);
  });

  it('looks through a long history in parts, newest first', async () => {
    const writer = chat();
    writer.database.exec('BEGIN');
    writer.addMessage(toolResult('old'));
    for (let n = 0; n < 900; n++) writer.addMessage(userMessage(`${n} ${'x'.repeat(2000)}`));
    writer.addMessage(toolResult('new'));
    writer.commitHead([assistantMessage([call('old'), call('new'), call('open')], 5)]);
    writer.database.exec('COMMIT');
    const reader = openChat(writer.folder, { historyBytes: 600_000 });
    const first = known(await reader.read());
    assert.deepEqual([ids(first), first.historyComplete], [['old', 'open'], false]);
    let reads = 1;
    for (let state = first; !state.historyComplete; reads++) state = known(await reader.read());
    const last = known(await reader.read());
    assert.deepEqual([ids(last), last.historyComplete], [['open'], true]);
    assert.ok(reads > 2 && reads < 10, `${reads} reads`);
    assert.deepEqual(ids(known(await readChat(writer.folder))), ['open']);
  });

  it('reads the description in each of its forms', async () => {
    for (const form of ['hex', 'plain', 'blob'] as const) {
      const writer = chat();
      writer.metaForm = form;
      writer.commitHead([pendingA]);
      assert.equal(ids(known(await readChat(writer.folder))).length, 1);
    }
  });

  it('tells how the session decides', async () => {
    const writer = chat();
    writer.writeMeta({ isRunEverything: true });
    assert.equal(known(await readChat(writer.folder)).runMode.runEverything, true);
    writer.writeMeta({ isRunEverything: false, approvalMode: 'auto-review' });
    assert.deepEqual(known(await readChat(writer.folder)).runMode, {
      runEverything: false,
      saidBy: undefined,
      approvalMode: 'autoReview',
    });
  });

  describe('of an unknown layout', () => {
    it('searches the head, whatever field the calls are in', async () => {
      const writer = chat();
      writer.root.extra = (root) => root.writeStringField(40, JSON.stringify(pendingA));
      writer.commitHead();
      assert.deepEqual(ids(unknownLayout(await readChat(writer.folder))), ['a\nfc_a']);
      // In messages inside the field, beside an entry that cannot be read, in a head that is no protobuf.
      writer.root.extra = (root) => root.writeBytesField(4, Buffer.from(`\x0a\x7f${JSON.stringify(pendingA)}`));
      writer.commitHead([assistantMessage([call('b')], 5)]);
      assert.deepEqual(ids(unknownLayout(await readChat(writer.folder))), ['b', 'a\nfc_a']);
      const strange = writer.putBlob(Buffer.from(`\xff\xff${JSON.stringify(pendingA)}`, 'latin1'));
      writer.writeMeta({ latestRootBlobId: strange });
      assert.deepEqual(ids(unknownLayout(await readChat(writer.folder))), ['a\nfc_a']);
    });

    it('still knows what is over', async () => {
      const writer = chat();
      writer.addMessage(toolResult('a\nfc_a'));
      writer.root.extra = (root) => root.writeStringField(40, JSON.stringify(pendingA));
      writer.commitHead();
      assert.deepEqual(ids(unknownLayout(await readChat(writer.folder))), []);
    });

    it('looks into a blob that the head names, and only then into others, never into former heads', async () => {
      const writer = chat();
      writer.addMessage(userMessage('hello'));
      writer.commitHead([assistantMessage([call('ghost')], 5)]);
      const named = writer.putBlob(Buffer.from(JSON.stringify(pendingA)));
      writer.commitHead([Buffer.from(named, 'hex')]);
      assert.deepEqual(ids(unknownLayout(await readChat(writer.folder))), ['a\nfc_a']);
      writer.putBlob(Buffer.from(`\x0a\x01${JSON.stringify(assistantMessage([call('b')], 5))}`));
      writer.commitHead(['?']);
      assert.deepEqual(ids(unknownLayout(await readChat(writer.folder))).sort(), ['a\nfc_a', 'b']);
    });

    it("takes no person's text for a call", async () => {
      const writer = chat();
      const quoted = JSON.stringify(pendingA);
      writer.addMessage(userMessage(`what is pendingToolCallStartedAtMs in ${quoted}?`));
      writer.commitHead();
      assert.deepEqual(ids(known(await readChat(writer.folder))), []);
      writer.root.extra = (root) => root.writeStringField(41, JSON.stringify({ summary: `it says ${quoted}` }));
      writer.commitHead(['?']);
      assert.deepEqual(ids(unknownLayout(await readChat(writer.folder))), []);
    });
  });

  describe('that cannot be read', () => {
    const reasonOf = async (folder: string): Promise<string> => {
      const state = await readChat(folder);
      assert.ok(state.certainty === 'unknown');
      assert.ok(!('pending' in state));
      assert.match(state.why, /\.$/);
      return state.reason;
    };

    it('is unknown while the head is announced but missing', async () => {
      const writer = chat();
      writer.writeMeta({ latestRootBlobId: 'ab'.repeat(32) });
      assert.equal(await reasonOf(writer.folder), 'busy');
    });

    it('is unknown when the head is not what its id stands for, or encrypted', async () => {
      const writer = chat();
      const id = writer.commitHead([pendingA]);
      writer.database.prepare('UPDATE blobs SET data = ? WHERE id = ?').run(Buffer.from('torn'), id);
      assert.equal(await reasonOf(writer.folder), 'damaged');
      const encrypted = writer.putBlob(Buffer.from([0x07, 0x99, 0x12, 0xff]));
      writer.writeMeta({ latestRootBlobId: encrypted, blobEncryptionKey: secret });
      assert.equal(await reasonOf(writer.folder), 'damaged');
    });

    it('is unknown when there is no store, no table, no description or an unknown one', async () => {
      assert.equal(await reasonOf(join(temporaryFolder(), 'nothing')), 'gone');
      const writer = chat();
      assert.equal(await reasonOf(writer.folder), 'noTables');
      writer.database.exec(`INSERT INTO meta VALUES ('0', 'ff00')`);
      assert.equal(await reasonOf(writer.folder), 'damaged');
      writer.database.exec(`UPDATE meta SET value = hex(zeroblob(2000000))`);
      assert.equal(await reasonOf(writer.folder), 'tooLarge');
      writer.database.exec('DROP TABLE meta');
      assert.equal(await reasonOf(writer.folder), 'noTables');
    });

    it('is unknown when the head is huge', async () => {
      const writer = chat();
      writer.database.exec(`INSERT INTO blobs VALUES ('${'ab'.repeat(32)}', zeroblob(50000000))`);
      writer.writeMeta({ latestRootBlobId: 'ab'.repeat(32) });
      assert.equal(await reasonOf(writer.folder), 'tooLarge');
    });

    it('is unknown without permission', async function () {
      if (process.platform === 'win32') this.skip();
      const writer = chat();
      writer.commitHead([pendingA]);
      chmodSync(writer.file, 0);
      await withoutPrivileges(temporaryFolder(), async () => {
        assert.equal(await reasonOf(writer.folder), 'denied');
      });
    });

    it('is known again when it is again', async () => {
      const writer = chat();
      writer.commitHead([pendingA]);
      const reader = openChat(writer.folder);
      assert.equal(ids(known(await reader.read())).length, 1);
      renameSync(writer.folder, `${writer.folder}-away`);
      assert.equal((await reader.read()).certainty, 'unknown');
      renameSync(`${writer.folder}-away`, writer.folder);
      assert.equal(ids(known(await reader.read())).length, 1);
    });
  });

  it('survives a call nested without end and keys of the language', async () => {
    const writer = chat();
    const deep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const json = JSON.stringify(assistantMessage([call('a', 'ARGS')], 5)).replace('"ARGS"', deep);
    const odd = JSON.stringify(assistantMessage([call('b', 'ARGS')], 5)).replace(
      '"ARGS"',
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    );
    writer.commitHead([json, odd]);
    const state = known(await readChat(writer.folder));
    assert.deepEqual(
      state.pending.map(({ cut }) => cut),
      [true, false],
    );
    assert.ok(JSON.stringify(state).includes('"__proto__":{"polluted":1}'));
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  });

  it('keeps the key to itself, whatever else it says', async () => {
    const writer = chat();
    const states: ChatState[] = [];
    writer.commitHead([pendingA]);
    writer.writeMeta({ blobEncryptionKey: secret });
    states.push(await readChat(writer.folder));
    writer.writeMeta({ latestRootBlobId: secret });
    states.push(await readChat(writer.folder));
    writer.database.exec(`UPDATE meta SET value = '{"blobEncryptionKey":"${secret}", broken'`);
    states.push(await readChat(writer.folder));
    assert.deepEqual(
      states.map(({ certainty }) => certainty),
      ['known', 'unknown', 'unknown'],
    );
    assert.ok(!JSON.stringify(states).includes(secret));
  });

  it('answers many questions at once one after the other', async () => {
    const writer = chat();
    writer.commitHead([pendingA]);
    const reader = openChat(writer.folder);
    const states = await Promise.all(Array.from({ length: 20 }, () => reader.read()));
    for (const state of states) assert.equal(ids(known(state)).length, 1);
  });

  describe("in Cursor's folders", () => {
    const hostile = (writer: ChatStoreWriter): void => {
      writer.addMessage(userMessage('hello'));
      writer.commitHead([pendingA, '?']);
    };

    it('leaves no trace, in a live chat or an idle one', async () => {
      const live = chat();
      const idle = chat({ cwd: '/elsewhere' });
      for (const writer of [live, idle]) hostile(writer);
      idle.close();
      const root = join(temporaryFolder(), '.cursor');
      const before = tracesOf(root);
      assert.equal((await listChats([root])).length, 2);
      for (const { folder } of [live, idle]) unknownLayout(await readChat(folder));
      assert.deepEqual(tracesOf(root), before);
      assert.ok(Object.keys(before).some((name) => name.endsWith('store.db-wal')));
    });

    it('needs no permission to write', async function () {
      if (process.platform === 'win32') this.skip();
      const live = chat();
      hostile(live);
      const folders = [live.folder, join(live.folder, '..')];
      for (const folder of folders) chmodSync(folder, 0o500);
      for (const name of ['', '-wal', '-shm']) chmodSync(`${live.file}${name}`, 0o400);
      await withoutPrivileges(temporaryFolder(), async () => {
        assert.throws(() => writeFileSync(join(live.folder, 'new'), ''));
        unknownLayout(await readChat(live.folder));
      });
      for (const folder of folders) chmodSync(folder, 0o700);
    });

    it('takes no lock: a writer goes on, and may even want the store for itself', async () => {
      const live = chat();
      hostile(live);
      const reader = openChat(live.folder);
      const reading = reader.read();
      live.database.exec('PRAGMA locking_mode = EXCLUSIVE');
      live.commitHead();
      await reading;
      live.checkpoint('TRUNCATE');
      assert.deepEqual(ids(known(await reader.read())), []);
    });

    it('goes through a symbolic link, without writing behind it', async function () {
      if (process.platform === 'win32') this.skip();
      const live = chat();
      hostile(live);
      const away = join(temporaryFolder(), 'other');
      const root = join(temporaryFolder(), '.cursor');
      mkdirSync(away);
      symlinkSync(join(root, 'chats'), join(away, 'chats'));
      const before = tracesOf(temporaryFolder());
      const [found] = await listChats([away]);
      unknownLayout(await readChat(found?.folder ?? ''));
      assert.deepEqual(tracesOf(temporaryFolder()), before);
    });
  });

  it('is not disturbed by a store that was copied without its log', async () => {
    const writer = chat();
    writer.commitHead([pendingA]);
    assert.ok(readFileSync(`${writer.file}-wal`).length > 0);
    rmSync(`${writer.file}-wal`);
    assert.equal((await readChat(writer.folder)).certainty, 'unknown');
  });
});
