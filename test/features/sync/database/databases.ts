/** The databases of the contract of destinations, and rows as the service sends them. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Destination } from '../../../../src/features/sync/database/copy.ts';
import {
  openPostgres,
  openPostgresReader,
} from '../../../../src/features/sync/database/postgres.ts';
import { openSqlite, openSqliteReader } from '../../../../src/features/sync/database/sqlite.ts';
import type { Sql, SqlReader } from '../../../../src/features/sync/destination.ts';
import { orderSource } from '../../../../src/features/sync/tables/order-tables.ts';
import { rowMaker, type ServiceRow } from '../../../../src/features/sync/tables/table.ts';
import { emptyHome } from '../../../support/binary.ts';
import { noPostgres, postgresServer, postgresUrl } from '../../../support/postgres.ts';

/** A new empty database; connections are closed when the test ends. */
export interface TestDatabase {
  /** As it is typed after `cb sync`. */
  readonly place: string;
  open(): Promise<Sql>;
  openReader(): Promise<SqlReader>;
  /** Takes the lock away from the connection that holds it. */
  breakLock(): Promise<void>;
}

export interface DatabaseKind {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** Why it can't be tested here. */
  readonly missing: string | undefined;
  create(): Promise<TestDatabase>;
}

export const facts = {
  service: 'https://api.clickbank.com',
  withoutPersonalData: false,
  patience: 0,
};

const processes = { own: process.pid, isRunning: () => true };

async function closedLater<T extends SqlReader>(opened: Promise<T>): Promise<T> {
  const database = await opened;
  onTestFinished(() => database.close().catch(() => undefined));
  return database;
}

export const sqlite: DatabaseKind = {
  name: 'SQLite',
  missing: undefined,
  async create() {
    const file = join(emptyHome(), 'copy.db');
    return {
      place: file,
      open: () => closedLater(openSqlite(file, processes)),
      openReader: () => closedLater(openSqliteReader(file)),
      breakLock: async () => rmSync(`${file}.lock`),
    };
  },
};

export const postgres: DatabaseKind = {
  name: 'PostgreSQL',
  missing: noPostgres,
  async create() {
    const url = (await postgresUrl()) ?? '';
    return {
      place: url,
      open: () => closedLater(openPostgres({ url })),
      openReader: () => closedLater(openPostgresReader({ url })),
      async breakLock() {
        const server = await postgresServer();
        const holders = "SELECT pid FROM pg_locks WHERE locktype = 'advisory'";
        await server.query(`SELECT pg_terminate_backend(pid) FROM (${holders}) AS holders`);
      },
    };
  },
};

export const kinds = [sqlite, postgres];

/** Columns of tables and views, and indexes, as lines. */
export async function shapeOf(sql: SqlReader): Promise<string[]> {
  const text =
    sql.dialect === 'sqlite'
      ? `SELECT m.name || '.' || c.name || ' ' || c.type AS line FROM sqlite_master AS m, pragma_table_info(m.name) AS c
         UNION ALL SELECT tbl_name || ' ' || name FROM sqlite_master WHERE type = 'index'`
      : `SELECT table_name || '.' || column_name || ' ' || data_type AS line
         FROM information_schema.columns WHERE table_schema = current_schema()
         UNION ALL SELECT replace(indexdef, 'former_pkey', 'sync_orders_pkey') FROM pg_indexes WHERE schemaname = current_schema()`;
  return (await sql.query<{ line: string }>(text)).map(({ line }) => line).sort();
}

/** A sale at noon Pacific time of a day in March 2026, with as many line items as it has amounts. */
export function sale(receipt: string, day: string, amounts: readonly string[]): ServiceRow {
  return {
    ...{ receipt, transactionType: 'SALE', transactionTime: `${day}T12:00:00-07:00` },
    ...{ vendor: 'maker', role: 'VENDOR', currency: 'USD', totalOrderAmount: amounts[0] ?? null },
    lineItemData: amounts.map((customerAmount, i) => ({ itemNo: `sku-${i + 1}`, customerAmount })),
  };
}

export const syncedAt = '2026-03-18T18:30:00Z';

const dayOf = ({ transactionTime }: ServiceRow) => String(transactionTime).slice(0, 10);

/** Orders as rows of their tables; `day` is that of the window, by default that of the order. */
export function rowsOf(
  rows: readonly ServiceRow[],
  { account = 'maker', day }: { readonly account?: string; readonly day?: string } = {},
) {
  const make = rowMaker(orderSource, { account, syncedAt, isAnonymous: () => false });
  return make(rows.map((row) => ({ row, day: day ?? dayOf(row) })));
}

/** Starts a window of orders and writes rows to it. */
export async function begun(
  destination: Destination,
  rows: readonly ServiceRow[],
  account = 'maker',
) {
  const writer = await destination.begin(account, orderSource);
  await writer.write(rowsOf(rows, { account }));
  return writer;
}

/** Replaces the orders of some days. */
export async function replaced(
  destination: Destination,
  first: string,
  last: string,
  rows: readonly ServiceRow[],
  account = 'maker',
): Promise<void> {
  const writer = await begun(destination, rows, account);
  const rowsByDay = new Map<string, number>();
  for (const row of rows) rowsByDay.set(dayOf(row), (rowsByDay.get(dayOf(row)) ?? 0) + 1);
  await writer.commit({ extent: { first, last }, syncedAt, rowsByDay, nicknames: ['maker'] });
}
