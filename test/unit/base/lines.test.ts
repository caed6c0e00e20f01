import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Line, LineSplitter } from '../../../src/base/lines.ts';

function split(chunks: Uint8Array[], capBytes?: number): Line[] {
  const splitter = new LineSplitter(capBytes);
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

const texts = (lines: Line[]) => lines.map((line) => line.text);

describe('LineSplitter', () => {
  it('ends lines at \\n and \\r\\n, keeps empty lines, and delivers a last line without an end', () => {
    assert.deepEqual(texts(split([Buffer.from('one\r\n\ntwo\nthr\ree')])), ['one', '', 'two', 'thr\ree']);
    assert.deepEqual(split([Buffer.from('done\n')]), [{ text: 'done', cut: false }]);
    assert.deepEqual(split([]), []);
  });

  it('gives the same lines however the bytes are cut into chunks', () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/g, '·'));
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), fc.array(fc.nat(9)), (lines, end, sizes) => {
        const bytes = Buffer.from(lines.map((text) => text + end).join(''));
        const chunks: Buffer[] = [];
        let from = 0;
        for (const size of sizes) {
          chunks.push(bytes.subarray(from, from + size));
          from += size;
        }
        chunks.push(bytes.subarray(from));
        assert.deepEqual(texts(split(chunks)), lines);
      }),
    );
  });

  it('does not keep the chunk it was given', () => {
    const splitter = new LineSplitter();
    const chunk = Buffer.from('abc');
    splitter.push(chunk);
    chunk.fill('x');
    assert.deepEqual(texts(splitter.push(Buffer.from('\n'))), ['abc']);
  });

  it('replaces invalid UTF-8 and loses nothing around it', () => {
    assert.deepEqual(texts(split([Buffer.from([0x61, 0xff, 0x62, 0x0a, 0xc3]), Buffer.from([0x0a, 0x63])])), [
      'a�b',
      '�',
      'c',
    ]);
  });

  it('cuts a line at the cap once and keeps what follows it', () => {
    const long = 'x'.repeat(25);
    for (const size of [1, 7, 100]) {
      const bytes = Buffer.from(`${long}\n1234567890\r\n12345678901\nend`);
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      assert.deepEqual(split(chunks, 10), [
        { text: 'x'.repeat(10), cut: true },
        { text: '1234567890', cut: false },
        { text: '1234567890', cut: true },
        { text: 'end', cut: false },
      ]);
    }
  });

  it('cuts at a whole character', () => {
    assert.deepEqual(split([Buffer.from('aéééé\n')], 4), [{ text: 'aé', cut: true }]);
  });
});
