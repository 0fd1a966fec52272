/** Opening a store: its version, its settings, and building it where it is missing. */
import { setImmediate, setTimeout } from 'node:timers/promises';
import { BUSY_TIMEOUT, type Database, isBusy, openDatabase } from './driver.ts';
import { APPLICATION_ID, INDEXES, SCHEMA_VERSION, TABLES } from './schema.ts';

/** How often to look whether another one has done with seeding the same file: for ten minutes. */
const ATTEMPTS = 30_000;
const PAUSE = 20;

/**
 * `orders` and `randomSeed` say what the store was seeded with, `clockOffset` how many seconds its
 * clock is ahead, `salesPerDay` how much is sold after the seed, `nextSale` when (0 for never).
 */
type Setting = 'orders' | 'randomSeed' | 'clockOffset' | 'salesPerDay' | 'nextSale';

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

/** What a store of another version was seeded with; undefined for an empty file. */
function formerSeedOf(db: Database): FormerSeed | undefined {
  const tables = db.first("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'setting'");
  if (!tables) return undefined;
  return { orders: readSetting(db, 'orders'), randomSeed: readSetting(db, 'randomSeed') };
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

/** What a store of another version was seeded with. */
export interface FormerSeed {
  readonly orders: number;
  readonly randomSeed: number;
}

/** Fills an empty store, with a pause after each step; `former` is what it takes the place of. */
export type Seed = (db: Database, former?: FormerSeed) => Iterable<void>;

/** Empties the store and fills it with `seed`, step by step; its transaction is the caller's. */
function* build(db: Database, seed: Seed, former?: FormerSeed): Generator<void> {
  dropTables(db);
  db.execute(TABLES);
  yield* seed(db, former);
  for (const index of INDEXES) {
    db.execute(index);
    yield;
  }
  db.execute(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION};`);
}

/**
 * Builds in one transaction, so that other processes see all or nothing; it starts as soon as none of
 * them writes. References aren't checked meanwhile: dropping a table would look up every row in the others.
 */
async function buildWith(
  db: Database,
  transaction: () => void | Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  // Whoever seeds at length in this very process could not go on while the driver waits for its lock.
  db.execute('PRAGMA foreign_keys = OFF; PRAGMA busy_timeout = 0');
  try {
    await patiently(transaction, signal);
  } finally {
    db.execute(`PRAGMA foreign_keys = ON; PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
  }
}

/** Retries `work` while another connection holds the file. */
async function patiently<T>(work: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || attempt === ATTEMPTS) throw error;
      await setTimeout(PAUSE);
      signal?.throwIfAborted();
    }
  }
}

/** Lets a signal arrive after each step. Throws its reason. */
async function walk(steps: Iterable<void>, signal: AbortSignal | undefined): Promise<void> {
  for (const _step of steps) {
    await setImmediate();
    signal?.throwIfAborted();
  }
}

/** Empties the store and seeds it again, on a connection that others use too: nothing comes between. */
export async function rebuildAtOnce(db: Database, seed: Seed): Promise<void> {
  await buildWith(db, () => db.immediately(() => void [...build(db, seed)]));
}

/** Empties the store and seeds it again; stopped by `signal`, it is as it was. */
export async function rebuild(db: Database, seed: Seed, signal?: AbortSignal): Promise<void> {
  await buildWith(db, () => db.atLength(() => walk(build(db, seed), signal)), signal);
}

/**
 * Opens the store in `file`; `loadSeed` is called only when there is something to build. Stopped by
 * `signal`, the file stays empty.
 */
export async function openStore(
  file: string,
  loadSeed: () => Promise<Seed>,
  signal?: AbortSignal,
): Promise<Database> {
  const db = await openDatabase(file);
  try {
    if (isBuilt(db)) return db;
    refuseForeignFile(db);
    const seed = await loadSeed();
    await patiently(() => db.execute('PRAGMA journal_mode = WAL'), signal);
    const unlessBuilt: Seed = (to) => (isBuilt(to) ? [] : build(to, seed, formerSeedOf(to)));
    await buildWith(db, () => db.atLength(() => walk(unlessBuilt(db), signal)), signal);
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
