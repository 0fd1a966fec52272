/** The database driver: the only file that uses libsql, an optional dependency. */
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type Libsql from 'libsql';
import { canonicalPath, makeFolder } from './files.ts';

/** Milliseconds that a connection waits for the lock of another one, blocking its process. */
export const BUSY_TIMEOUT = 10_000;

/** The types that can be bound. Booleans are excluded because the driver aborts the process on them. */
export type Value = string | number | null;

export type Database = ReturnType<typeof wrap>;

/** libsql is not installed. The command line recognizes this error by its name. */
class MissingDriver extends Error {
  override readonly name = 'MissingDriver';
  constructor(cause: unknown) {
    super('This requires libsql, which is not installed. Run `npm install -g libsql`.', {
      cause,
    });
  }
}

async function loadDriver(): Promise<typeof Libsql> {
  const { default: driver } = await import('libsql').catch((cause) => {
    // The executable contains libsql, and says itself why it can't be loaded.
    if (cause instanceof Error && cause.name === 'MissingDriver') throw cause;
    throw new MissingDriver(cause);
  });
  return driver;
}

/**
 * SQLite gives the files beside the database (-wal, -shm) the mode of the database itself. An existing path keeps its
 * mode: it may be anything. It is not opened, because closing it would release the locks of this process on it.
 */
function createPrivately(file: string): void {
  if (existsSync(file)) return;
  makeFolder(dirname(file));
  closeSync(openSync(file, 'a', 0o600));
}

/** The driver has no names for most of the extended codes, which have the primary one in their lowest byte. */
const primaryCodes: Readonly<Record<number, string>> = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
};

/** As in `SQLITE_READONLY`; empty for an error of something else. */
export function sqliteCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const code = 'code' in error ? String(error.code) : '';
  const [, number] =
    /^UNKNOWN_SQLITE_ERROR_(\d+)$/.exec(code) ??
    /^ConnectionFailed\(.*: (\d+)"\)$/.exec(error.message) ??
    [];
  if (number === undefined) return code.startsWith('SQLITE_') ? code : '';
  return primaryCodes[Number(number) % 256] ?? 'SQLITE_ERROR';
}

/** Whether another connection kept the lock for longer than the busy timeout. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED');
}

export async function openDatabase(file: string): Promise<Database> {
  const Driver = await loadDriver();
  if (file !== ':memory:') createPrivately(file);
  const connection = new Driver(file);
  connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}; PRAGMA foreign_keys = ON`);
  // Committed data survives a killed process. A power failure may lose the last writes, but not the file.
  connection.exec('PRAGMA synchronous = NORMAL');
  // Rows are stored by sale and searched by time, so a large store is read in random order.
  connection.exec('PRAGMA cache_size = -65536; PRAGMA mmap_size = 1073741824');
  return wrap(connection);
}

/** If the work throws, also by rejecting, the transaction is rolled back. */
function inTransaction<T>(connection: Libsql.Database, begin: string, work: () => T): T {
  const commit = <R>(result: R) => {
    connection.exec('COMMIT');
    return result;
  };
  const fail = (error: unknown): never => {
    // Some errors, such as a full disk, have already ended the transaction.
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  };
  connection.exec(begin);
  try {
    const result = work();
    if (!(result instanceof Promise)) return commit(result);
    return result.then(commit).catch(fail) as T;
  } catch (error) {
    return fail(error);
  }
}

export type QueryConnection = Awaited<ReturnType<typeof openForQueries>>;

/** The driver binds numbers as reals, so an integer is a bigint. */
export type QueryValue = Value | bigint;

/**
 * Bytes that SQLite may use in a process with queries; a statement that needs more fails with SQLITE_NOMEM. While a value
 * is quoted, it is there twice, so none is longer than a text of JavaScript can be.
 */
export const MEMORY_OF_QUERIES = 2 ** 30;

/**
 * Opens an existing file for statements of users, which can't change it. Large temporary tables are on the disk, unless
 * they are `kept` in memory. Integers in rows are bigints.
 */
