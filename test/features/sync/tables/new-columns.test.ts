/** A later version of the schema adds columns: the rows that are there get their values from the rows as received. */
import { expect, test } from 'vitest';
import type { Client } from '../../../../src/client/client.ts';
import { addDays } from '../../../../src/dates/day.ts';
import { stateOf } from '../../../../src/features/sync/database/copy.ts';
import {
  metaOf,
  migrate,
  schemaVersion,
  setMeta,
  versionOf,
} from '../../../../src/features/sync/database/schema.ts';
import type { Sql } from '../../../../src/features/sync/destination.ts';
import { orderSource } from '../../../../src/features/sync/tables/order-tables.ts';
import { rowMaker } from '../../../../src/features/sync/tables/rows.ts';
import {
  type Cell,
  type Column,
  column,
  columnsOf,
  type DatedSource,
  type Table,
} from '../../../../src/features/sync/tables/table.ts';
import { orders } from '../../../../src/operations/orders.ts';
import { now } from '../../../support/cb.ts';
import { copyTo, emptyDatabases, sqliteDatabase } from '../../../support/copies.ts';
import { sandboxClient } from '../../clients.ts';

const next = schemaVersion + 1;
const since = next;
const today = '2026-03-18';

/** The source of orders as a later version could have it. */
function laterOrders(extra: readonly Column[] = []): DatedSource {
  const [orders, ...items] = orderSource.tables;
  const own = [
    column('refundable', 'text', 'State', 'customerRefundableState', { since }),
    column('declined', 'boolean', 'Consent', 'declinedConsent', { since }),
    column('contact', 'json', 'Contact', 'customerContactInfo', { since, personal: true }),
    ...extra,
  ];
  const ofItem = [
    column('item_role', 'text', 'Role', 'role', { since }),
    column('amount', 'numeric', 'Amount', 'customerAmount', { since }),
    column('next_payment', 'timestamp', 'Next payment', 'nextPaymentDate', { since }),
  ];
  const index = { name: 'order_items_by_role', columns: ['item_role'], since };
  return {
    ...orderSource,
    tables: [
      { ...orders, columns: [...orders.columns, ...own] },
      ...items.map((table) => ({
        ...table,
        columns: [...table.columns, ...ofItem],
        indexes: [...(table.indexes ?? []), index],
      })),
    ],
  };
}

/** A source as it was in the first version of the schema. */
function firstVersion(source: DatedSource): DatedSource {
  const [main, ...others] = source.tables;
  const older = (table: Table): Table => ({
    ...table,
    columns: table.columns.filter((one) => one.since === 1),
    indexes: (table.indexes ?? []).filter((one) => one.since === 1),
  });
  return { ...source, tables: [older(main), ...others.map(older)] };
}

const newOrders = ['refundable', 'declined', 'contact'];
const newItems = ['item_role', 'amount', 'next_payment'];

async function valuesIn(sql: Sql) {
  const read = (table: string, names: readonly string[], key: string) =>
    sql.query(`SELECT ${[key, ...names].join(', ')} FROM ${table} ORDER BY ${key}`);
  return {
    orders: await read('orders', newOrders, 'transaction_id'),
    items: await read('order_items', newItems, 'transaction_id, position'),
  };
}

async function filled(
  sql: Sql,
  source: DatedSource,
  version?: number,
  withoutPersonalData = false,
) {
  const { sandbox, client } = await sandboxClient(700);
  const first = addDays(today, -400);
  const facts = { sql, client, now: sandbox.now, sources: [source], first, withoutPersonalData };
  const { sync } = await copyTo({ ...facts, ...(version !== undefined && { version }) });
  expect(await sync()).toMatchObject({ outcome: 'complete' });
}

test('fills new columns of orders and line items as a new copy has them', async () => {
  expect(now.toISOString().slice(0, 10)).toBe(today);
  for (const sql of await emptyDatabases()) {
    await filled(sql, orderSource);
    await migrate(sql, next, [laterOrders()]);
    expect(await versionOf(sql)).toBe(next);
    const upgraded = await valuesIn(sql);
    // More than one batch.
    expect(upgraded.orders.length).toBeGreaterThan(500);
    const fresh = await sqliteDatabase();
    await filled(fresh, laterOrders(), next);
    const wanted = await valuesIn(fresh);
    if (sql.dialect === 'sqlite') expect(upgraded).toEqual(wanted);
    expect(upgraded.orders.map(({ refundable }) => refundable)).toEqual(
      wanted.orders.map(({ refundable }) => refundable),
    );
    expect(upgraded.items.map(({ amount }) => amount && Number(amount))).toEqual(
      wanted.items.map(({ amount }) => amount && Number(amount)),
    );
    for (const name of newItems) expect(wanted.items.some((row) => row[name] !== null)).toBe(true);
  }
});

