import initSqlJs, { type BindParams, type Database, type SqlJsStatic, type SqlValue } from 'sql.js';
import { reloadAdvice } from '../../base/ownFiles.ts';
import type { DatabaseBytes } from './storePages.ts';
import { StoreUnreadable } from './storeUnreadable.ts';

/** The point queries that a chat store is read by. Nothing else is ever asked of it. */
export interface StoreTables {
  /** The bytes of the value under a key of `meta`. Throws StoreUnreadable `tooLarge` past `maxBytes`. */
  metaValue(key: string, maxBytes: number): Uint8Array | undefined;
  /** A blob of at most `maxBytes`; a larger one is not touched. */
  blob(id: string, maxBytes: number): Uint8Array | 'missing' | 'tooLarge';
  /** The blobs written last, newest first as far as row numbers tell, leaving out those past `maxBytes`. */
  recentBlobs(count: number, maxBytes: number): Uint8Array[];
}

/** Runs queries on a database's bytes. */
export interface Sqlite {
  /** Throws StoreUnreadable when the bytes are no chat store that can be asked safely. */
  query<T>(bytes: DatabaseBytes, ask: (tables: StoreTables) => T): T;
}

let engine: Promise<SqlJsStatic> | undefined;

/** Loads SQLite (16 MB of memory) with the first call; later ones share it. */
export async function loadSqlite(): Promise<Sqlite> {
  engine ??= initSqlJs();
  const loading = engine;
  const forget = (): void => {
    if (engine === loading) engine = undefined;
  };
  const sqlJs = await loading.catch((error: unknown) => {
    forget();
    const isGone = error instanceof Error && error.message.includes('ENOENT');
    const why = isGone ? reloadAdvice.window : `SQLite could not be loaded (${String(error)}).`;
    throw new StoreUnreadable('failed', why);
  });
  return { query: (bytes, ask) => query(sqlJs, bytes, ask, forget) };
}

function query<T>(sqlJs: SqlJsStatic, bytes: DatabaseBytes, ask: (tables: StoreTables) => T, forget: () => void): T {
  let database: Database | undefined;
  try {
    database = new sqlJs.Database(bytes);
    // A hostile schema must not run code of its own choice.
    database.run('PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cell_size_check = ON');
    checkTable(database, 'blobs', 'id', 'data');
    checkTable(database, 'meta', 'key', 'value');
    return ask(tablesOf(database));
  } catch (error) {
    // After a trap inside SQLite its memory is in no known state.
    if (error instanceof Error && error.name === 'RuntimeError') forget();
    throw explain(error);
  } finally {
    closeQuietly(database);
  }
}

function tablesOf(database: Database): StoreTables {
  return {
    metaValue(key, maxBytes) {
      const value = largeValue(first(database, sizedQuery('meta', 'key', 'value'), [maxBytes, key]));
      if (value === 'tooLarge') throw new StoreUnreadable('tooLarge', 'The description of the chat is far too long.');
      return value === 'missing' ? undefined : value;
    },
    blob: (id, maxBytes) => largeValue(first(database, sizedQuery('blobs', 'id', 'data'), [maxBytes, id])),
    recentBlobs: (count, maxBytes) =>
      all(database, 'SELECT CAST(data AS BLOB) FROM blobs WHERE octet_length(data) <= ? ORDER BY rowid DESC LIMIT ?', [
        maxBytes,
        count,
      ]).flatMap(([data]) => (data instanceof Uint8Array ? [data] : [])),
  };
}

/** `octet_length` looks at the row's header only, so that a value that is too large is never loaded. */
function sizedQuery(table: string, key: string, value: string): string {
  return `SELECT CASE WHEN octet_length(${value}) <= ? THEN CAST(${value} AS BLOB) ELSE octet_length(${value}) END FROM ${table} WHERE ${key} = ?`;
}

function largeValue(row: SqlValue[] | undefined): Uint8Array | 'missing' | 'tooLarge' {
  const [value] = row ?? [];
  if (value instanceof Uint8Array) return value;
  return typeof value === 'number' ? 'tooLarge' : 'missing';
}

/** A plain table, with stored columns of these names, that is searched by its key rather than read through. */
function checkTable(database: Database, table: string, key: string, value: string): void {
  const plain = first(
    database,
    `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql NOT LIKE 'CREATE VIRTUAL%'`,
    [table],
  );
  if (plain?.[0] !== 1) throw new StoreUnreadable('noTables', 'The chat store has no tables of the known kind (yet).');
  const columns = all(database, 'SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0', [table]).flat();
  if (!columns.includes(key) || !columns.includes(value) || !isSearched(database, sizedQuery(table, key, value))) {
    throw new StoreUnreadable('noTables', 'The tables of the chat store are not of the known kind.');
  }
}

function isSearched(database: Database, sql: string): boolean {
  const plan = all(database, `EXPLAIN QUERY PLAN ${sql}`, [1, '']);
  return plan.length === 1 && String(plan[0]?.[3]).startsWith('SEARCH');
}

function first(database: Database, sql: string, values: BindParams): SqlValue[] | undefined {
  const statement = database.prepare(sql, values);
  try {
    return statement.step() ? statement.get() : undefined;
  } finally {
    statement.free();
  }
}

function all(database: Database, sql: string, values: BindParams): SqlValue[][] {
  const statement = database.prepare(sql, values);
  const rows: SqlValue[][] = [];
  try {
    while (statement.step()) rows.push(statement.get());
    return rows;
  } finally {
    statement.free();
  }
}

function closeQuietly(database: Database | undefined): void {
  try {
    database?.close();
  } catch {
    // Closing a damaged database fails too, and what went wrong is already known.
  }
}

/** SQLite's own messages may quote the schema; the code says as much. */
function explain(error: unknown): unknown {
  if (error instanceof StoreUnreadable || !(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : error.name;
  if (code.includes('NOTADB')) {
    return new StoreUnreadable('notAStore', 'The file is not an SQLite database, or it is encrypted.');
  }
  return new StoreUnreadable('damaged', `The chat store is damaged or not of the known kind (SQLite says ${code}).`);
}
