import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import initSqlJs, { type Database } from 'sql.js';
import { StoreImage } from '../../../../src/cursor/store/image.ts';
import { startFuzzWriter } from '../../../support/cursorStore/fuzzWriter.ts';
import { digestRows, rowsQuery } from '../../../support/cursorStore/rowsDigest.ts';
import { useTemporaryFolder } from '../../../support/cursorStore/temporaryFolder.ts';

// A seed that failed is repeated by adding it here.
const seeds = [1, 2, 3, 4, 5, 6, 7, 8, randomInt(1e6), randomInt(1e6)];
const statesPerSeed = 500;
const freeMs = 700;

describe('the image of a store that real SQLite writes at random in another process', () => {
  const temporaryFolder = useTemporaryFolder();
  let sqlJs: Awaited<ReturnType<typeof initSqlJs>>;
  before(async () => {
    sqlJs = await initSqlJs();
  });

  const reader = (wholeBytes: number) => {
    const image = new StoreImage(join(temporaryFolder(), 'store.db'), { wholeBytes });
    return <T>(look: (database: Database) => T): Promise<T> =>
      image.read((bytes) => {
        const database = new sqlJs.Database(bytes);
        try {
          return look(database);
        } finally {
          database.close();
        }
      });
  };
  const rowsOf = (database: Database): string => {
    const rows = database.exec(rowsQuery)[0]?.values ?? [];
    return digestRows(rows.map(([id, data]) => [id, data] as const));
  };

  for (const seed of seeds) {
    it(`holds what SQLite reads in each of ${statesPerSeed} states (seed ${seed})`, async () => {
      const writer = await startFuzzWriter(join(temporaryFolder(), 'store.db'), seed, 'steps');
      const readers = [reader(0), reader(Infinity)];
      const seen = new Set<string>();
      try {
        for (let state = 0; state < statesPerSeed; state++) {
          const expected = await writer.step();
          seen.add(expected);
          // Taking turns, each reader also misses states in between.
          const read = readers[state % readers.length] ?? reader(0);
          assert.equal(await read(rowsOf), expected, `state ${state} of seed ${seed}`);
        }
      } finally {
        await writer.end();
      }
      assert.ok(seen.size > statesPerSeed / 5, `only ${seen.size} different states`);
    }).timeout(60_000);
  }

  for (const [kind, wholeBytes] of [
    ['lazy', 0],
    ['whole', Infinity],
  ] as const) {
    for (const seed of [1, 2, 3, 4, randomInt(1e6)]) {
      it(`is one of the committed states while the writer never stops (${kind}, seed ${seed})`, async () => {
        const writer = await startFuzzWriter(join(temporaryFolder(), 'store.db'), seed, 'free');
        const read = reader(wholeBytes);
        const states: number[] = [];
        try {
          for (const end = performance.now() + freeMs; performance.now() < end; ) {
            const [recorded, rows] = await read((database) => [
              String(database.exec('SELECT digest FROM state')[0]?.values[0]?.[0]),
              rowsOf(database),
            ]);
            const [number = '', digest] = recorded?.split(' ') ?? [];
            assert.equal(rows, digest, `state ${number} of seed ${seed}`);
            states.push(Number(number));
          }
        } finally {
          await writer.end();
        }
        assert.ok(new Set(states).size > 2, 'the writer was seen to write');
        assert.deepEqual(
          states,
          states.toSorted((a, b) => a - b),
          'no state is older than one before',
        );
      }).timeout(60_000);
    }
  }
});
