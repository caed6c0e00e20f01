import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createOpenFiles } from '../../../../src/process/openFiles.ts';
import { ChatStoreWriter } from '../../../support/cursorStore/chatStoreWriter.ts';
import { assistantMessage, call, toolResult, userMessage } from '../../../support/cursorStore/messages.ts';
import { folderOf } from '../../../support/cursorStore/session.ts';
import { useTemporaryFolder } from '../../../support/cursorStore/temporaryFolder.ts';
import { chatOf, CountingClock, pendingIds, useWatchers } from '../../../support/cursorStore/watched.ts';
import { JumpingClock } from '../../../support/fakes/jumpingClock.ts';
import { eventually } from '../../../support/processes/runs.ts';

const since = 1790000000123;
const deploy = assistantMessage([call('call_1\nfc_1')], since);

describe('watching chats', function () {
  if (process.platform === 'win32') return;
  this.timeout(30_000);
  const temporaryFolder = useTemporaryFolder();
  const { watch, session } = useWatchers();
  const newRoot = (name = 'cursor'): string => join(temporaryFolder(), name);
  const deadChat = (root: string, id: string): ChatStoreWriter => {
    const writer = new ChatStoreWriter({ root, cwd: '/work', id });
    writer.commitHead([deploy]);
    writer.close();
    return writer;
  };

  it('shows the chat of a session that lives already, with all that is known of it', async () => {
    const root = newRoot();
    mkdirSync(root);
    writeFileSync(join(root, 'cli-config.json'), JSON.stringify({ permissions: { allow: ['Shell(ls)'], deny: [] } }));
    deadChat(root, 'dead');
    const alive = await session(root);
    await alive.tell({ do: 'pend', messages: [deploy] });
    const watcher = watch([root]);
    const chat = await chatOf(watcher, alive);
    assert.equal(chat.id, alive.id);
    assert.equal(chat.root, root);
    assert.equal(chat.info?.cwd, '/work');
    assert.deepEqual(pendingIds(chat), ['call_1\nfc_1']);
    assert.equal(chat.problem, undefined);
    assert.deepEqual(chat.permissions.allow, ['Shell(ls)']);
    assert.ok(chat.session.state === 'alive');
    assert.equal(chat.session.processes[0].pid, alive.pid);
    assert.equal(watcher.chats().length, 1);
    assert.equal(watcher.limitation, undefined);
  });

  it('follows a call from its coming to its end, each state a new object', async () => {
    const root = newRoot();
    const alive = await session(root);
    const watcher = watch([root]);
    const before = await chatOf(watcher, alive);
    let told = 0;
    watcher.onDidChange(() => told++);
    await alive.tell({ do: 'pend', messages: [deploy] });
    const asking = await chatOf(watcher, alive, 'the call is pending', (chat) => pendingIds(chat)?.length === 1);
    await alive.tell({ do: 'say', messages: [assistantMessage([call('call_1\nfc_1')]), toolResult('call_1\nfc_1')] });
    const after = await chatOf(watcher, alive, 'the call is over', (chat) => pendingIds(chat)?.length === 0);
    assert.equal(before.state?.pending.length, 0);
    assert.equal(asking.state?.pending.length, 1);
    assert.equal(after.state?.messageCount, 2);
    assert.ok(told >= 2);
  });

  it('notices a root, a bucket and a chat that come into being', async () => {
    const root = newRoot(join('not', 'there', 'yet'));
    const watcher = watch([root]);
    const first = await session(root);
    await chatOf(watcher, first, 'the first chat is seen');
    const sameBucket = await session(root);
    await chatOf(watcher, sameBucket, 'a chat of the same folder is seen');
    const otherBucket = await session(root, { cwd: '/elsewhere' });
    await chatOf(watcher, otherBucket, 'a chat of another folder is seen');
    assert.equal(watcher.chats().length, 3);
  });

  it('notices everything that comes while it looks for the first time', async () => {
    const root = newRoot();
    for (let n = 0; n < 30; n++) deadChat(root, `dead-${n}`);
    const watcher = watch([root]);
    const sessions = await Promise.all([1, 2, 3].map((n) => session(root, { cwd: `/work/${n}` })));
    for (const each of sessions) await chatOf(watcher, each);
    assert.equal(watcher.chats().length, 3);
  });

  it('watches an old chat again when it is resumed', async () => {
    const root = newRoot();
    const { folder } = deadChat(root, 'old');
    const watcher = watch([root]);
    const other = await session(root, { cwd: '/elsewhere' });
    await chatOf(watcher, other);
    const resumed = await session(root, { id: 'old' });
    await resumed.tell({ do: 'pend', messages: [deploy] });
    await chatOf(watcher, { folder }, 'the call is pending', (chat) => pendingIds(chat)?.length === 1);
  });

  it('goes on with the next chat of a process', async () => {
    const root = newRoot();
    const alive = await session(root);
    const watcher = watch([root]);
    await chatOf(watcher, alive);
    await alive.tell({ do: 'clear', id: 'next' });
    await alive.tell({ do: 'pend', messages: [deploy] });
    const next = folderOf(root, '/work', 'next');
    const chat = await chatOf(watcher, { folder: next }, 'the call is pending', (it) => pendingIds(it)?.length === 1);
    assert.ok(chat.session.state === 'alive');
    assert.equal(chat.session.processes[0].pid, alive.pid);
    await eventually('the former chat is gone', () => watcher.chats().length === 1);
  });

  it('lets go of a chat whose session ends, and of one whose folder is deleted', async () => {
    const root = newRoot();
    const [leaving, deleted] = [await session(root), await session(root)];
    const watcher = watch([root]);
    await chatOf(watcher, leaving);
    await chatOf(watcher, deleted);
    await leaving.exit();
    await eventually('the first has ended', () => watcher.chats().length === 1);
    rmSync(deleted.folder, { recursive: true });
    await eventually('the second is gone', () => watcher.chats().length === 0);
    const again = await session(root, { id: deleted.id });
    await chatOf(watcher, again, 'the same folder is watched again');
    rmSync(root, { recursive: true });
    await eventually('everything is gone', () => watcher.chats().length === 0);
    const last = await session(root);
    await chatOf(watcher, last, 'the root is back');
  });

  it('notices within moments that a session was killed while a call waits', async () => {
    const root = newRoot();
    const clock = new JumpingClock();
    const alive = await session(root);
    await alive.tell({ do: 'pend', messages: [deploy] });
    const watcher = watch([root], { clock });
    await chatOf(watcher, alive, 'the call is pending', (chat) => pendingIds(chat)?.length === 1);
    // The closer looks of its first seconds are over then: each is planned by the one before it.
    for (let look = 0; look < 4; look++) clock.jump(5000);
    await watcher.lookAtSession(alive.folder);
    await alive.kill();
    await eventually('it is gone', () => watcher.chats().length === 0, 3000);
  });

  it('notices later that a session was killed while nothing waits', async () => {
    const root = newRoot();
    const clock = new JumpingClock();
    const alive = await session(root);
    const watcher = watch([root], { clock });
    await chatOf(watcher, alive);
    clock.jump(5000);
    await alive.kill();
    await eventually('it is gone', () => {
      clock.jump(30_000);
      return watcher.chats().length === 0;
    });
  });

  it('takes the process that asks for the session, and not the one before it', async () => {
    const root = newRoot();
    const killed = await session(root);
    const watcher = watch([root], { clock: new JumpingClock() });
    await chatOf(watcher, killed);
    await killed.kill();
    const next = await session(root, { id: killed.id });
    await next.tell({ do: 'pend', messages: [deploy] });
    await chatOf(watcher, next, 'the new process is seen', (chat) => {
      const isNew = chat.session.state === 'alive' && chat.session.processes[0].pid === next.pid;
      return isNew && pendingIds(chat)?.length === 1;
    });
  });

  it('looks at a session again when it is asked to', async () => {
    const root = newRoot();
    const alive = await session(root);
    const watcher = watch([root]);
    await chatOf(watcher, alive);
    await alive.kill();
    await watcher.lookAtSession(alive.folder);
    assert.deepEqual(watcher.chats(), []);
    await watcher.lookAtSession('/nowhere');
  });

  it('shows one chat once, whichever ways lead to it, and no ACP session', async () => {
    const root = newRoot();
    const linked = newRoot('linked');
    const sameChats = newRoot('same-chats');
    const alive = await session(root);
    symlinkSync(root, linked);
    mkdirSync(sameChats);
    symlinkSync(join(root, 'chats'), join(sameChats, 'chats'));
    symlinkSync(dirname(alive.folder), join(root, 'chats', 'f'.repeat(32)));
    const acp = await session(join(root, 'acp'));
    renameSync(dirname(acp.folder), join(root, 'acp-sessions'));
    const watcher = watch([linked, sameChats, root]);
    const chat = await chatOf(watcher, alive);
    assert.equal(chat.root, linked);
    await alive.tell({ do: 'pend', messages: [deploy] });
    await chatOf(watcher, alive, 'the call is pending', (it) => pendingIds(it)?.length === 1);
    assert.equal(watcher.chats().length, 1);
  });

  it('reads the description, the run mode and the rules again', async () => {
    const root = newRoot();
    const alive = await session(root);
    const watcher = watch([root]);
    await chatOf(watcher, alive);
    const file = join(alive.folder, 'meta.json');
    const info = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(`${file}.new`, JSON.stringify({ ...info, title: 'Deployment' }));
    renameSync(`${file}.new`, file);
    await chatOf(watcher, alive, 'the title is new', (chat) => chat.info?.title === 'Deployment');
    await alive.tell({ do: 'meta', change: { isRunEverything: true } });
    await chatOf(watcher, alive, 'the mode is new', (chat) => chat.state?.runMode.runEverything === true);
    writeFileSync(join(root, 'cli-config.json'), JSON.stringify({ permissions: { allow: ['Shell(make)'] } }));
    await alive.tell({ do: 'pend', messages: [deploy] });
    await chatOf(watcher, alive, 'the rules are new', (chat) => chat.permissions.allow.includes('Shell(make)'));
  });

  it('reads on until the whole history is known', async () => {
    const root = newRoot();
    const alive = await session(root);
    const watcher = watch([root]);
    const long = Array.from({ length: 9 }, (_, n) => userMessage(`${n}`.padEnd(1_000_000, 'x')));
    await alive.tell({ do: 'say', messages: [toolResult('call_1\nfc_1'), ...long] });
    await alive.tell({ do: 'pend', messages: [deploy] });
    const isRead = await chatOf(watcher, alive, 'everything was read', ({ state }) => {
      return state?.messageCount === 10 && state.historyComplete;
    });
    assert.deepEqual(pendingIds(isRead), []);
  });

  it('waits for events alone: no timer while nothing lives', async () => {
    const root = newRoot();
    for (let n = 0; n < 50; n++) deadChat(root, `dead-${n}`);
    const clock = new CountingClock();
    let asked = 0;
    const openFiles = createOpenFiles();
    const watcher = watch([root, newRoot('missing')], {
      clock,
      openFiles: {
        ...openFiles,
        holdersOf: (files) => {
          asked += files.length;
          return openFiles.holdersOf(files);
        },
      },
    });
    await eventually('all were looked at', () => asked === 50 && clock.pending === 0);
    assert.deepEqual(watcher.chats(), []);
    const alive = await session(root);
    await chatOf(watcher, alive);
    await alive.exit();
    await eventually('nothing lives', () => watcher.chats().length === 0 && clock.pending === 0);
  });

  it('ends all it has begun', async () => {
    const root = newRoot();
    const clock = new CountingClock();
    const alive = await session(root);
    await alive.tell({ do: 'pend', messages: [deploy] });
    const watches = (): number => process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length;
    const before = watches();
    const watcher = watch([root, newRoot('missing')], { clock });
    let told = 0;
    watcher.onDidChange(() => told++);
    await chatOf(watcher, alive);
    told = 0;
    watcher.dispose();
    watcher.dispose();
    await alive.tell({ do: 'say', messages: [userMessage('go on')] });
    await eventually('nothing is under way', () => clock.pending === 0 && watches() === before);
    assert.equal(told, 0);
    watch([root], { clock }).dispose();
    await eventually('nothing is under way', () => clock.pending === 0 && watches() === before);
  });
});