export async function openForQueries(file: string, kept = false) {
  const connection = await openReadOnly(file);
  connection.exec(`PRAGMA hard_heap_limit = ${MEMORY_OF_QUERIES}`);
  connection.exec(`PRAGMA temp_store = ${kept ? 'MEMORY' : 'FILE'}`);
  const prepared = (sql: string) => connection.prepare(sql).safeIntegers(true).raw();
  return {
    /** All rows of a statement, as values in the order of its columns. */
    rowsOf: (sql: string, values: readonly QueryValue[]) =>
      prepared(sql).all([...values]) as unknown[][],
    /** Its rows are read as they are asked for. The type of a column is null for an expression. */
    prepare(sql: string) {
      const statement = prepared(sql);
      return {
        columns: statement.columns().map(({ name, type }) => ({ name, type })),
        rows: (values: readonly QueryValue[]) =>
          statement.iterate([...values]) as Iterator<unknown[]>,
      };
    },
    close: () => void connection.close(),
  };
}

export async function openForReading(file: string): Promise<Database> {
  return wrap(await openReadOnly(file));
}

/**
 * Opens an existing file for a short look. Reading creates files beside a database in WAL mode and leaves them there, so
 * a database without a log is read as one that nobody writes to.
 */
export async function openUnchanged(file: string): Promise<Database> {
  return wrap(await openReadOnly(file, hasLog(file) ? '' : unwritten));
}

/** SQLite then needs no other file, and no lock. */
const unwritten = '&immutable=1';

/** Whether rows may be in the log of a database in WAL mode. */
function hasLog(file: string): boolean {
  const stats = statSync(`${canonicalPath(file)}-wal`, { throwIfNoEntry: false });
  return stats !== undefined && stats.size > 0;
}

/** Reading a database in WAL mode creates files. Where that is not permitted, nobody here writes to it either. */
async function openReadOnly(file: string, option = ''): Promise<Libsql.Database> {
  try {
    return await connectReadOnly(file, option);
  } catch (error) {
    const isRefused = /^SQLITE_(?:READONLY|CANTOPEN|IOERR)/.test(sqliteCode(error));
    if (!isRefused || hasLog(file)) throw error;
    return connectReadOnly(file, unwritten);
  }
}

/** The driver ignores its own option for that, but not the one of SQLite in a URI. */
async function connectReadOnly(file: string, option: string): Promise<Libsql.Database> {
  const Driver = await loadDriver();
  const connection = new Driver(`${pathToFileURL(file).href}?mode=ro${option}`);
  connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}; PRAGMA query_only = ON`);
  connection.exec('PRAGMA cache_size = -65536; PRAGMA mmap_size = 1073741824');
  return connection;
}

/** Prepares each statement text once; values are always bound, in order. */
function wrap(connection: Libsql.Database) {
  const statements = new Map<string, Libsql.Statement>();

  function prepare(sql: string): Libsql.Statement {
    const statement = statements.get(sql) ?? connection.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  const all = <R>(sql: string, values: readonly Value[] = []) => prepare(sql).all(values) as R[];
  return {
    all,
    first: <R>(sql: string, values?: readonly Value[]): R | undefined => all<R>(sql, values)[0],
    run: (sql: string, values: readonly Value[] = []) => prepare(sql).run(values),
    execute: (sql: string): unknown => connection.exec(sql),
    /**
     * Runs `work` in a write transaction that takes its lock first, so that it can't fail on a lock midway. While
     * asynchronous work runs, the connection must not be used otherwise.
     */
    immediately: <T>(work: () => T): T => inTransaction(connection, 'BEGIN IMMEDIATE', work),
    /** Runs `work`, which only reads, on a snapshot of the store. */
    steadily: <T>(work: () => T): T => inTransaction(connection, 'BEGIN', work),
    close() {
      statements.clear();
      connection.close();
    },
  };
}
