/** Copies with rows of a test, in each database, and what their views answer. */
import { test } from 'vitest';
import type { Day } from '../../../../src/dates/day.ts';
import { prepareCopy, sqlDestination } from '../../../../src/features/sync/database/copy.ts';
import { analyticsSource } from '../../../../src/features/sync/tables/analytics-tables.ts';
import { orderSource } from '../../../../src/features/sync/tables/order-tables.ts';
import { subscriptionSource } from '../../../../src/features/sync/tables/sources.ts';
import {
  rowMaker,
  type ServiceRow,
  type Source,
} from '../../../../src/features/sync/tables/table.ts';
import { type DatabaseKind, facts, syncedAt as readAt } from '../database/databases.ts';

type Row = Readonly<Record<string, unknown>>;

const account = 'MAKER';

export async function openShop(kind: DatabaseKind) {
  const database = await kind.create();
  const sql = await database.open();
  await prepareCopy(sql, facts);
  const destination = sqlDestination(sql);
  const fill = async (
    source: Source,
    rows: readonly ServiceRow[],
    { anonymous = false, syncedAt = readAt } = {},
  ) => {
    const make = rowMaker(source, { account, syncedAt, isAnonymous: () => anonymous });
    const dayOf = (row: ServiceRow) => (source.kind === 'days' ? source.dayOf(row) : undefined);
    const writer = await destination.begin(account, source);
    await writer.write(make(rows.map((row) => ({ row, day: dayOf(row) ?? '2026-03-18' }))));
    const extent =
      source.kind === 'days' ? { first: '2020-01-01', last: '2030-01-01' } : ('whole' as const);
    await writer.commit({ extent, syncedAt, rowsByDay: new Map(), nicknames: [] });
  };
  return {
    sql,
    orders: (rows: readonly ServiceRow[], { anonymous = false } = {}) =>
      fill(orderSource, rows, { anonymous }),
    clicks: (rows: readonly ServiceRow[]) => fill(analyticsSource, rows),
    subscriptions: (rows: readonly ServiceRow[], today: Day) =>
      fill(subscriptionSource, rows, { syncedAt: `${today}T20:00:00Z` }),
    /** The rows of a view: figures as numbers, without the columns that `hidden` names. */
    async view(name: string, hidden: readonly string[] = ['account', 'role']): Promise<Row[]> {
      const rows = await sql.query(`SELECT * FROM ${name}`);
      return rows.map((row) => shown(row, hidden)).sort(byText);
    },
  };
}

/** Defines a test with a new shop in a database. */
export function testIn(kind: DatabaseKind) {
  return (title: string, run: (shop: Awaited<ReturnType<typeof openShop>>) => Promise<void>) =>
    test.skipIf(kind.missing)(title, async () => run(await openShop(kind)));
}

function shown(row: Row, hidden: readonly string[]): Row {
  const cells = Object.entries(row).filter(([name]) => !hidden.includes(name));
  return Object.fromEntries(cells.map(([name, value]) => [name, plain(value)]));
}

/** Numbers of PostgreSQL arrive as texts. */
function plain(value: unknown): unknown {
  const isNumber = typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value);
  return isNumber ? Number(value) : value;
}

function byText(one: Row, other: Row): number {
  const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
  return a < b ? -1 : Number(a > b);
}

interface Sold {
  readonly type?: string;
  readonly receipt?: string;
  readonly role?: string;
  readonly email?: string;
  readonly affiliate?: string | null;
  readonly items?: readonly (readonly [sku: string | null, earned: string | null])[];
}

let made = 0;

/** A transaction at a time with an offset, or at noon Pacific time of a day in winter. */
export function transaction(time: string, sold: Sold = {}): ServiceRow {
  made += 1;
  const { type = 'SALE', items = [['SKU', '10.00']] } = sold;
  return {
    receipt: sold.receipt ?? `R${made}`,
    transactionTime: time.includes('T') ? time : `${time}T12:00:00-08:00`,
    transactionType: type,
    vendor: 'MAKER',
    affiliate: sold.affiliate ?? null,
    role: sold.role ?? 'VENDOR',
    currency: 'USD',
    email: sold.email ?? null,
    lineItemData: items.map(([itemNo, accountAmount]) => ({ itemNo, accountAmount })),
  };
}

/** A subscription with a price, from the day after which it counts until the day on which it stops. */
export function subscription(
  email: string,
  price: string,
  first: Day,
  { stop, ...others }: { readonly stop?: Day; readonly [field: string]: unknown } = {},
): ServiceRow {
  made += 1;
  return {
    role: 'VENDOR',
    receipt: `S${made}`,
    itemNo: 'CLUB',
    status: stop === undefined ? 'ACTIVE' : 'CANCELED',
    currencyCode: 'USD',
    frequency: 'EVERY MONTH',
    purchaseDate: `${first}T12:00:00-08:00`,
    ...(stop && { subCancelDate: `${stop}T12:00:00-08:00` }),
    initialSaleAmount: price,
    initialSaleCount: 1,
    rebillSaleAmount: '0.00',
    rebillSaleCount: 0,
    email,
    ...others,
  };
}
