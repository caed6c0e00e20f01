/** One file of a zip archive. */
export interface ZipEntry {
  readonly name: string;
  /** Unpacked size in bytes. */
  readonly size: number;
  /** POSIX permission bits, 0 when the archive was made without. */
  readonly mode: number;
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
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
      size: archive.readUInt32LE(at + 24),
      mode: archive.readUInt16LE(at + 40) & 0o777,
    });
    at = nameEnd + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return entries;
}
