import { promisify } from 'node:util';
import { inflate } from 'node:zlib';

/** What a picture is. Width and height in pixels. */
export interface ImageFacts {
  format: ImageFormat;
  width: number;
  height: number;
}

export type ImageFormat = 'PNG' | 'JPEG' | 'WebP';

/** The most that the pixels of a PNG may take, in bytes. */
const maxPixelBytes = 256 * 1024 * 1024;

/**
 * Reads a picture as far as it takes to know that it is whole: every part up to its end, and the pixels of a PNG, which bear a
 * check sum. Undefined for what is none of the formats, cut off, or broken in there.
 */
export async function readImage(bytes: Buffer): Promise<ImageFacts | undefined> {
  try {
    const facts = (await readPng(bytes)) ?? readJpeg(bytes) ?? readWebp(bytes);
    return facts && facts.width > 0 && facts.height > 0 ? facts : undefined;
  } catch (error) {
    // A read behind the end, or pixels that cannot be unpacked.
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
/** Samples per pixel by colour type (PNG specification, 11.2.2). */
const samples: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const unpack = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate);

async function readPng(bytes: Buffer): Promise<ImageFacts | undefined> {
  if (!bytes.subarray(0, 8).equals(pngSignature) || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const bits = bytes.readUInt8(24) * (samples[bytes.readUInt8(25)] ?? 0);
  const interlaced = bytes.readUInt8(28) !== 0;
  const packed: Buffer[] = [];
  for (let at = 8, kind = ''; kind !== 'IEND';) {
    const length = bytes.readUInt32BE(at);
    kind = bytes.toString('latin1', at + 4, at + 8);
    if (at + 12 + length > bytes.length) return undefined;
    if (kind === 'IDAT') packed.push(bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const pixels = await unpack(Buffer.concat(packed), { maxOutputLength: maxPixelBytes });
  // Each row has one byte in front. Interlaced ones are divided over seven smaller pictures.
  const expected = height * (1 + Math.ceil((width * bits) / 8));
  const whole = interlaced ? pixels.length > 0 : pixels.length === expected;
  return bits > 0 && whole ? { format: 'PNG', width, height } : undefined;
}

/** Segments up to the first scan; what lies behind is coded pixels, up to the end mark. */
function readJpeg(bytes: Buffer): ImageFacts | undefined {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let size: { width: number; height: number } | undefined;
  for (let at = 2; ;) {
    // Any marker may have filling in front.
    while (bytes.readUInt16BE(at) === 0xffff) at += 1;
    const marker = bytes.readUInt16BE(at);
    const length = bytes.readUInt16BE(at + 2);
    if (marker < 0xff01) return undefined;
    // A frame header, whatever the coding (ITU T.81, B.1.1.3): C4, C8 and CC are none.
    if (marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)) {
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    at += 2 + length;
    if (marker === 0xffda)
      return size && bytes.lastIndexOf('ffd9', 'hex') >= at ? { format: 'JPEG', ...size } : undefined;
  }
}

/** Chunks of even length in a RIFF container; the picture's size stands in one of three places. */
function readWebp(bytes: Buffer): ImageFacts | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return undefined;
  let size: { width: number; height: number } | undefined;
  let hasPixels = false;
  for (let at = 12; at < end;) {
    const kind = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const content = at + 8;
    if (content + length > end) return undefined;
    hasPixels ||= ['VP8 ', 'VP8L', 'ANMF'].includes(kind);
    size ??= webpSize(kind, bytes, content);
    at = content + length + (length % 2);
  }
  return size && hasPixels ? { format: 'WebP', ...size } : undefined;
}

function webpSize(kind: string, bytes: Buffer, at: number): { width: number; height: number } | undefined {
  switch (kind) {
    case 'VP8X':
      return { width: 1 + bytes.readUIntLE(at + 4, 3), height: 1 + bytes.readUIntLE(at + 7, 3) };
    case 'VP8L': {
      const packed = bytes.readUInt32LE(at + 1);
      return { width: 1 + (packed & 0x3fff), height: 1 + ((packed >>> 14) & 0x3fff) };
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(at + 6) & 0x3fff, height: bytes.readUInt16LE(at + 8) & 0x3fff };
    default:
      return undefined;
  }
}
