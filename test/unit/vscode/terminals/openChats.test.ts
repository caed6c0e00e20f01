import assert from 'node:assert/strict';
import { OpenChats } from '../../../../src/vscode/terminals/openChats.ts';

const one = { chatId: '0f8fad5b-d9cb-469f-a165-70867728950e', folder: '/a' };
const two = { chatId: '1f8fad5b-d9cb-469f-a165-70867728950e', folder: '/b' };

function memory(kept?: unknown) {
  let value = kept;
  return {
    keys: () => [],
    get: () => value as never,
    update: (_key: string, next: unknown) => {
      value = next;
      return Promise.resolve();
    },
    value: () => value,
  };
}

describe('OpenChats', () => {
  it('remembers each chat once, until it is forgotten', async () => {
    const state = memory();
    const chats = new OpenChats(state);
    await chats.add(one);
    await chats.add(two);
    await chats.add({ ...one, folder: '/c' });
    assert.deepEqual(new OpenChats(state).list(), [two, { ...one, folder: '/c' }]);
    await chats.forget(one.chatId);
    await chats.forget(two.chatId);
    assert.equal(state.value(), undefined);
  });

  it('takes nothing that is no chat', () => {
    const kept = [
      one,
      { chatId: '--force', folder: '/a' },
      { chatId: 3, folder: '/a' },
      null,
      'x',
      { chatId: one.chatId },
    ];
    assert.deepEqual(new OpenChats(memory(kept)).list(), [one]);
    assert.deepEqual(new OpenChats(memory('nonsense')).list(), []);
  });
});