test('keeps new personal columns empty in a copy without personal data', async () => {
  const sql = await sqliteDatabase();
  await filled(sql, orderSource, undefined, true);
  expect(await metaOf(sql, 'personal_data')).toBe('left out');
  await migrate(sql, next, [laterOrders()]);
  const { orders } = await valuesIn(sql);
  expect(new Set(orders.map(({ contact }) => contact))).toEqual(new Set([null]));
  expect(orders.some(({ refundable }) => refundable === 'REFUNDABLE')).toBe(true);
});

test('keeps the version and the columns if a step fails, and continues the next time', async () => {
  const sql = await sqliteDatabase();
  await filled(sql, orderSource);
  let rows = 0;
  const failing = column(
    'failing',
    'text',
    'Fails in the middle',
    () => {
      rows += 1;
      if (rows > 100) throw new Error('stopped');
      return 'x';
    },
    { since },
  );
  await expect(migrate(sql, next, [laterOrders([failing])])).rejects.toThrow('stopped');
  expect(await versionOf(sql)).toBe(schemaVersion);
  await expect(sql.query('SELECT failing FROM orders')).rejects.toThrow(/no such column/);
  await migrate(sql, next, [laterOrders()]);
  expect(await versionOf(sql)).toBe(next);
});

/** Orders and a state as the first version of cb wrote them. */
async function writeFirstVersion(
  sql: Sql,
  client: Client,
  nicknames: readonly string[],
  day: string,
): Promise<void> {
  const source = firstVersion(orderSource);
  const syncedAt = `${today}T12:00:00Z`;
  const make = rowMaker(source, { account: 'GREENLEAF', syncedAt, isAnonymous: () => false });
  const listed = [];
  for await (const row of client.list(orders.list, {})) listed.push({ row, day });
  const made = make(listed);
  for (const table of source.tables) {
    await sql.load(table.name, columnsOf(table), made.get(table.name) ?? []);
  }
  const add = (table: string, values: readonly Cell[]) =>
    sql.query(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`, values);
  await add('sync_accounts', ['GREENLEAF', JSON.stringify(nicknames), addDays(today, -60)]);
  await add('sync_days', ['GREENLEAF', 'orders', day, listed.length, syncedAt]);
  await add('sync_reads', ['GREENLEAF', 'tickets', syncedAt]);
}

test('adds tables to a copy of the first version, whose rows stay', async () => {
  for (const sql of await emptyDatabases()) {
    // The lock creates the schema of PostgreSQL.
    if (sql.dialect === 'postgres') await sql.lock(0);
    await migrate(sql, 1);
    await setMeta(sql, 'service', 'the sandbox');
    await setMeta(sql, 'personal_data', 'included');
    await expect(sql.query('SELECT * FROM products')).rejects.toThrow();
    const { sandbox, client } = await sandboxClient(60);
    const nicknames = ['GREENLEAF', 'FITLAB24'];
    const day = addDays(today, -1);
    await writeFirstVersion(sql, client, nicknames, day);
    const states = async () => {
      const { days, lists } = await stateOf(sql, 'GREENLEAF');
      return [days.get('orders')?.get(day)?.nicknames, lists.get('tickets')?.nicknames];
    };
    // Commands that only read take older copies as they are.
    expect(await states()).toEqual([nicknames, nicknames]);
    const read = () => sql.query('SELECT * FROM orders ORDER BY transaction_id');
    const rows = await read();
    const facts = { sql, client, now: sandbox.now, first: addDays(today, -60) };
    await copyTo({ ...facts, sources: [orderSource] });
    expect(await versionOf(sql)).toBe(schemaVersion);
    const names = Object.keys(rows[0] ?? {});
    const kept = (await read()).map((row) => names.map((name) => [name, row[name]]));
    expect(kept.map((cells) => Object.fromEntries(cells))).toEqual(rows);
    expect(await sql.query('SELECT * FROM products')).toEqual([]);
    // Days and lists were read with the nicknames of the account.
    expect(await states()).toEqual([nicknames, nicknames]);
  }
});
