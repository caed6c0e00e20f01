import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { decodeHead } from '../../../src/cursor/store/head.ts';
import { parseMessage } from '../../../src/cursor/store/message.ts';
import { readStore } from '../../../src/cursor/store/readChat.ts';

/** Recordings of real chats that stand beside a checkout, where somebody has them. */
const samples = resolve(import.meta.dirname, '../../../../shared/samples/agent-hub-cursor');

if (existsSync(samples)) {
  describe('real chats', () => {
    const rootBlob = (name: string): Buffer => Buffer.from(readFileSync(resolve(samples, name), 'utf8').trim(), 'hex');

    it('have a root blob that is understood whole', () => {
      const bytes = rootBlob('root.hex');
      const head = decodeHead(bytes);
      assert.equal(createHash('sha256').update(bytes).digest('hex').slice(0, 12), '5ce2ab863a1f');
      assert.equal(head?.unknownLayout, false);
      assert.equal(head.messageIds.length, 12);
      assert.equal(head.turnCount, 3);
      assert.deepEqual(head.workspaces, ['file:///private/tmp']);
      assert.equal(head.surface, 'cli');
      assert.equal(head.writtenAtMs, 1790184214647);
      assert.deepEqual(head.pendingMessages, []);
    });

    it('have messages whose calls and results are paired', () => {
      const recorded = JSON.parse(readFileSync(resolve(samples, 'messages.json'), 'utf8')) as { json: unknown }[];
      const messages = recorded.map(({ json }) => parseMessage(json));
      assert.ok(messages.every((message) => message !== undefined));
      const calls = messages.flatMap((message) => message.calls.map(({ toolCallId }) => toolCallId));
      const results = messages.flatMap((message) => message.resultsOf);
      assert.equal(results.length, 1);
      assert.match(results[0] ?? '', /\n/);
      assert.ok(calls.includes(results[0] ?? ''));
    });

    it('have stores that are read, with the call that was put into one', async () => {
      const plain = await readStore(resolve(samples, 'store-from-sample.db'));
      assert.ok(plain.certainty === 'known');
      assert.deepEqual(plain.pending, []);
      const pending = await readStore(resolve(samples, 'store-synthetic-pending.db'));
      assert.ok(pending.certainty === 'known');
      assert.deepEqual(pending.pending[0]?.args, { command: 'rm -rf build', description: 'Remove build' });
    });
  });
} else console.log('no recordings of real chats beside this checkout: these checks are left out');
