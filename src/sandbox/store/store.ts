/** Opens the store in a file, or creates it if the file has no store of this version; the settings in it, and its clock. */
import { existsSync } from 'node:fs';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { BUSY_TIMEOUT, type Database, isBusy, openDatabase } from '../../storage/sqlite.ts';
import { APPLICATION_ID, INDEXES, SCHEMA_VERSION, TABLES } from './schema.ts';
import { getRow } from './statements.ts';

/** Attempts while another process seeds the same file, for up to ten minutes. */
const ATTEMPTS = 30_000;
const PAUSE = 20;

export type SeededWith = Readonly<ReturnType<typeof seededWith>>;

export function seededWith(db: Database) {
  return {
    orders: readSetting(db, 'orders'),
    randomSeed: readSetting(db, 'randomSeed'),
    orderAmounts: orderAmountsIn(db),
  };
}

/** Awaited between steps of long work, so that other tasks can run. Throws to stop the work. */
export type Pause = () => Promise<void>;

/** Fills empty tables, only if the store must be built; `former` is the seed of the replaced store. */
export type Seed = (db: Database, pause: Pause, former?: SeededWith) => Promise<void>;

export interface StoreOptions {
  readonly seed: Seed;
  readonly again?: boolean;
  /** Aborts the build and throws the reason; the file is unchanged. */
  readonly signal?: AbortSignal | undefined;
}

function pragma(db: Database, name: 'user_version' | 'application_id'): number {
  return getRow<Record<typeof name, number>>(db, `PRAGMA ${name}`)[name];
}

/** Whether the tables have this version and are seeded. */
const isBuilt = (db: Database) => pragma(db, 'user_version') === SCHEMA_VERSION;

function tablesIn(db: Database): string[] {
  return db
    .all<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .map(({ name }) => name);
}

function refuseForeignFile(db: Database): void {
  if (pragma(db, 'application_id') !== APPLICATION_ID && tablesIn(db).length > 0) {
    throw new Error('This SQLite file belongs to another program, not to the sandbox.');
  }
}

async function fill(db: Database, seed: Seed, pause: Pause): Promise<void> {
  const tables = tablesIn(db);
  const former = tables.includes('setting') ? seededWith(db) : undefined;
  for (const name of tables) db.execute(`DROP TABLE ${name}`);
  db.execute(TABLES);
  await seed(db, pause, former);
  for (const index of INDEXES) {
    db.execute(index);
    await pause();
  }
  db.execute(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION};`);
}

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

/**
 * Builds in one transaction, so that other processes see all or nothing. Foreign keys are not checked
 * meanwhile, since dropping a table would look up each of its rows in the others.
 */
async function build(db: Database, { seed, again, signal }: StoreOptions): Promise<void> {
  const pause = async () => {
    await setImmediate();
    signal?.throwIfAborted();
  };
  await patiently(() => db.execute('PRAGMA journal_mode = WAL'), signal);
  // Another sandbox seeding in this process would be blocked while the driver waits for its lock.
  db.execute('PRAGMA foreign_keys = OFF; PRAGMA busy_timeout = 0');
  try {
    const fillUnlessBuilt = async () => {
      if (again || !isBuilt(db)) await fill(db, seed, pause);
    };
    await patiently(() => db.immediately(fillUnlessBuilt), signal);
  } finally {
    db.execute(`PRAGMA foreign_keys = ON; PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
  }
}

export async function openStore(file: string, options: StoreOptions): Promise<Database> {
  const db = await openDatabase(file);
  try {
    if (!options.again && isBuilt(db)) return db;
    refuseForeignFile(db);
    await build(db, options);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * `orders` and `randomSeed` are the parameters of the seed, `orderAmounts` is `customer` if orders are in the currency
 * of the customer instead of US dollars, `clockOffset` is the number of seconds that the clock is ahead, `salesPerDay`
 * the rate of sales after the seed, `nextSale` the next one (0 for none), `faults` the list of faults, and
 * `faultProgress` their counters; `insFaults` and `insFaultProgress` are those of notifications.
 */
type Setting =
  | 'orders'
  | 'randomSeed'
  | 'orderAmounts'
  | 'clockOffset'
  | 'salesPerDay'
  | 'nextSale'
  | 'faults'
  | 'faultProgress'
  | 'insFaults'
  | 'insFaultProgress';

export function readText(db: Database, name: Setting): string | undefined {
  return db.first<{ value: string }>('SELECT value FROM setting WHERE name = ?', [name])?.value;
}

/** Returns 0 for a setting that was never written. */
export function readSetting(db: Database, name: Setting): number {
  return Number(readText(db, name) ?? 0);
}

/** Undefined deletes it. */
export function writeSetting(
  db: Database,
  name: Setting,
  value: number | string | undefined,
): void {
  if (value === undefined) db.run('DELETE FROM setting WHERE name = ?', [name]);
  else db.run('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)', [name, String(value)]);
}

/** The currency of the amounts of orders2: US dollars, as recorded, or that of the customer. */
export type OrderAmounts = 'dollars' | 'customer';

export function orderAmountsIn(db: Database): OrderAmounts {
  return readText(db, 'orderAmounts') === 'customer' ? 'customer' : 'dollars';
}

/** The sandbox's clock: the real clock plus an offset in the store. */
export type Clock = ReturnType<typeof storedClock>;

/** Reads the seconds ahead of the real clock every time, since another process may have advanced the clock. */
export function storedClock(db: Database, realNow: () => Date) {
  const offsetSeconds = () => readSetting(db, 'clockOffset');
  const now = () => new Date(realNow().getTime() + offsetSeconds() * 1000);
  /** Seconds since 1970, as for all times in the store. */
  const instant = () => Math.floor(now().getTime() / 1000);
  return { offsetSeconds, now, instant };
}

/** The time of a store that is not served; the real time if it can't be read, since serving it reports why. */
export async function timeIn(file: string, realNow: () => Date): Promise<Date> {
  const db = existsSync(file) ? await openDatabase(file).catch(() => undefined) : undefined;
  try {
    return db ? storedClock(db, realNow).now() : realNow();
  } catch {
    return realNow();
  } finally {
    db?.close();
  }
}
