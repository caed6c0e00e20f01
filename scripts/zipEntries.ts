import { inflateRawSync } from 'node:zlib';

/** One file of a zip archive. */
export interface ZipEntry {
  readonly name: string;
  /** POSIX permission bits, 0 when the archive was made without. */
  readonly mode: number;
  /** Its content, unpacked. Throws when the archive is damaged or packed in another way than zip archives mostly are. */
  readonly read: () => Buffer;
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const fileSignature = 0x04034b50;
const endLength = 22;

/** Lists a zip archive by its central directory (APPNOTE.TXT 4.3.12, 4.3.16). Not for Zip64. */
export function readZipEntries(archive: Buffer): ZipEntry[] {
  let end = archive.length - endLength;
  while (end >= 0 && archive.readUInt32LE(end) !== endSignature) end -= 1;
  if (end < 0) throw new Error('this is no zip archive');
  const entries: ZipEntry[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== entrySignature) throw new Error('the archive has a broken directory');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => archive.readUInt16LE(at + field));
    const nameEnd = at + 46 + (nameLength ?? 0);
    entries.push({
      name: archive.toString('utf8', at + 46, nameEnd),
      mode: archive.readUInt16LE(at + 40) & 0o777,
      read: contentOf(archive, {
        method: archive.readUInt16LE(at + 10),
        packedSize: archive.readUInt32LE(at + 20),
        at: archive.readUInt32LE(at + 42),
      }),
    });
    at = nameEnd + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return entries;
}

/** A file's own header repeats its name, and may have another extra field than the directory (APPNOTE.TXT 4.3.7). */
function contentOf(archive: Buffer, file: { method: number; packedSize: number; at: number }): () => Buffer {
  return () => {
    if (archive.readUInt32LE(file.at) !== fileSignature) throw new Error('the archive has a broken file header');
    const start = file.at + 30 + archive.readUInt16LE(file.at + 26) + archive.readUInt16LE(file.at + 28);
    const packed = archive.subarray(start, start + file.packedSize);
    if (file.method === 0) return packed;
    if (file.method === 8) return inflateRawSync(packed);
    throw new Error(`the archive is packed by method ${file.method}`);
  };
}
