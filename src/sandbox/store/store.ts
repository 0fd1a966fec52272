/** Opens the store in a file. Creates it if the file has no store of this version. */
import { setImmediate, setTimeout } from 'node:timers/promises';
import { BUSY_TIMEOUT, type Database, isBusy, openDatabase } from '../../storage/sqlite.ts';
import { APPLICATION_ID, INDEXES, SCHEMA_VERSION, TABLES } from './schema/schema.ts';
import { type OrderAmounts, orderAmountsIn, readSetting } from './setting.ts';

/** Attempts while another process seeds the same file, for up to ten minutes. */
const ATTEMPTS = 30_000;
const PAUSE = 20;

export interface SeededWith {
  readonly orders: number;
  readonly randomSeed: number;
  readonly orderAmounts: OrderAmounts;
}

export function seededWith(db: Database): SeededWith {
  return {
    orders: readSetting(db, 'orders'),
    randomSeed: readSetting(db, 'randomSeed'),
    orderAmounts: orderAmountsIn(db),
  };
}

/** Awaited between steps of long work, so that other tasks can run. Throws to stop the work. */
export type Pause = () => Promise<void>;

/** Fills empty tables; `former` is the seed of the replaced store. */
export type Seed = (db: Database, pause: Pause, former?: SeededWith) => Promise<void>;

export interface StoreOptions {
  /** Called only if the store must be built. */
  readonly loadSeed: () => Promise<Seed>;
  readonly again?: boolean;
  /** Aborts the build and throws the reason; the file is unchanged. */
  readonly signal?: AbortSignal | undefined;
  /** The database of `file`, if it is already open. */
  readonly opened?: Database | undefined;
}

/** Whether the tables have this version and are seeded. */
function isBuilt(db: Database): boolean {
  const version = db.first<{ user_version: number }>('PRAGMA user_version')?.user_version;
  return version === SCHEMA_VERSION;
}

function tablesIn(db: Database): string[] {
  return db
    .all<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .map(({ name }) => name);
}

function refuseForeignFile(db: Database): void {
  const id = db.first<{ application_id: number }>('PRAGMA application_id')?.application_id;
  if (id !== APPLICATION_ID && tablesIn(db).length > 0) {
    throw new Error('This SQLite file belongs to another program, not to the sandbox.');
  }
}

async function fill(db: Database, seed: Seed, pause: Pause): Promise<void> {
  const tables = tablesIn(db);
  const former = tables.includes('setting') ? seededWith(db) : undefined;
  for (const name of tables) db.execute(`DROP TABLE "${name.replaceAll('"', '""')}"`);
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
async function build(db: Database, { loadSeed, again, signal }: StoreOptions): Promise<void> {
  const seed = await loadSeed();
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
    await patiently(() => db.atLength(fillUnlessBuilt), signal);
  } finally {
    db.execute(`PRAGMA foreign_keys = ON; PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
  }
}

export async function openStore(file: string, options: StoreOptions): Promise<Database> {
  const db = options.opened ?? (await openDatabase(file));
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

/** Transactions and receipts in the store, and the instants of the first and last transaction. */
export function totals(db: Database) {
  const row = db.first<{
    orders: number;
    receipts: number;
    first: number | null;
    last: number | null;
  }>(
    `SELECT count(*) orders, (SELECT count(*) FROM purchase) receipts, min(time) first,
       max(time) last FROM txn`,
  );
  return row ?? { orders: 0, receipts: 0, first: null, last: null };
}
