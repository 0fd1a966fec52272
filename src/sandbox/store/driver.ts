/** The database driver: the one file that knows libsql, an optional dependency. */
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type Libsql from 'libsql';
import { makeFolder } from '../../storage/folder.ts';

/** Milliseconds for which a connection waits for the lock of another one; its process does nothing else. */
export const BUSY_TIMEOUT = 10_000;

/** What can be bound. The driver aborts the process on a boolean, hence only these. */
export type Value = string | number | null;

/** Statements are prepared once per text; values are always bound, in order. */
export interface Database {
  all<R>(sql: string, values?: readonly Value[]): R[];
  first<R>(sql: string, values?: readonly Value[]): R | undefined;
  run(
    sql: string,
    values?: readonly Value[],
  ): { changes: number; lastInsertRowid: number | bigint };
  execute(sql: string): void;
  /** Runs `work` as one write transaction, taken at once so that it can't fail half way on a lock. */
  immediately<T>(work: () => T): T;
  /** Runs `work`, which only reads, on the store as it is now, whatever others write meanwhile. */
  steadily<T>(work: () => T): T;
  /** As `immediately`, for work that pauses; until it ends, nobody else may use this connection. */
  atLength<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

/** libsql is not installed. The command line recognizes this error by its name. */
class MissingDriver extends Error {
  override readonly name = 'MissingDriver';
  constructor(cause: unknown) {
    super('the sandbox keeps its data with libsql, which is not installed: npm install libsql', {
      cause,
    });
  }
}

async function loadDriver(): Promise<typeof Libsql> {
  try {
    return (await import('libsql')).default;
  } catch (cause) {
    throw new MissingDriver(cause);
  }
}

/**
 * SQLite gives the files beside the database (-wal, -shm) the mode of the database itself. An existing
 * file is not opened, because closing it would release the locks of this process on it.
 */
function preparePrivately(file: string): void {
  makeFolder(dirname(file));
  if (existsSync(file)) chmodSync(file, 0o600);
  else closeSync(openSync(file, 'a', 0o600));
}

/** Whether another connection kept the lock for longer than the busy timeout. */
export function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED');
}

export async function openDatabase(file: string): Promise<Database> {
  const Driver = await loadDriver();
  if (file !== ':memory:') preparePrivately(file);
  const connection = new Driver(file);
  connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}; PRAGMA foreign_keys = ON`);
  // Committed data survives a killed process. A power cut may lose the last writes, never the file.
  connection.exec('PRAGMA synchronous = NORMAL');
  // Rows are stored by sale and searched by time, so that a large store is read in random order.
  connection.exec('PRAGMA cache_size = -65536; PRAGMA mmap_size = 1073741824');
  return wrap(connection);
}

/** Ends a transaction and returns the error that its work threw. */
function rollBack(connection: Libsql.Database, error: unknown): unknown {
  // Some errors, such as a full disk, have ended the transaction already.
  if (connection.inTransaction) connection.exec('ROLLBACK');
  return error;
}

function inTransaction<T>(connection: Libsql.Database, begin: string, work: () => T): T {
  connection.exec(begin);
  try {
    const result = work();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    throw rollBack(connection, error);
  }
}

function wrap(connection: Libsql.Database): Database {
  const statements = new Map<string, Libsql.Statement>();

  function prepare(sql: string): Libsql.Statement {
    const known = statements.get(sql);
    if (known) return known;
    const statement = connection.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  function all<R>(sql: string, values: readonly Value[] = []): R[] {
    return prepare(sql).all(values) as R[];
  }

  return {
    all,
    first: <R>(sql: string, values?: readonly Value[]) => all<R>(sql, values)[0],
    run: (sql, values = []) => prepare(sql).run(values),
    execute: (sql) => connection.exec(sql),
    immediately: (work) => inTransaction(connection, 'BEGIN IMMEDIATE', work),
    steadily: (work) => inTransaction(connection, 'BEGIN', work),
    async atLength(work) {
      connection.exec('BEGIN IMMEDIATE');
      try {
        const result = await work();
        connection.exec('COMMIT');
        return result;
      } catch (error) {
        throw rollBack(connection, error);
      }
    },
    close() {
      statements.clear();
      connection.close();
    },
  };
}
