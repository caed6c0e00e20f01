import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import initSqlJs from 'sql.js';
import { loadSqlite, type StoreTables } from '../../../../src/cursor/store/database.ts';
import { openPlainFile } from '../../../../src/cursor/plainFile.ts';
import { StoreImage } from '../../../../src/cursor/store/image.ts';
import { LazyBytes } from '../../../../src/cursor/store/lazyBytes.ts';
import { StorePages } from '../../../../src/cursor/store/storePages.ts';
import { ChatStoreWriter } from '../../../support/cursorStore/chatStoreWriter.ts';
import { createRandom } from '../../../support/cursorStore/random.ts';
import { useTemporaryFolder } from '../../../support/cursorStore/temporaryFolder.ts';

const kinds = [
  ['lazy', 0],
  ['whole', Infinity],
] as const;

describe('image of a store', () => {
  const temporaryFolder = useTemporaryFolder();
  const chat = (): ChatStoreWriter => new ChatStoreWriter({ root: temporaryFolder(), cwd: '/work' });

  async function ask<T>(image: StoreImage, query: (tables: StoreTables) => T): Promise<T> {
    const sqlite = await loadSqlite();
    return await image.read((bytes) => sqlite.query(bytes, query));
  }
  const metaOf = (image: StoreImage): Promise<string> =>
    ask(image, (tables) => Buffer.from(tables.metaValue('0', 1e6) ?? []).toString());
  const unreadable = (reason: string) => ({ name: 'StoreUnreadable', reason });

  it('pins how sql.js reads: it keeps what slice returns, and asks it by subarray alone', async () => {
    const writer = chat();
    writer.writeMeta();
    writer.close();
    const file = readFileSync(writer.file);
    file.fill(1, 18, 20);
    const pages: number[] = [];
    const bytes = new LazyBytes(file.length / 4096, 4096, (page) => {
      pages.push(page);
      return file.subarray((page - 1) * 4096, page * 4096);
    });
    const used = new Set<string | symbol>();
    const watched = new Proxy(bytes, {
      get(target, name) {
        used.add(name);
        const value: unknown = Reflect.get(target, name, target);
        return name === 'slice'
          ? () => watched
          : typeof value === 'function'
            ? (...args: unknown[]): unknown => Reflect.apply(value, target, args)
            : value;
      },
      set: () => assert.fail('sql.js writes to the bytes'),
    });
    const database = new (await initSqlJs()).Database(watched);
    assert.equal(database.exec('SELECT count(*) FROM meta')[0]?.values[0]?.[0], 1);
    database.close();
    assert.deepEqual([...used].sort(), ['buffer', 'length', 'slice', 'subarray']);
    assert.ok(pages.length > 0);
  });

  it('reads bytes across pages, whatever is asked for', () => {
    const file = createRandom(7).bytes(5 * 512);
    const bytes = new LazyBytes(5, 512, (page) => file.subarray((page - 1) * 512, page * 512));
    for (const [from, to] of [
      [0, 100],
      [24, 40],
      [512, 1024],
      [500, 520],
      [511, 1537],
      [0, 5 * 512],
    ] as const) {
      assert.deepEqual(Buffer.from(bytes.subarray(from, to)), file.subarray(from, to));
    }
  });

  for (const [kind, wholeBytes] of kinds) {
    it(`sees what is only in the log, and what a checkpoint moved (${kind})`, async () => {
      const writer = chat();
      const image = new StoreImage(writer.file, { wholeBytes });
      // The main file holds no table at all yet.
      assert.ok(!readFileSync(writer.file).includes('blobs'));
      for (const how of ['PASSIVE', 'FULL', 'RESTART', 'TRUNCATE'] as const) {
        writer.writeMeta({ name: `before ${how}` });
        const value = await metaOf(image);
        assert.match(Buffer.from(value, 'hex').toString(), new RegExp(`before ${how}`));
        writer.checkpoint(how);
        assert.equal(await metaOf(image), value);
      }
      writer.close();
      assert.match(Buffer.from(await metaOf(image), 'hex').toString(), /before TRUNCATE/);
    });

    it(`looks again when the log is reset under it (${kind})`, async () => {
      const writer = chat();
      writer.writeMeta({ name: 'old' });
      const image = new StoreImage(writer.file, { wholeBytes });
      const sqlite = await loadSqlite();
      let looks = 0;
      const names = await image.read((bytes) => {
        const value = sqlite.query(bytes, (tables) => Buffer.from(tables.metaValue('0', 1e6) ?? []).toString());
        if (looks++ === 0) {
          writer.checkpoint('RESTART');
          writer.writeMeta({ name: 'new' });
        }
        return Buffer.from(value, 'hex').toString();
      });
      assert.equal(looks, 2);
      assert.match(names, /"new"/);
      writer.close();
    });

    it(`looks again when the store appears, ends or changes without a log (${kind})`, async () => {
      const writer = chat();
      writer.writeMeta({ name: 'old' });
      writer.close();
      const image = new StoreImage(writer.file, { wholeBytes });
      let looks = 0;
      await ask(image, (tables) => {
        tables.metaValue('0', 1e6);
        if (looks++ > 0) return;
        const other = new DatabaseSync(writer.file);
        other.exec("UPDATE meta SET value = 'new'");
        other.close();
      });
      assert.equal(looks, 2);
      assert.equal(await metaOf(image), 'new');
    });

    it(`gives up on a store that changes with every look (${kind})`, async () => {
      const writer = chat();
      writer.writeMeta();
      const image = new StoreImage(writer.file, { wholeBytes });
      const restart = (): void => {
        writer.checkpoint('RESTART');
        writer.writeMeta();
      };
      await assert.rejects(image.read(restart), unreadable('busy'));
      await assert.doesNotReject(metaOf(image));
      writer.close();
    });

    it(`says that a store is gone when it is deleted while it is read (${kind})`, async () => {
      const writer = chat();
      writer.writeMeta();
      const image = new StoreImage(writer.file, { wholeBytes });
      await assert.rejects(
        image.read(() => rmSync(writer.folder, { recursive: true, force: true })),
        unreadable('gone'),
      );
      writer.close();
    });
  }

  it('looks again when a checkpoint moved pages that it has read before others', async () => {
    const writer = chat();
    for (let n = 0; n < 40; n++) writer.putBlob(createRandom(n).bytes(3000));
    writer.checkpoint('RESTART');
    writer.writeMeta({ name: 'old' });
    const image = new StoreImage(writer.file, { wholeBytes: 0 });
    let looks = 0;
    const pages = await image.read((bytes) => {
      const copies = [Buffer.from(bytes.subarray(4 * 4096, 5 * 4096))];
      if (looks++ === 0) {
        // The log keeps its header, and the main file gets what is new.
        writer.database.exec('UPDATE blobs SET data = zeroblob(3000)');
        writer.checkpoint('PASSIVE');
      }
      for (let at = 0; at < bytes.length; at += 4096) copies.push(Buffer.from(bytes.subarray(at, at + 4096)));
      return copies;
    });
    assert.equal(looks, 2);
    assert.deepEqual(pages[0], pages[5]);
    writer.close();
  });

  it('notices that a page of the main file changed though no time of change tells', async () => {
    const file = join(temporaryFolder(), 'main.db');
    const content = createRandom(3).bytes(3 * 512);
    content.write('SQLite format 3\0', 'latin1');
    content.writeUInt16BE(512, 16);
    writeFileSync(file, content);
    for (const whole of [undefined, content]) {
      writeFileSync(file, content);
      const main = await openPlainFile(file);
      const pages = new StorePages(main, undefined, undefined, whole);
      pages.bytes().subarray(512, 1024);
      assert.equal(pages.haveMoved(), false);
      const changed = Buffer.from(content);
      changed[600] = (changed[600] ?? 0) ^ 1;
      writeFileSync(file, changed);
      assert.equal(pages.haveMoved(), true);
      await main.handle.close();
    }
  });

  it('takes the mark of a write-ahead log from the first page, and changes nothing else', async () => {
    const writer = chat();
    writer.writeMeta();
    writer.close();
    const expected = readFileSync(writer.file);
    assert.deepEqual([expected[18], expected[19]], [2, 2]);
    expected.fill(1, 18, 20);
    for (const [, wholeBytes] of kinds) {
      const image = new StoreImage(writer.file, { wholeBytes });
      assert.deepEqual(await image.read((bytes) => Buffer.from(bytes.subarray(0, bytes.length))), expected);
    }
  });

  it('reads only what was added to the log', async () => {
    const writer = chat();
    for (let n = 0; n < 200; n++) writer.writeMeta({ n });
    const image = new StoreImage(writer.file, { wholeBytes: 0 });
    await metaOf(image);
    // Were the log read again from its start, this damage would hide everything behind it.
    const log = readFileSync(`${writer.file}-wal`);
    const damaged = Buffer.from(log);
    damaged.writeUInt8(damaged.readUInt8(40) ^ 1, 40);
    writeFileSync(`${writer.file}-wal`, damaged);
    writer.writeMeta({ n: 'last' });
    assert.match(Buffer.from(await metaOf(image), 'hex').toString(), /"n":"last"/);
    await assert.rejects(metaOf(new StoreImage(writer.file)), unreadable('noTables'));
    writeFileSync(`${writer.file}-wal`, log);
    writer.close();
  });

  it('keeps its memory small however large the store and its blobs are', async function () {
    this.timeout(60_000);
    const writer = chat();
    writer.database.exec("INSERT INTO blobs VALUES ('huge', zeroblob(200000000))");
    writer.checkpoint('TRUNCATE');
    writer.writeMeta();
    const image = new StoreImage(writer.file);
    await metaOf(image);
    const before = process.memoryUsage();
    for (let n = 0; n < 20; n++) {
      writer.writeMeta({ n });
      assert.equal(await ask(image, (tables) => tables.blob('huge', 8e6)), 'tooLarge');
      assert.deepEqual(await ask(image, (tables) => tables.recentBlobs(5, 8e6)), []);
    }
    const after = process.memoryUsage();
    assert.ok(after.arrayBuffers - before.arrayBuffers < 16e6, `${after.arrayBuffers - before.arrayBuffers} bytes`);
    assert.ok(after.rss - before.rss < 48e6, `${after.rss - before.rss} bytes`);
    writer.close();
  });

  it('refuses what is no store, whatever it is', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'store.db');
    const refused = (reason: string) => assert.rejects(metaOf(new StoreImage(file)), unreadable(reason));
    await refused('gone');
    writeFileSync(file, '');
    await refused('noTables');
    writeFileSync(file, createRandom(1).bytes(20_000));
    await refused('notAStore');
    writeFileSync(file, Buffer.concat([Buffer.from('SQLite format 3\0'), createRandom(2).bytes(20_000)]));
    await assert.rejects(metaOf(new StoreImage(file)), { name: 'StoreUnreadable' });
    rmSync(file);
    await assert.rejects(metaOf(new StoreImage(folder)), unreadable('notAStore'));
    if (process.platform !== 'win32') {
      execFileSync('mkfifo', [file]);
      await refused('notAStore');
      await assert.rejects(metaOf(new StoreImage('/dev/zero')), unreadable('notAStore'));
    }
  });

  it('refuses a schema of another kind, also one that would run for ever', async () => {
    const schemas = [
      'CREATE TABLE other (a)',
      'CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB)',
      'CREATE TABLE blobs (id TEXT, data BLOB); CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)',
      'CREATE TABLE blobs (name TEXT PRIMARY KEY, data BLOB); CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)',
      `CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB); CREATE VIEW meta (key, value) AS
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i), '' FROM n`,
      `CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB);
         CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT AS (hex(zeroblob(100000000))))`,
      'CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB); CREATE VIRTUAL TABLE meta USING fts5(key, value)',
    ];
    for (const [index, schema] of schemas.entries()) {
      const file = join(temporaryFolder(), `${index}.db`);
      const database = new DatabaseSync(file);
      database.exec(schema);
      database.close();
      await assert.rejects(metaOf(new StoreImage(file)), unreadable('noTables'), schema);
    }
  });

  it('never takes a damaged store for another one', async () => {
    const writer = chat();
    for (let n = 0; n < 300; n++) writer.putBlob(createRandom(n).bytes(700));
    writer.writeMeta();
    writer.close();
    const whole = readFileSync(writer.file);
    const expected = await metaOf(new StoreImage(writer.file));
    const random = createRandom(5);
    const copy = join(temporaryFolder(), 'copy.db');
    for (let n = 0; n < 150; n++) {
      const damaged = Buffer.from(whole);
      for (let bytes = random.below(200); bytes >= 0; bytes--)
        damaged[random.below(damaged.length)] = random.below(256);
      writeFileSync(copy, damaged);
      if (random.chance(0.3)) truncateSync(copy, random.below(whole.length));
      const seen = await metaOf(new StoreImage(copy, { wholeBytes: random.pick([0, Infinity]) })).catch(
        (error: unknown) => {
          assert.ok(error instanceof Error && error.name === 'StoreUnreadable', String(error));
        },
      );
      // What is read may be altered text, but the engine goes on working.
      assert.ok(seen === undefined || typeof seen === 'string');
    }
    assert.equal(await metaOf(new StoreImage(writer.file)), expected);
  });
});
