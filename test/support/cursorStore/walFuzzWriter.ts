// Writes at random to an SQLite database in WAL mode, as a process of its own. Arguments: file, seed, mode.
// `steps`: one random step for every line on stdin, answered by the digest of what SQLite itself reads then.
// `free`: as fast as it goes until stdin ends; every transaction records the digest of the rows it leaves.
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { createRandom } from './random.ts';
import { digestRows, rowsQuery } from './rowsDigest.ts';

const [file = '', seedText = '0', mode = 'steps'] = process.argv.slice(2);
const random = createRandom(Number(seedText));
const pageSize = random.pick([4096, 4096, 4096, 512, 1024, 8192, 65536]);
const maxRows = 40;

let writer = open();
let inTransaction = false;
writer.exec(
  'CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB); CREATE TABLE state (n INTEGER PRIMARY KEY, digest TEXT)',
);

function open(): DatabaseSync {
  const database = new DatabaseSync(file);
  database.exec(
    `PRAGMA page_size = ${pageSize}; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA user_version = 1`,
  );
  // A small cache makes SQLite write frames of a transaction that is not committed yet; a small checkpoint mark makes it
  // reset the log often.
  database.exec(`PRAGMA cache_size = ${random.pick([5, 50, 2000])}`);
  database.exec(`PRAGMA wal_autocheckpoint = ${random.pick([1000, 1000, 20, 5, 0])}`);
  return database;
}

function digest(database: DatabaseSync): string {
  const rows = database.prepare(rowsQuery).all();
  return digestRows(rows.map(({ id, data }) => [id, data] as const));
}

function writeRow(): void {
  const id = `row${random.below(maxRows)}`;
  const length = random.chance(0.03) ? random.below(60 * pageSize) : random.below(900);
  const data = random.bytes(Math.min(length, 150_000));
  if (random.chance(0.15)) writer.prepare('DELETE FROM blobs WHERE id = ?').run(id);
  else if (random.chance(0.2)) writer.prepare('UPDATE blobs SET data = ? WHERE id = ?').run(data, id);
  else writer.prepare('INSERT OR REPLACE INTO blobs VALUES (?, ?)').run(id, data);
}

function checkpoint(): void {
  const how = random.pick(['PASSIVE', 'FULL', 'RESTART', 'TRUNCATE', 'RESTART']);
  writer.exec(`PRAGMA wal_checkpoint(${how})`);
}

function reopen(): void {
  writer.close();
  writer = open();
}

function step(): void {
  const kind = random.below(100);
  if (inTransaction) {
    if (kind < 50) for (let rows = random.below(12); rows >= 0; rows--) writeRow();
    else {
      writer.exec(kind < 75 ? 'COMMIT' : 'ROLLBACK');
      inTransaction = false;
    }
  } else if (kind < 60) writeRow();
  else if (kind < 70) {
    writer.exec('BEGIN IMMEDIATE');
    inTransaction = true;
    for (let rows = random.below(12); rows >= 0; rows--) writeRow();
  } else if (kind < 88) checkpoint();
  else if (kind < 92) reopen();
  else if (kind < 94) writer.exec('VACUUM');
  else if (kind < 96) writer.exec(`CREATE TABLE IF NOT EXISTS extra${random.below(5)} (a, b)`);
  else if (kind < 98) writer.exec(`DROP TABLE IF EXISTS extra${random.below(5)}`);
  else writer.exec('DELETE FROM blobs WHERE rowid % 2 = 0');
}

async function answerSteps(): Promise<void> {
  for await (const _line of createInterface({ input: process.stdin })) {
    step();
    // A second connection sees what is committed, as our reader must.
    const reader = new DatabaseSync(file);
    process.stdout.write(`${digest(reader)}\n`);
    // Closing the last connection but one leaves the log alone.
    reader.close();
  }
}

async function writeFreely(): Promise<void> {
  process.stdin.resume();
  for (let n = 1; !process.stdin.readableEnded; n++) {
    writer.exec('BEGIN IMMEDIATE');
    for (let rows = random.below(4); rows >= 0; rows--) writeRow();
    writer.prepare('INSERT OR REPLACE INTO state VALUES (1, ?)').run(`${n} ${digest(writer)}`);
    writer.exec('COMMIT');
    if (n === 1) process.stdout.write('ready\n');
    if (random.chance(0.1)) checkpoint();
    if (random.chance(0.01)) reopen();
    if (n % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

await (mode === 'free' ? writeFreely() : answerSteps());
writer.close();
