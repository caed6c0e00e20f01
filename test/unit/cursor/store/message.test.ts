import assert from 'node:assert/strict';
import { decodeMessage, parseMessage } from '../../../../src/cursor/store/message.ts';
import { assistantMessage, call, toolResult, userMessage } from '../../../support/cursorStore/messages.ts';

function onlyCall(part: object) {
  const message = parseMessage(assistantMessage([{ type: 'tool-call', toolCallId: 'a', toolName: 'X', ...part }], 1));
  assert.equal(message?.calls.length, 1);
  return message.calls[0];
}

describe('message', () => {
  it('takes the arguments under each of their names, and keeps one that is no object', () => {
    assert.deepEqual(onlyCall({ args: { a: 1 } })?.args, { a: 1 });
    assert.deepEqual(onlyCall({ input: { a: 1 } })?.args, { a: 1 });
    assert.deepEqual(onlyCall({ arguments: '{"a":1}' })?.args, '{"a":1}');
    assert.equal(onlyCall({ args: '*** Begin Patch' })?.args, '*** Begin Patch');
    assert.equal(onlyCall({})?.args, null);
  });

  it('keeps every other field of a call, odd names too', () => {
    const part = JSON.parse('{"args":{"__proto__":{"a":1}},"input":7,"":2}') as object;
    const found = onlyCall({ extra: [1], ...part });
    assert.deepEqual(found?.otherFields, { extra: [1], input: 7, '': 2 });
    assert.equal(JSON.stringify(found.args), '{"__proto__":{"a":1}}');
    const decoded = decodeMessage(
      Buffer.from(
        '{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","__proto__":{"polluted":true}}]}',
      ),
    );
    assert.equal(JSON.stringify(decoded?.calls[0]?.otherFields), '{"__proto__":{"polluted":true}}');
    assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
  });

  it('knows the marker whatever its value, and its absence', () => {
    for (const marker of [1790000000123, '1790000000123', 0, true, {}]) {
      assert.equal(parseMessage(assistantMessage([call('a')], marker))?.pending, true);
    }
    assert.equal(parseMessage(assistantMessage([call('a')], 1790000000123))?.startedAtMs, 1790000000123);
    assert.equal(parseMessage(assistantMessage([call('a')], '5'))?.startedAtMs, undefined);
    assert.equal(parseMessage(assistantMessage([call('a')], null))?.pending, false);
    assert.equal(parseMessage(assistantMessage([call('a')]))?.pending, false);
    for (const providerOptions of [null, 'cursor', { cursor: null }, { cursor: 'pendingToolCallStartedAtMs' }]) {
      assert.equal(parseMessage({ role: 'assistant', content: [call('a')], providerOptions })?.pending, false);
    }
  });

  it('reads results, and text parts beside calls', () => {
    assert.deepEqual(parseMessage(toolResult('a\nb'))?.resultsOf, ['a\nb']);
    const mixed = parseMessage(assistantMessage([{ type: 'text', text: 'x' }, null, 'y', call('a'), call('b')], 1));
    assert.deepEqual(
      mixed?.calls.map(({ toolCallId }) => toolCallId),
      ['a', 'b'],
    );
    assert.deepEqual(parseMessage(userMessage('hello'))?.calls, []);
    assert.deepEqual(parseMessage({ role: 'user', content: 'hello' })?.calls, []);
  });

  it('is no message without a role, without content, or with a call that has no id', () => {
    for (const value of [null, 1, 'x', [], {}, { role: 'assistant' }, { role: 1, content: [] }]) {
      assert.equal(parseMessage(value), undefined);
    }
    for (const toolCallId of [undefined, 7, '']) {
      assert.equal(parseMessage(assistantMessage([{ type: 'tool-call', toolCallId, toolName: 'X' }], 1)), undefined);
    }
  });

  it('cuts what is nested deeper than can be walked, and says so', () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    const message = decodeMessage(
      Buffer.from(
        `{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"X","args":${deep}}]}`,
      ),
    );
    assert.equal(message?.calls[0]?.cut, true);
    assert.ok(JSON.stringify(message.calls[0].args).includes('nested too deeply'));
    assert.equal(onlyCall({ args: [[[[[[]]]]]] })?.cut, false);
  });

  it('keeps text that is not ASCII as it is, and refuses what is no UTF-8', () => {
    const bytes = Buffer.from(JSON.stringify(assistantMessage([call('a', { path: '/tmp/größe/収到.txt' })], 1)));
    assert.deepEqual(decodeMessage(bytes)?.calls[0]?.args, { path: '/tmp/größe/収到.txt' });
    bytes[bytes.indexOf('größe') + 2] = 0xff;
    assert.equal(decodeMessage(bytes), undefined);
  });
});
