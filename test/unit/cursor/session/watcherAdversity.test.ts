import assert from 'node:assert/strict';
import {
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  watch as watchFolder,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { WatchedChat } from '../../../../src/cursor/session/watchedChat.ts';
import type { ChatWatcher, ChatWatcherOptions } from '../../../../src/cursor/session/watcher.ts';
import type { OpenFiles } from '../../../../src/process/openFiles.ts';
import { ChatStoreWriter } from '../../../support/cursorStore/chatStoreWriter.ts';
import { assistantMessage, call, toolResult } from '../../../support/cursorStore/messages.ts';
import { createRandom } from '../../../support/cursorStore/random.ts';
import { folderOf } from '../../../support/cursorStore/session.ts';
import { useTemporaryFolder } from '../../../support/cursorStore/temporaryFolder.ts';
import { tracesOf } from '../../../support/cursorStore/traces.ts';
import { chatOf, pendingIds, useWatchers } from '../../../support/cursorStore/watched.ts';
import { withoutPrivileges } from '../../../support/cursorStore/withoutPrivileges.ts';
import { JumpingClock } from '../../../support/fakes/jumpingClock.ts';
import { eventually } from '../../../support/processes/runs.ts';

const pend = (id: string): { do: 'pend'; messages: object[] } => ({
  do: 'pend',
  messages: [assistantMessage([call(id)], 5)],
});
const asks =
  (id: string) =>
  (chat: WatchedChat): boolean =>
    pendingIds(chat)?.[0] === id;

/** Nobody can be seen. */
const blind: OpenFiles = {
  holdersOf: (files) => Promise.resolve(files.map(() => ({ holders: [], blind: 'hidden' }))),
  details: () => Promise.resolve(undefined),
};

describe('watching chats in adversity', function () {
  if (process.platform === 'win32') return;
  this.timeout(30_000);
  const temporaryFolder = useTemporaryFolder();
  const { watch, session, logged } = useWatchers();
  const newRoot = (): string => join(temporaryFolder(), 'cursor');

  it('keeps the former state while the newest is not in the store yet', async () => {
    const root = newRoot();
    const alive = await session(root);
    await alive.tell(pend('first'));
    const watcher = watch([root]);
    await chatOf(watcher, alive, 'the first call is pending', asks('first'));
    const states = new Set<string | undefined>();
    watcher.onDidChange(() => states.add(watcher.chats()[0]?.state?.pending[0]?.toolCallId));
    await alive.tell({ do: 'announce', messages: [assistantMessage([call('second')], 6)], ms: 300 });
    const chat = await chatOf(watcher, alive, 'the second call is pending', asks('second'));
    assert.equal(chat.problem, undefined);
    assert.ok(!states.has(undefined));
  });

  it('says after a while that a state never came, and recovers with the next', async () => {
    const root = newRoot();
    const alive = await session(root);
    await alive.tell(pend('first'));
    const watcher = watch([root]);
    await chatOf(watcher, alive, 'the first call is pending', asks('first'));
    await alive.tell({ do: 'meta', change: { latestRootBlobId: 'ab'.repeat(32) } });
    const chat = await chatOf(watcher, alive, 'it is a problem', ({ problem }) => problem !== undefined);
    assert.deepEqual(pendingIds(chat), ['first']);
    await alive.tell(pend('second'));
    assert.equal((await chatOf(watcher, alive, 'all is well', asks('second'))).problem, undefined);
  });

  it('shows a live chat whose store makes no sense, with the reason', async () => {
    const root = newRoot();
    const alive = await session(root);
    await alive.tell({ do: 'grow', bytes: 2_000_000 });
    const descriptor = openSync(join(alive.folder, 'store.db'), 'r+');
    writeSync(descriptor, Buffer.alloc(8192, 0xff), 0, 8192, 0);
    closeSync(descriptor);
    const watcher = watch([root]);
    const chat = await chatOf(watcher, alive, 'it is a problem', ({ problem }) => problem !== undefined);
    assert.equal(chat.state, undefined);
    truncateSync(join(alive.folder, 'store.db'), 10);
    await watcher.lookAtSession(alive.folder);
    assert.equal(watcher.chats().length, 1);
    rmSync(join(alive.folder, 'store.db'));
    await eventually('the store is gone', () => watcher.chats().length === 0);
  });

  it('survives stores that are deleted while they are read', async () => {
    const root = newRoot();
    const watcher = watch([root]);
    const random = createRandom(7);
    for (let round = 0; round < 5; round++) {
      const alive = await session(root, { id: `chat-${round}` });
      const writes = [1, 2, 3].map((n) => alive.tell(pend(`${round}-${n}`)));
      await eventually('something happened', () => watcher.chats().length > 0 || random.chance(0.1));
      rmSync(alive.folder, { recursive: true, force: true });
      await Promise.allSettled(writes);
    }
    await eventually('all are gone', () => watcher.chats().length === 0);
    const last = await session(root);
    await last.tell(pend('last'));
    await chatOf(watcher, last, 'the last call is pending', asks('last'));
  });

  it('arrives at the newest state of every chat, however fast they change', async () => {
    const root = newRoot();
    const watcher = watch([root]);
    const sessions = await Promise.all(['/a', '/b', '/c'].map((cwd) => session(root, { cwd })));
    await Promise.all(
      sessions.map(async (each, index) => {
        for (let n = 0; n < 150; n++) {
          await each.tell(pend(`${index}-${n}`));
          await each.tell({ do: 'say', messages: [toolResult(`${index}-${n}`)] });
        }
        await each.tell(pend(`${index}-last`));
      }),
    );
    for (const [index, each] of sessions.entries()) {
      await chatOf(watcher, each, 'the last call is pending', asks(`${index}-last`));
    }
  });

  describe('where nobody can be seen', () => {
    const crashed = (root: string, id: string, ageMs: number): string => {
      const writer = new ChatStoreWriter({ root, cwd: '/work', id: `${id}-original` });
      writer.commitHead([assistantMessage([call('a')], 5)]);
      const folder = folderOf(root, '/work', id);
      cpSync(writer.folder, folder, { recursive: true });
      writer.close();
      const at = (Date.now() - ageMs) / 1000;
      for (const name of ['store.db', 'store.db-wal']) utimesSync(join(folder, name), at, at);
      return folder;
    };

    it('takes a chat that was written to lately and not closed for one that may live', async () => {
      const root = newRoot();
      const hour = 3_600_000;
      const recent = crashed(root, 'recent', hour);
      const skewed = crashed(root, 'skewed', -72 * hour);
      crashed(root, 'old', 25 * hour);
      const clock = new JumpingClock();
      const watcher = watch([root], { openFiles: blind, clock });
      const chat = await chatOf(watcher, { folder: recent });
      await chatOf(watcher, { folder: skewed });
      assert.deepEqual(chat.session, { state: 'unknown', why: 'hidden' });
      assert.deepEqual(pendingIds(chat), ['a']);
      assert.equal(watcher.chats().length, 2);
      rmSync(join(recent, 'store.db-wal'));
      await eventually('the closed one is gone', () => watcher.chats().length === 1);
      await eventually('the other one is too old by now', () => {
        clock.jump(24 * hour);
        return watcher.chats().length === 0;
      });
    });
  });

  describe('without enough watches', () => {
    /** Lets so many folders be watched. */
    function limited(): { allow: (count: number) => void; watchFolder: ChatWatcherOptions['watchFolder'] } {
      let left = 0;
      const limitedWatch = (...args: Parameters<typeof watchFolder>): ReturnType<typeof watchFolder> => {
        if (left-- <= 0) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
        return watchFolder(...args);
      };
      return { allow: (count) => (left = count), watchFolder: limitedWatch as typeof watchFolder };
    }

    async function passes(clock: JumpingClock, what: string, holds: () => boolean): Promise<void> {
      await eventually(what, () => {
        clock.jump(1000);
        return holds();
      });
    }

    it('says so and looks from time to time, until there are enough', async () => {
      const root = newRoot();
      const clock = new JumpingClock();
      const { allow, watchFolder } = limited();
      const watcher: ChatWatcher = watch([root], { clock, watchFolder });
      await eventually('it says so', () => watcher.limitation?.includes('watches') === true);
      const alive = await session(root);
      const first = (): WatchedChat | undefined => watcher.chats()[0];
      await passes(clock, 'the chat is found', () => first()?.state !== undefined);
      await alive.tell(pend('late'));
      await passes(clock, 'the call is pending', () => first()?.state?.pending[0]?.toolCallId === 'late');
      allow(1000);
      await passes(clock, 'all are watched', () => watcher.limitation === undefined);
      await alive.tell(pend('at once'));
      await chatOf(watcher, alive, 'the call is pending', asks('at once'));
      await alive.exit();
      await eventually('it has ended', () => watcher.chats().length === 0);
    });
  });

  it('leaves no trace in the folders it watches, nor needs to be allowed to', async () => {
    const root = newRoot();
    const closed = new ChatStoreWriter({ root, cwd: '/work', id: 'closed' });
    closed.commitHead([assistantMessage([call('a')], 5)]);
    closed.close();
    const alive = await session(root, { cwd: '/elsewhere' });
    await alive.tell(pend('b'));
    for (const folder of [join(alive.folder, '..'), alive.folder, closed.folder]) assert.ok(statSync(folder));
    const holders: OpenFiles = {
      ...blind,
      holdersOf: (files) =>
        Promise.resolve(
          files.map((file) => ({
            holders: file.startsWith(alive.folder) ? [{ pid: alive.pid, writes: true }] : [],
            blind: undefined,
          })),
        ),
      details: (pid) => Promise.resolve({ pid, parent: 1, argv: [], tty: undefined, children: [] }),
    };
    await withoutPrivileges(temporaryFolder(), async () => {
      const before = tracesOf(root);
      const watcher = watch([root], { openFiles: holders });
      await chatOf(watcher, alive, 'the call is pending', asks('b'));
      await watcher.lookAtSession(alive.folder);
      watcher.dispose();
      assert.deepEqual(tracesOf(root), before);
    });
  });

  it('opens no store of a session that is dead', async function () {
    const root = newRoot();
    const dead = ['one', 'two'].map((id) => {
      const writer = new ChatStoreWriter({ root, cwd: '/work', id });
      writer.commitHead([assistantMessage([call('a')], 5)]);
      writer.close();
      return writer.file;
    });
    const control = join(temporaryFolder(), 'control');
    writeFileSync(control, 'x');
    const longAgo = 1000;
    for (const file of [...dead, control]) utimesSync(file, longAgo, statSync(file).mtimeMs / 1000);
    const wasRead = (file: string): boolean => statSync(file).atimeMs !== longAgo * 1000;
    readFileSync(control);
    if (!wasRead(control)) {
      console.log('this file system keeps no account of reading, so who was read cannot be told');
      this.skip();
    }
    const watcher = watch([root]);
    const alive = await session(root);
    await chatOf(watcher, alive);
    assert.deepEqual(dead.map(wasRead), [false, false]);
  });

  it('writes nothing of what chats say into the log', async () => {
    const root = newRoot();
    mkdirSync(root);
    const alive = await session(root);
    await alive.tell({ do: 'meta', change: { blobEncryptionKey: 'c2VjcmV0' } });
    await alive.tell({ do: 'pend', messages: [assistantMessage([call('a', { command: 'very private' })], 5)] });
    const watcher = watch([root]);
    const chat = await chatOf(watcher, alive, 'the call is pending', asks('a'));
    assert.ok(!JSON.stringify(chat).includes('c2VjcmV0'));
    await alive.exit();
    await eventually('it has ended', () => watcher.chats().length === 0);
    assert.ok(logged.length > 0);
    assert.doesNotMatch(logged.join('\n'), /c2VjcmV0|private/);
  });
});
