/** Inspects the file of a sandbox from outside: its contents and integrity. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Driver from 'libsql';
import { onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/storage/sqlite.ts';

/** A unique path, removed when the test ends. */
export function storeFile(): string {
  const folder = mkdtempSync(join(process.env.CB_TEST_RUN ?? tmpdir(), 'cb-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'sandbox.sqlite');
}

type Row = Readonly<Record<string, string | number | null>>;

/** The rows of a statement, on a separate connection. */
export async function rowsIn(file: string, sql: string): Promise<Row[]> {
  const db = await openDatabase(file);
  try {
    return db.all<Row>(sql);
  } finally {
    db.close();
  }
}

/** Every row of every table, by table. */
export async function contentOf(file: string): Promise<Record<string, Row[]>> {
  const tables = await rowsIn(file, "SELECT name FROM sqlite_master WHERE type = 'table'");
  const content: Record<string, Row[]> = {};
  for (const { name } of tables) content[`${name}`] = await rowsIn(file, `SELECT * FROM "${name}"`);
  return content;
}

/** The problems that SQLite finds in a file. */
export async function damageIn(file: string): Promise<readonly unknown[]> {
  const db = await openDatabase(file);
  try {
    const check = db.first<{ integrity_check: string }>('PRAGMA integrity_check');
    const damage: unknown[] = check?.integrity_check === 'ok' ? [] : [check];
    const stray = db.first('PRAGMA foreign_key_check');
    return stray === undefined ? damage : [...damage, stray];
  } finally {
    db.close();
  }
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
