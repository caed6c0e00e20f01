import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseWalHeader, walHeaderBytes, WalIndex } from '../../../../src/cursor/store/walOverlay.ts';
import { useTemporaryFolder } from '../../../support/cursorStore/temporaryFolder.ts';

const pageSize = 4096;
const frameBytes = 24 + pageSize;

describe('write-ahead log', () => {
  const temporaryFolder = useTemporaryFolder();
  let written = 0;

  /** A log that SQLite wrote, with three commits. */
  function realLog(): Buffer {
    const file = join(temporaryFolder(), `log${written++}.db`);
    const database = new DatabaseSync(file);
    database.exec(`PRAGMA page_size = ${pageSize}; PRAGMA journal_mode = WAL; CREATE TABLE t (a)`);
    database.exec(`INSERT INTO t VALUES ('first'); INSERT INTO t VALUES ('second')`);
    const log = readFileSync(`${file}-wal`);
    database.close();
    return log;
  }

  function headerOf(log: Buffer) {
    const header = parseWalHeader(log);
    assert.ok(typeof header === 'object');
    return header;
  }

  function indexOf(log: Buffer): WalIndex {
    const index = new WalIndex(headerOf(log));
    index.add(log.subarray(walHeaderBytes));
    index.rewind();
    return index;
  }

  it('finds the newest committed content of each page', () => {
    const log = realLog();
    const index = indexOf(log);
    assert.equal(index.databasePages, 2);
    assert.equal(index.offset, log.length);
    const offset = index.offsetOf(2) ?? 0;
    assert.equal(offset, log.length - pageSize);
    assert.ok(log.subarray(offset, offset + pageSize).includes('second'));
    assert.equal(index.offsetOf(3), undefined);
  });

  it('reads a log whose checksums are big-endian', () => {
    const log = realLog();
    assert.deepEqual(pagesOf(indexOf(toBigEndian(log))), pagesOf(indexOf(log)));
  });

  it('gives the same index whatever the pieces it was fed in', () => {
    const log = realLog();
    const index = new WalIndex(headerOf(log));
    while (index.offset < log.length) index.add(log.subarray(index.offset, index.offset + index.frameBytes + 100));
    assert.deepEqual(pagesOf(index), pagesOf(indexOf(log)));
  });

  it('ends at a frame that is incomplete, altered, or of another generation', () => {
    const log = realLog();
    const complete = indexOf(log);
    const last = log.length - frameBytes;
    for (const damaged of [
      log.subarray(0, log.length - 1),
      withByte(log, log.length - 1, 1),
      withByte(log, last + 3, 9),
      withByte(log, last + 9, 1),
      withByte(log, last + 20, 1),
    ]) {
      const index = indexOf(damaged);
      assert.equal(index.offset, last);
      assert.notEqual(index.offsetOf(2), complete.offsetOf(2));
    }
  });

  it('forgets frames behind the last commit mark, and takes what is written over them', () => {
    const log = realLog();
    const uncommitted = withoutCommitMark(log, log.length - frameBytes);
    const index = indexOf(uncommitted);
    assert.equal(index.offset, log.length - frameBytes);
    assert.equal(index.add(log.subarray(index.offset)), true);
    index.rewind();
    assert.deepEqual(pagesOf(index), pagesOf(indexOf(log)));
  });

  it('takes a header for empty that SQLite would not believe either', () => {
    const log = realLog();
    assert.equal(parseWalHeader(log.subarray(0, walHeaderBytes - 1)), 'empty');
    assert.equal(parseWalHeader(withByte(log, 0, 0x38)), 'empty');
    assert.equal(parseWalHeader(withByte(log, 16, 1)), 'empty');
    assert.equal(parseWalHeader(Buffer.alloc(walHeaderBytes)), 'empty');
    const newer = Buffer.from(log);
    newer.writeUInt32BE(3007001, 4);
    assert.equal(parseWalHeader(rechecked(newer, false)), 'unsupported');
  });
});

function pagesOf(index: WalIndex): unknown {
  return [index.databasePages, index.offset, index.offsetOf(1), index.offsetOf(2)];
}

/** `flip` is added to the byte's bits. */
function withByte(log: Buffer, at: number, flip: number): Buffer {
  const changed = Buffer.from(log);
  changed.writeUInt8(changed.readUInt8(at) ^ flip, at);
  return changed;
}

function withoutCommitMark(log: Buffer, frame: number): Buffer {
  const changed = Buffer.from(log);
  changed.writeUInt32BE(0, frame + 4);
  return rechecked(changed, false);
}

function toBigEndian(log: Buffer): Buffer {
  const changed = Buffer.from(log);
  changed.writeUInt32BE(0x377f0683, 0);
  return rechecked(changed, true);
}

/** Writes all checksums anew, as the format's description says: two words at a time, each frame going on from the last. */
function rechecked(log: Buffer, bigEndian: boolean): Buffer {
  const word = (at: number): number => (bigEndian ? log.readUInt32BE(at) : log.readUInt32LE(at));
  let sums: [number, number] = [0, 0];
  const run = (from: number, to: number): void => {
    for (let at = from; at < to; at += 8) {
      const first = (sums[0] + word(at) + sums[1]) >>> 0;
      sums = [first, (sums[1] + word(at + 4) + first) >>> 0];
    }
  };
  const store = (at: number): void => {
    log.writeUInt32BE(sums[0], at);
    log.writeUInt32BE(sums[1], at + 4);
  };
  run(0, 24);
  store(24);
  for (let frame = walHeaderBytes; frame < log.length; frame += frameBytes) {
    run(frame, frame + 8);
    run(frame + 24, frame + frameBytes);
    store(frame + 16);
  }
  return log;
}
