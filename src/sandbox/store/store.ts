/** Opening a store: its version, its settings, and building it where it is missing. */
import { setTimeout } from 'node:timers/promises';
import { type Database, isBusy, openDatabase } from './driver.ts';
import { APPLICATION_ID, INDEXES, SCHEMA_VERSION, TABLES } from './schema.ts';

/** How long to wait for another process that is seeding the same file, in attempts of 10 seconds. */
const ATTEMPTS = 60;

type Setting = 'orders' | 'randomSeed' | 'clockOffset';

/** A number kept with the store; 0 when it was never set. */
export function readSetting(db: Database, name: Setting): number {
  const row = db.first<{ value: string }>('SELECT value FROM setting WHERE name = ?', [name]);
  return Number(row?.value ?? 0);
}

export function writeSetting(db: Database, name: Setting, value: number): void {
  db.run('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)', [name, String(value)]);
}

/** Whether the tables are of this version and hold a seed. */
function isBuilt(db: Database): boolean {
  const version = db.first<{ user_version: number }>('PRAGMA user_version')?.user_version;
  return version === SCHEMA_VERSION;
}

function refuseForeignFile(db: Database): void {
  const id = db.first<{ application_id: number }>('PRAGMA application_id')?.application_id;
  const tables = db.first<{ n: number }>(
    "SELECT count(*) n FROM sqlite_master WHERE type = 'table'",
  );
  if (id !== APPLICATION_ID && tables?.n) {
    throw new Error('this SQLite file belongs to another program, not to the sandbox');
  }
}

function dropTables(db: Database): void {
  const tables = db.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
  for (const { name } of tables) db.execute(`DROP TABLE "${name.replaceAll('"', '""')}"`);
}

/** Empties the store and fills it with `seed`, in one transaction: other processes see all or nothing. */
function build(db: Database, seed: (db: Database) => void): void {
  dropTables(db);
  db.execute(TABLES);
  seed(db);
  db.execute(INDEXES);
  db.execute(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION};`);
}

/**
 * Builds in a transaction that starts as soon as no other process writes, unless `isDone` by then.
 * References aren't checked meanwhile: dropping a table would look up every row in the others.
 */
async function buildAlone(
  db: Database,
  seed: (db: Database) => void,
  isDone = () => false,
): Promise<void> {
  db.execute('PRAGMA foreign_keys = OFF');
  try {
    await patiently(() => db.immediately(() => isDone() || build(db, seed)));
  } finally {
    db.execute('PRAGMA foreign_keys = ON');
  }
}

/** Retries `work` while another process holds the file for longer than one busy timeout. */
async function patiently<T>(work: () => T): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || attempt === ATTEMPTS) throw error;
      await setTimeout(20);
    }
  }
}

/** Empties the store and seeds it again. */
export async function rebuild(db: Database, seed: (db: Database) => void): Promise<void> {
  await buildAlone(db, seed);
}

/** Opens the store in `file`; `loadSeed` is called only when there is something to build. */
export async function openStore(
  file: string,
  loadSeed: () => Promise<(db: Database) => void>,
): Promise<Database> {
  const db = await openDatabase(file);
  try {
    if (isBuilt(db)) return db;
    refuseForeignFile(db);
    const seed = await loadSeed();
    await patiently(() => db.execute('PRAGMA journal_mode = WAL'));
    await buildAlone(db, seed, () => isBuilt(db));
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Transactions and receipts in the store, and the instants of the first and last transaction. */
export function totals(db: Database) {
  const row = db.first<{ orders: number; first: number | null; last: number | null }>(
    'SELECT count(*) orders, min(time) first, max(time) last FROM txn',
  );
  const receipts = db.first<{ n: number }>('SELECT count(*) n FROM purchase')?.n ?? 0;
  return { orders: row?.orders ?? 0, receipts, first: row?.first ?? null, last: row?.last ?? null };
}
