import assert from 'node:assert/strict';
import { KeyReader, type Received } from '../support/cursorSimulator/keys.ts';

describe('how the simulated cursor-agent reads keys', () => {
  let received: Received[] = [];
  const reader = (isTyping: boolean): KeyReader => {
    received = [];
    return new KeyReader(
      () => isTyping,
      (each) => received.push(each),
    );
  };
  const seen = (): unknown[] =>
    received.flatMap(({ inputs }) =>
      inputs.map(({ input, heeded }) => ['key' in input ? input.key : `text ${input.text}`, heeded]),
    );

  it('drops what follows the key before within 100 ms', () => {
    const keys = reader(false);
    for (const [text, atMs] of [
      ['\u001b[B', 1000],
      ['y', 1099],
      ['y', 1198],
      ['y', 1298],
      ['\u001bOA', 1400],
      ['\u001b[Z', 1500],
      [' ', 1600],
    ] as const) {
      keys.push(Buffer.from(text), atMs);
    }
    assert.deepEqual(seen(), [
      ['Down', true],
      ['y', false],
      ['y', false],
      ['y', true],
      ['Up', true],
      ['Shift+Tab', true],
      ['Space', true],
    ]);
  });

  it('drops all keys that arrive together', () => {
    reader(false).push(Buffer.from('\u001b[B\ry'), 1000);
    assert.deepEqual(seen(), [
      ['Down', false],
      ['Enter', false],
      ['y', false],
    ]);
  });

  it('takes text as it comes where it is typed into something, characters in pieces too', () => {
    const keys = reader(true);
    const bytes = Buffer.from('a; ä 日\r');
    keys.push(bytes.subarray(0, 4), 1000);
    keys.push(bytes.subarray(4), 1001);
    keys.push(Buffer.from('\r'), 1050);
    keys.push(Buffer.from('\r'), 1150);
    assert.deepEqual(seen(), [
      ['text a; ', true],
      ['text ä 日', true],
      ['Enter', false],
      ['Enter', false],
      ['Enter', true],
    ]);
  });

  it('joins Escape with what follows at once', () => {
    const keys = reader(false);
    keys.push(Buffer.from('\u001b'), 1000);
    keys.push(Buffer.from('y'), 1001);
    keys.push(Buffer.from('\u001b'), 2000);
    keys.push(Buffer.from('[A'), 2001);
    keys.push(Buffer.from('\u001b\u001b'), 3000);
    assert.deepEqual(seen(), [
      ['Alt+y', true],
      ['Up', true],
      ['Alt+Escape', true],
    ]);
  });

  it('takes Escape alone for itself when nothing follows', async () => {
    const alone = await new Promise<Received>((resolve) => {
      new KeyReader(() => false, resolve).push(Buffer.from('\u001b'), 1000);
    });
    assert.deepEqual(alone, { atMs: 1000, hex: '1b', inputs: [{ input: { key: 'Escape' }, heeded: true }] });
  });
});
