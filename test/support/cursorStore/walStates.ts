import assert from 'node:assert/strict';
import { join } from 'node:path';
import initSqlJs, { type Database } from 'sql.js';
import { StoreImage } from '../../../src/cursor/store/image.ts';
import { StoreUnreadable } from '../../../src/cursor/store/storeUnreadable.ts';
import { startFuzzWriter } from './fuzzWriter.ts';
import { digestRows, rowsQuery } from './rowsDigest.ts';
import { useTemporaryFolder } from './temporaryFolder.ts';

/** What to try. A seed that failed is repeated by naming it here. */
export interface WalStates {
  seeds: readonly number[];
  statesPerSeed: number;
  /** How long to read while the writer never stops, in milliseconds, for each seed and each kind of image. */
  freeMs: number;
}

/** Suites that compare our image of a store with what SQLite reads, while SQLite writes at random in another process. */
export function describeWalStates({ seeds, statesPerSeed, freeMs }: WalStates): void {
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

    for (const seed of seeds) {
      it(`holds what SQLite reads in each of ${statesPerSeed} states (seed ${seed})`, async () => {
        const writer = await startFuzzWriter(join(temporaryFolder(), 'store.db'), seed, 'steps');
        // Taking turns, each reader also misses states in between.
        const readers = [reader(0), reader(Infinity)];
        const seen = new Set<string>();
        try {
          for (let state = 0; state < statesPerSeed; state++) {
            const expected = await writer.step();
            seen.add(expected);
            const read = readers[state % readers.length] ?? reader(0);
            assert.equal(await read(digestOf), expected, `state ${state} of seed ${seed}`);
          }
        } finally {
          await writer.end();
        }
        assert.ok(seen.size > statesPerSeed / 5, `only ${seen.size} different states`);
      }).timeout(60_000);

      for (const [kind, wholeBytes] of [
        ['lazy', 0],
        ['whole', Infinity],
      ] as const) {
        it(`is one of the committed states while the writer never stops (${kind}, seed ${seed})`, async () => {
          const writer = await startFuzzWriter(join(temporaryFolder(), 'store.db'), seed, 'free');
          const read = reader(wholeBytes);
          const states: number[] = [];
          try {
            const end = performance.now() + freeMs;
            while (performance.now() < end || new Set(states).size < 3) {
              const seen = await read(recordOf).catch(unlessBusy);
              if (!seen) continue;
              const [number = '', digest] = seen.recorded.split(' ');
              assert.equal(seen.rows, digest, `state ${number} of seed ${seed}`);
              states.push(Number(number));
            }
          } finally {
            await writer.end();
          }
          const inOrder = states.toSorted((a, b) => a - b);
          assert.deepEqual(states, inOrder, 'a state is older than one before');
        }).timeout(60_000);
      }
    }
  });
}

function digestOf(database: Database): string {
  const rows = database.exec(rowsQuery)[0]?.values ?? [];
  return digestRows(rows.map(([id, data]) => [id, data] as const));
}

function recordOf(database: Database): { recorded: string; rows: string } {
  const recorded = String(database.exec('SELECT digest FROM state')[0]?.values[0]?.[0]);
  return { recorded, rows: digestOf(database) };
}

/** Reading every row takes long enough that a writer without a pause can win every time. */
function unlessBusy(error: unknown): undefined {
  if (!(error instanceof StoreUnreadable) || error.reason !== 'busy') throw error;
}
