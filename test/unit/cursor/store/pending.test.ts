import assert from 'node:assert/strict';
import { parseMessage } from '../../../../src/cursor/store/message.ts';
import { type History, pendingCalls } from '../../../../src/cursor/store/pending.ts';
import { assistantMessage, call } from '../../../support/cursorStore/messages.ts';

function pending(
  messages: readonly object[],
  { committed = [], resolved = [] }: { committed?: string[]; resolved?: string[] } = {},
) {
  const history: History = { committed: new Set(committed), resolved: new Set(resolved) };
  const parsed = messages.map((message) => parseMessage(message)).filter((message) => message !== undefined);
  assert.equal(parsed.length, messages.length);
  return pendingCalls(parsed, history);
}

const ids = (calls: ReturnType<typeof pending>): string[] => calls.map(({ toolCallId }) => toolCallId);

describe('pending calls', () => {
  it('are those with the marker that are neither committed nor resolved', () => {
    const message = assistantMessage([call('a'), call('b'), call('c')], 5);
    assert.deepEqual(ids(pending([message])), ['a', 'b', 'c']);
    assert.deepEqual(ids(pending([message], { committed: ['a'] })), ['b', 'c']);
    assert.deepEqual(ids(pending([message], { resolved: ['b'] })), ['a', 'c']);
    assert.deepEqual(ids(pending([assistantMessage([call('a')])])), []);
  });

  it('compare ids as they are', () => {
    const message = assistantMessage([call('a\nb')], 5);
    assert.deepEqual(ids(pending([message], { resolved: ['a', 'b', 'a b', 'a\\nb', ' a\nb'] })), ['a\nb']);
    assert.deepEqual(ids(pending([message], { resolved: ['a\nb'] })), []);
  });

  it('share the batch of their message, in order', () => {
    const calls = pending([assistantMessage([call('a'), call('b')], 5), assistantMessage([call('c')], 6)], {
      resolved: ['a'],
    });
    assert.deepEqual(
      calls.map(({ toolCallId, batch, startedAtMs }) => [toolCallId, batch, startedAtMs]),
      [
        ['b', 'a', 5],
        ['c', 'c', 6],
      ],
    );
  });

  it('are there once, as named last, and not at all when also named without the marker', () => {
    const first = assistantMessage([call('a', { command: 'old' })], 5);
    const last = assistantMessage([call('a', { command: 'new' })], 6);
    assert.deepEqual(
      pending([first, last]).map(({ args }) => args),
      [{ command: 'new' }],
    );
    assert.deepEqual(ids(pending([first, assistantMessage([call('a')])])), []);
  });
});
