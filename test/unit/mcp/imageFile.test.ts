import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { readImage } from '../../../src/mcp/imageFile.ts';
import { sampleImages } from '../../support/sampleImages.ts';

const size = { width: 7, height: 5 };
const { png, jpeg, webp, webpAlpha, webpLossless } = sampleImages;

/** The picture's own chunk of a WebP file, in a container without anything else. */
function bareWebp(file: Buffer, kind: string): Buffer {
  const at = file.indexOf(kind, 12, 'latin1');
  const chunk = file.subarray(at, at + 8 + file.readUInt32LE(at + 4));
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(4 + chunk.length, 4);
  return Buffer.concat([head, chunk]);
}

/** A PNG of these chunks; the check sums of chunks are left out, as nobody looks at them. */
function pngOf(chunks: [kind: string, content: Buffer][]): Buffer {
  const parts = chunks.flatMap(([kind, content]) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(content.length);
    return [length, Buffer.from(kind), content, Buffer.alloc(4)];
  });
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

function header(width: number, height: number, bits: number, colour: number, interlaced = 0): [string, Buffer] {
  const content = Buffer.alloc(13);
  content.writeUInt32BE(width, 0);
  content.writeUInt32BE(height, 4);
  content.set([bits, colour, 0, 0, interlaced], 8);
  return ['IHDR', content];
}

describe('readImage', () => {
  it('knows format and size of what a browser wrote', async () => {
    assert.deepEqual(await readImage(png), { format: 'PNG', ...size });
    assert.deepEqual(await readImage(jpeg), { format: 'JPEG', ...size });
    for (const file of [webp, webpAlpha, webpLossless])
      assert.deepEqual(await readImage(file), { format: 'WebP', ...size });
    assert.deepEqual(await readImage(bareWebp(webp, 'VP8 ')), { format: 'WebP', ...size });
    assert.deepEqual(await readImage(bareWebp(webpLossless, 'VP8L')), { format: 'WebP', ...size });
  });

  it('takes no file that is cut off, wherever', async () => {
    for (const [name, file] of Object.entries(sampleImages)) {
      for (let length = 0; length < file.length; length += 1) {
        assert.equal(await readImage(file.subarray(0, length)), undefined, `${name} cut at ${length}`);
      }
    }
  });

  it('takes no PNG whose pixels are broken, too few or too many', async () => {
    const rows = (bytes: number): [string, Buffer] => ['IDAT', deflateSync(Buffer.alloc(bytes))];
    const end: [string, Buffer] = ['IEND', Buffer.alloc(0)];
    const broken = Buffer.from(png);
    const at = broken.indexOf('IDAT') + 12;
    broken.writeUInt8(broken.readUInt8(at) ^ 0xff, at);
    assert.equal(await readImage(broken), undefined);
    // One bit a pixel: nine of them take two bytes, and one for the filter.
    assert.deepEqual(await readImage(pngOf([header(9, 2, 1, 0), rows(6), end])), {
      format: 'PNG',
      width: 9,
      height: 2,
    });
    assert.ok(await readImage(pngOf([header(9, 2, 1, 0, 1), rows(9), end])), 'interlaced');
    for (const chunks of [
      [header(9, 2, 1, 0), rows(5), end],
      [header(9, 2, 1, 0), rows(7), end],
      [header(9, 2, 1, 5), rows(6), end],
      [header(0, 2, 1, 0), rows(2), end],
      [header(9, 2, 1, 0), end],
      [header(9, 2, 1, 0), rows(6)],
      [header(100_000, 100_000, 8, 6), rows(300 * 1024 * 1024), end],
    ]) {
      assert.equal(await readImage(pngOf(chunks)), undefined, JSON.stringify(chunks.map(([kind]) => kind)));
    }
  });

  it('takes nothing else for a picture', async () => {
    const others = [
      '',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'GIF89a',
      '\xff\xd8\xff',
      'RIFF\0\0\0\0WEBP',
      'RIFF\x04\0\0\0WAVE',
    ];
    for (const text of others)
      assert.equal(await readImage(Buffer.from(text, 'latin1')), undefined, JSON.stringify(text));
    assert.equal(await readImage(Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(5_000, 0xff)])), undefined);
    assert.equal(await readImage(Buffer.alloc(5_000)), undefined);
  });
});
