import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { PbfWriter } from 'pbf';
import { decodeHead } from '../../../../src/cursor/store/head.ts';
import { assistantMessage, call } from '../../../support/cursorStore/messages.ts';
import { encodeRoot, type Root } from '../../../support/cursorStore/rootBlob.ts';

const id = (fill: string): string => fill.repeat(64 / fill.length);
const plain: Root = { messageIds: [], pending: [], turnIds: [], workspaces: [], timestampMs: 1790000000000 };
const pendingJson = JSON.stringify(assistantMessage([call('call_1\nfc_1')], 1790000000123));

function decode(root: Partial<Root>) {
  const head = decodeHead(encodeRoot({ ...plain, ...root }));
  assert.ok(head);
  return head;
}

describe('head', () => {
  it('reads the fields it knows and skips the others', () => {
    const head = decode({
      messageIds: [id('ab'), id('cd')],
      turnIds: [id('01')],
      pending: [pendingJson],
      workspaces: ['file:///home/mia/ordner%20%C3%A4'],
    });
    assert.deepEqual(
      head.messageIds.map((each) => Buffer.from(each).toString('hex')),
      [id('ab'), id('cd')],
    );
    assert.equal(head.turnCount, 1);
    assert.deepEqual(head.workspaces, ['file:///home/mia/ordner%20%C3%A4']);
    assert.equal(head.surface, 'cli');
    assert.equal(head.writtenAtMs, 1790000000000);
    assert.equal(head.unknownLayout, false);
    assert.deepEqual(head.pendingMessages[0]?.calls[0], {
      toolCallId: 'call_1\nfc_1',
      toolName: 'Shell',
      args: { command: 'make deploy' },
      otherFields: {},
      cut: false,
    });
    assert.equal(head.pendingMessages[0].startedAtMs, 1790000000123);
  });

  it('says that the layout is unknown when an entry of field 4 cannot be read', () => {
    const invalid = Buffer.concat([
      Buffer.from('{"role":"assistant","content":[{"x":"'),
      Buffer.from([0xff]),
      Buffer.from('"}]}'),
    ]);
    for (const entry of [
      id('ab'),
      '{',
      '[]',
      '{"role":"user","content":[]}',
      pendingJson.replace('assistant', 'user'),
      invalid,
    ]) {
      const head = decode({ pending: [pendingJson, entry] });
      assert.equal(head.unknownLayout, true);
      assert.equal(head.pendingMessages.length, 1);
      assert.equal(head.unreadableEntries.length, 1);
    }
  });

  it('says so when the marker is anywhere else', () => {
    for (const extra of [
      (writer: PbfWriter) => writer.writeStringField(40, pendingJson),
      (writer: PbfWriter) => writer.writeStringField(41, 'pendingToolCallStartedAtMs'),
      (writer: PbfWriter) => writer.writeVarintField(4, 1),
      (writer: PbfWriter) => writer.writeStringField(1, 'short'),
    ]) {
      assert.equal(decode({ pending: [pendingJson], extra }).unknownLayout, true);
    }
    const quoting = JSON.stringify(assistantMessage([call('a', { command: 'grep pendingToolCallStartedAtMs' })], 1));
    assert.equal(decode({ pending: [quoting, pendingJson] }).unknownLayout, false);
  });

  it('skips unknown fields of every wire type that can be skipped', () => {
    const head = decode({
      pending: [pendingJson],
      extra: (writer) => {
        writer.writeVarintField(100, 2 ** 40);
        writer.writeDoubleField(101, 1.5);
        writer.writeBytesField(102, Buffer.alloc(300));
        writer.writeFloatField(103, 1.5);
      },
    });
    assert.equal(head.unknownLayout, false);
    assert.equal(head.pendingMessages.length, 1);
  });

  it('is no head when a field cannot be skipped, has number 0, or is cut off', () => {
    const root = encodeRoot({ ...plain, pending: [pendingJson] });
    for (const type of [3, 4, 6, 7])
      assert.equal(decodeHead(Buffer.concat([root, Buffer.from([(15 << 3) | type, 0])])), undefined);
    assert.equal(decodeHead(Buffer.concat([Buffer.from([0, 0]), root])), undefined);
    assert.equal(decodeHead(root.subarray(0, root.length - 1)), undefined);
    assert.equal(
      decodeHead(Buffer.from([0x22, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01])),
      undefined,
    );
  });

  it('never throws, and gives back what was encoded', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        decodeHead(bytes);
      }),
      { numRuns: 3000 },
    );
    const root = fc.record({
      messageIds: fc.array(fc.stringMatching(/^[0-9a-f]{64}$/), { maxLength: 20 }),
      workspaces: fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 3 }),
      timestampMs: fc.nat({ max: 2 ** 45 }),
      calls: fc.array(
        fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 3 })), { minLength: 1 }),
        {
          maxLength: 3,
        },
      ),
    });
    fc.assert(
      fc.property(root, ({ calls, ...fields }) => {
        const pending = calls.map((batch) =>
          JSON.stringify(
            assistantMessage(
              batch.map(([name, args]) => call(name, args)),
              5,
            ),
          ),
        );
        const head = decode({ ...fields, pending });
        assert.deepEqual(
          head.messageIds.map((each) => Buffer.from(each).toString('hex')),
          fields.messageIds,
        );
        assert.deepEqual(head.workspaces, fields.workspaces);
        assert.equal(head.writtenAtMs, fields.timestampMs);
        assert.equal(head.unknownLayout, false);
        assert.deepEqual(
          head.pendingMessages.map((message) => message.calls.map((each) => [each.toolCallId, each.args])),
          // What JSON makes of it: -0 is written as 0.
          calls.map((batch) => batch.map(([name, args]) => [name, JSON.parse(JSON.stringify(args)) as unknown])),
        );
      }),
    );
  });

  it('survives any change of its bytes', () => {
    const root = encodeRoot({ ...plain, messageIds: [id('ab')], pending: [pendingJson] });
    fc.assert(
      fc.property(
        fc.nat({ max: root.length - 1 }),
        fc.nat({ max: 255 }),
        fc.nat({ max: root.length }),
        (at, byte, length) => {
          const changed = Buffer.from(root);
          changed[at] = byte;
          decodeHead(changed.subarray(0, length));
        },
      ),
      { numRuns: 3000 },
    );
  });
});
