import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findJsonObjects } from '../../../../src/cursor/store/jsonObjects.ts';
import { scanForPending } from '../../../../src/cursor/store/scan.ts';
import { assistantMessage, call, toolResult, userMessage } from '../../../support/cursorStore/messages.ts';

const message = assistantMessage([call('call_1\nfc_1', { command: 'echo "{" \\ } é' })], 1790000000123);
const json = JSON.stringify(message);
const found = (bytes: Uint8Array): string[] =>
  findJsonObjects(bytes).map(({ from, to }) => Buffer.from(bytes.subarray(from, to)).toString());
const idsIn = (text: string | Uint8Array): string[] =>
  scanForPending(Buffer.from(text)).flatMap(({ calls }) => calls.map(({ toolCallId }) => toolCallId));

describe('objects among other bytes', () => {
  it('are found whole, outermost only, with strings and escapes respected', () => {
    assert.deepEqual(found(Buffer.from(`\0\x0a{"a":"}"}"${json}x{}`)), ['{"a":"}"}', json, '{}']);
    assert.deepEqual(found(Buffer.from('{"a":[{"b":"\\"}{"},{}]}')), ['{"a":[{"b":"\\"}{"},{}]}']);
    assert.deepEqual(found(Buffer.from('{"a": -1.5e+3 , "b" :\n[true,false,null]\t}')), [
      '{"a": -1.5e+3 , "b" :\n[true,false,null]\t}',
    ]);
  });

  it('are found inside and behind what is none', () => {
    assert.deepEqual(found(Buffer.from('{"open":{"a":1},"then" {"b":2}')), ['{"a":1}', '{"b":2}']);
    assert.deepEqual(found(Buffer.from(`{"${json}`)), [json]);
    assert.deepEqual(found(Buffer.from(`{"stray quote${json}`)), [json]);
    assert.deepEqual(
      found(Buffer.from('{"a":01}{"a":1.}{"a":tru}{"a":"\t"}{"a":"\\x"}{"a",}{"a":1,}{[}]{"a":[}]')),
      [],
    );
  });

  it('are what JSON.parse takes for objects, whatever stands between', () => {
    const noise = fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes.filter((byte) => byte < 0x20)));
    const object = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue());
    fc.assert(
      fc.property(fc.array(fc.tuple(noise, object), { maxLength: 6 }), (items) => {
        const texts = items.map(([, value]) => JSON.stringify(value));
        const bytes = Buffer.concat(items.flatMap(([between], index) => [between, Buffer.from(texts[index] ?? '')]));
        assert.deepEqual(found(bytes), texts);
      }),
    );
  });

  it('agree with trying every brace in turn', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '\\',
      'a',
      '1',
      '"a":',
      '{"a":',
      '{}',
      ' ',
      'true',
      '"{"',
      '\\"',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 24 }), (parts) => {
        const text = parts.join('');
        assert.deepEqual(found(Buffer.from(text)), naively(text));
      }),
      { numRuns: 5000 },
    );
  });

  it('cost time in proportion to the bytes', () => {
    // Trying every brace in turn costs the square: hours for the first of these.
    for (const piece of ['{"', '{"a":', '{"a":[', '{', '{"{":', '{"a":"{', '{"\\"', '"{":{', '{"a":"{b"},{"']) {
      const started = performance.now();
      findJsonObjects(Buffer.from(piece.repeat(Math.floor(500_000 / piece.length))));
      assert.ok(performance.now() - started < 5000, piece);
    }
  });
});

/** For each brace in turn the shortest text from there that is an object; on to the next brace behind it. */
function naively(text: string): string[] {
  const objects: string[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '{') continue;
    for (let end = at + 2; end <= text.length; end++) {
      if (!isJson(text.slice(at, end))) continue;
      objects.push(text.slice(at, end));
      at = end - 1;
      break;
    }
  }
  return objects;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('search for pending calls', () => {
  it('finds a message among other bytes, in arrays and in wrappers', () => {
    for (const text of [`\x0a\x05ab{"${json}\0`, `[${json},${json}]`, `{"calls":{"1":[${json}]}}`]) {
      assert.equal(idsIn(text)[0], 'call_1\nfc_1');
    }
    assert.deepEqual(scanForPending(Buffer.from(`\xff${json}`))[0]?.calls[0]?.args, { command: 'echo "{" \\ } é' });
  });

  it('takes no quotation for a call', () => {
    for (const quoting of [
      userMessage(`why is this there: ${json}`),
      userMessage('what does pendingToolCallStartedAtMs mean?'),
      toolResult('x', json),
      toolResult('x', { nested: message }),
      assistantMessage([call('other', { message })]),
      { ...message, role: 'user' },
    ]) {
      assert.deepEqual(idsIn(JSON.stringify(quoting)), []);
      assert.deepEqual(idsIn(`\x0a{"${JSON.stringify(quoting)}`), []);
    }
  });

  it('shows a call whose text is no UTF-8', () => {
    const bytes = Buffer.from(json);
    bytes[bytes.indexOf('é')] = 0xff;
    assert.deepEqual(idsIn(bytes), ['call_1\nfc_1']);
  });

  it('finds the call in a blob of many megabytes', () => {
    const bytes = Buffer.concat([Buffer.alloc(8_000_000, '{"'), Buffer.from(json), Buffer.alloc(8_000_000, '}')]);
    assert.deepEqual(idsIn(bytes), ['call_1\nfc_1']);
  });
});
