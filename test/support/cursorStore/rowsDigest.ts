import { createHash } from 'node:crypto';

/** Rows in the order of `rowsQuery`. */
export const rowsQuery = 'SELECT id, data FROM blobs ORDER BY id';

/** One value for a whole table, to compare what two readers saw. */
export function digestRows(rows: Iterable<readonly [id: unknown, data: unknown]>): string {
  const hash = createHash('sha1');
  for (const [id, data] of rows) {
    hash.update(`${String(id)}\0`);
    if (data instanceof Uint8Array) hash.update(`${data.length}\0`).update(data);
    else hash.update(`-${String(data)}\0`);
  }
  return hash.digest('hex');
}
