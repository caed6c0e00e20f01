import { createHash } from 'node:crypto';
import type { ObjectFormat } from './objectFormat.ts';

const assumeUnchanged = 0x8000;
const extended = 0x4000;
const statBytes = 40;

/**
 * Clears the "assume unchanged" bit of every entry of a git index, so that a file somebody told git not to look at is
 * looked at. Returns the same bytes when no entry has it, or when they are not an index of version 2 to 4.
 * Format: git's gitformat-index(5).
 */
export function withoutAssumedUnchanged(index: Buffer, objectFormat: ObjectFormat): Buffer {
  const hashBytes = objectFormat === 'sha1' ? 20 : 32;
  if (index.length < 12 + hashBytes || index.toString('latin1', 0, 4) !== 'DIRC') return index;
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return index;

  const end = index.length - hashBytes;
  const found: number[] = [];
  let start = 12;
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    const flagsAt = start + statBytes + hashBytes;
    if (flagsAt + 2 > end) return index;
    const flags = index.readUInt16BE(flagsAt);
    if (flags & assumeUnchanged) found.push(flagsAt);
    const nameAt = flagsAt + (flags & extended ? 4 : 2);
    const next = version === 4 ? afterCompressedName(index, nameAt) : afterPaddedName(index, start, nameAt);
    if (next === undefined) return index;
    start = next;
  }
  return found.length === 0 ? index : cleared(index, found, end, objectFormat);
}

function afterPaddedName(index: Buffer, start: number, nameAt: number): number | undefined {
  const nameEnd = index.indexOf(0, nameAt);
  return nameEnd < 0 ? undefined : start + ((nameEnd - start + 8) & ~7);
}

/** Version 4: how much of the previous name to drop (a variable-length number), then the rest of the name. */
function afterCompressedName(index: Buffer, nameAt: number): number | undefined {
  let at = nameAt;
  while ((index[at] ?? 0) & 0x80) at += 1;
  const nameEnd = index.indexOf(0, at + 1);
  return nameEnd < 0 ? undefined : nameEnd + 1;
}

function cleared(index: Buffer, flagsAt: number[], end: number, objectFormat: ObjectFormat): Buffer {
  const copy = Buffer.from(index);
  for (const at of flagsAt) copy.writeUInt16BE(copy.readUInt16BE(at) & ~assumeUnchanged, at);
  // An index without a checksum (index.skipHash) has zeros in its place.
  const checked = copy.subarray(end).some((byte) => byte !== 0);
  if (checked) createHash(objectFormat).update(copy.subarray(0, end)).digest().copy(copy, end);
  return copy;
}
