import assert from 'node:assert/strict';
import { parseChatMeta } from '../../../../src/cursor/store/chatMeta.ts';

const secret = 'c2VjcmV0LWtleS1vZi10aGUtYmxvYnM=';
const headId = '5c'.repeat(32);
const description = {
  agentId: 'agent',
  latestRootBlobId: headId,
  name: 'Größe prüfen',
  mode: 'default',
  createdAt: 1790000000000,
  isRunEverything: true,
  approvalMode: 'auto-review',
  subagentInfo: { parentAgentId: 'parent', rootParentAgentId: 'root', toolCallId: 'a\nb', typeName: 'explore' },
  blobEncryptionKey: secret,
  somethingNew: 1,
};
const parse = (value: object) => parseChatMeta(Buffer.from(JSON.stringify(value)));

describe("a chat's description", () => {
  it('is read from hex, from plain JSON, and from either as a BLOB', () => {
    const json = Buffer.from(JSON.stringify(description));
    for (const value of [json, Buffer.from(json.toString('hex')), Buffer.from(json.toString('hex').toUpperCase())]) {
      const { meta } = parseChatMeta(value) ?? {};
      assert.equal(meta?.name, 'Größe prüfen');
      assert.equal(meta.latestRootBlobId, headId);
      assert.equal(meta.isRunEverything, true);
      assert.equal(meta.subagentInfo?.toolCallId, 'a\nb');
    }
  });

  it('never carries the key on, only that there is one', () => {
    const parsed = parse(description);
    assert.equal(parsed?.encrypted, true);
    assert.ok(!JSON.stringify(parsed).includes(secret));
    assert.ok(!JSON.stringify(parsed).includes('blobEncryptionKey'));
    assert.equal(parse({ ...description, blobEncryptionKey: undefined })?.encrypted, false);
  });

  it('has no head before the first message', () => {
    assert.equal(parse({ ...description, latestRootBlobId: '' })?.meta.latestRootBlobId, undefined);
    assert.equal(parse({ name: 'new' })?.meta.latestRootBlobId, undefined);
  });

  it('leaves out what is of another kind, but not a head of another kind', () => {
    const odd = parse({ ...description, isRunEverything: 'yes', name: 7, subagentInfo: [], approvalMode: null });
    assert.equal(odd?.meta.latestRootBlobId, headId);
    assert.equal(odd.meta.isRunEverything, undefined);
    for (const id of [7, null, 'zz', headId.slice(1), headId.toUpperCase(), [headId]]) {
      assert.equal(parse({ ...description, latestRootBlobId: id }), undefined);
    }
  });

  it('is none when it is no JSON object, and what fails is not quoted', () => {
    for (const value of ['', '{', `{"blobEncryptionKey":"${secret}"`, '7b', '[]', 'null', '"x"', '\u0000', 'ff']) {
      assert.equal(parseChatMeta(Buffer.from(value)), undefined);
    }
  });
});
