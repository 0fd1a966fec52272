/** Inspects the file of a sandbox from outside: its contents and integrity. */
import { join } from 'node:path';
import Driver from 'libsql';
import { onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../../../src/storage/sqlite.ts';
import { emptyHome } from '../../support/binary.ts';

/** A unique path, removed when the test ends. */
export function storeFile(): string {
  return join(emptyHome(), 'sandbox.sqlite');
}

type Row = Readonly<Record<string, string | number | null>>;

async function reading<T>(file: string, read: (db: Database) => T): Promise<T> {
  const db = await openDatabase(file);
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** The rows of a statement, on a separate connection. */
export function rowsIn(file: string, sql: string): Promise<Row[]> {
  return reading(file, (db) => db.all<Row>(sql));
}

/** Every row of every table, by table. */
export function contentOf(file: string): Promise<Record<string, Row[]>> {
  return reading(file, (db) => {
    const tables = db.all<Row>("SELECT name FROM sqlite_master WHERE type = 'table'");
    return Object.fromEntries(
      tables.map(({ name }) => [`${name}`, db.all<Row>(`SELECT * FROM "${name}"`)]),
    );
  });
}

/** The problems that SQLite finds in a file. */
export function damageIn(file: string): Promise<readonly unknown[]> {
  return reading(file, (db) => {
    const check = db.first<{ integrity_check: string }>('PRAGMA integrity_check');
    const damage: unknown[] = check?.integrity_check === 'ok' ? [] : [check];
    return [...damage, ...db.all('PRAGMA foreign_key_check')];
  });
}

/** Records the texts of all statements, and runs a function before one of the next of a kind, until the test ends. */
export function watchStatements(kind: 'all' | 'run') {
  const texts = new Set<string>();
  let left = Number.POSITIVE_INFINITY;
  let happen = () => {};
  const { prototype } = Driver;
  const { prepare } = prototype;
  prototype.prepare = function prepareWatched(this: Driver.Database, sql: string) {
    texts.add(sql);
    const statement = prepare.call(this, sql);
    const work = statement[kind].bind(statement) as (...values: unknown[]) => never;
    statement[kind] = (...values: unknown[]) => {
      left -= 1;
      if (left === 0) happen();
      return work(...values);
    };
    return statement;
  } as typeof prepare;
  onTestFinished(() => {
    prototype.prepare = prepare;
  });
  return {
    texts: texts as ReadonlySet<string>,
    /** The statement with this number, counted from 1. */
    before(number: number, what: () => void): void {
      left = number;
      happen = what;
    },
  };
}
