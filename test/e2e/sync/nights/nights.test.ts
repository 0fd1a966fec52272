/** After each of 90 nights, the copy equals what the service lists, row by row and column by column. */
import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { addDays, type Day } from '../../../../src/dates/day.ts';
import type { Sql } from '../../../../src/workflows/sync/database/sql.ts';
import { openSqlite } from '../../../../src/workflows/sync/database/sqlite.ts';
import { home } from '../../../support/cb.ts';
import { type Difference, differencesOf } from './compare.ts';
import { eventNames, happenings } from './events.ts';
import { listedNow } from './service.ts';
import { openShop, type Shop } from './shop.ts';

const day = 86_400;
const lookBack = 60;

/**
 * What ClickBank changes in place without any new row. Beyond the look-back, it is as it was when the row was last
 * read; docs/copy-tables.md says so. Everything else in old rows is compared like the rest.
 */
const lagging: Readonly<Record<string, readonly string[]>> = {
  orders: [
    ...['customerRefundableState', 'firstName', 'lastName', 'fullName', 'state', 'postalCode'],
    ...['status', 'nextPaymentDate', 'processedPayments', 'futurePayments', 'rebillAmount'].map(
      (name) => `lineItemData.${name}`,
    ),
  ],
  order_items: [
    'status',
    'nextPaymentDate',
    'processedPayments',
    'futurePayments',
    'rebillAmount',
  ].map((name) => `lineItemData.${name}`),
  shipments: [
    ...['firstName', 'lastName', 'fullName', 'address1', 'address2', 'city', 'state', 'postalCode'],
  ],
};

/** Leaves out what may lag, and rows before the days that are compared. */
function relevant(differences: readonly Difference[], shop: Shop): readonly Difference[] {
  const edge = addDays(shop.today(), -lookBack);
  const { first } = shop.asked();
  return differences.filter(({ table, field, day, service }) => {
    if (day === undefined || day >= edge) return true;
    // Rows of earlier days come with the changes of tickets; notices of earlier days stay as they are.
    if (service === undefined && (day < first || table === 'ship_notices')) return false;
    return !lagging[table]?.includes(field);
  });
}

interface Nights {
  readonly nights: number;
  readonly lookBack: number;
}

/** Returns the differences of the first night that has some, and the events of all nights. */
async function live(shop: Shop, sql: Sql, { nights, lookBack }: Nights) {
  const sync = await shop.copyTo(sql, lookBack);
  const events = new Set<string>();
  let days: Day[] = [];
  for (let night = 0; night < nights; night++) {
    const result = await sync();
    expect({ night, ...result }).toMatchObject({ outcome: 'complete', problems: [] });
    const differences = await differencesOf(sql, await listedNow(shop.asked()));
    const found = relevant(differences, shop);
    if (found.length > 0) return { night, found: found.slice(0, 5), events, days };
    days = [...days, shop.today()];
    await shop.sandbox.advance(day);
    const scene = { client: shop.client, today: shop.today(), night };
    for (const name of await happenings(scene)) events.add(name);
  }
  return { night: nights, found: [], events, days };
}

async function sqlite(): Promise<Sql> {
  const processes = { own: process.pid, isRunning: () => true };
  return openSqlite({ file: `${home().folder}/copy.db`, processes });
}

/** Undefined where PostgreSQL is not installed. */
async function postgres(): Promise<Sql | undefined> {
  const [support, opener] = ['support/postgres.ts', '../src/workflows/sync/database/postgres.ts'];
  const at = (path: string) => new URL(`../../../${path}`, import.meta.url);
  if (!existsSync(at(support)) || !existsSync(at(opener))) return undefined;
  const { postgresUrl } = await import(at(support).href);
  const { openPostgres } = await import(at(opener).href);
  const url: string | undefined = await postgresUrl();
  return url === undefined ? undefined : openPostgres({ url });
}

test.each([
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
])('equals the service after each of 90 nights in %s', async (name, open) => {
  const sql = await open();
  if (!sql) return expect(name).toBe('PostgreSQL');
  onTestFinished(() => sql.close());
  const shop = await openShop();
  const { found, events, days } = await live(shop, sql, { nights: 90, lookBack });
  expect(found).toEqual([]);
  expect(days).toHaveLength(90);
  // Each kind of event was accepted at least once, so that the comparison means something.
  expect(eventNames.filter((event) => !events.has(event))).toEqual([]);
});

test('misses late refunds without a look-back', async () => {
  const sql = await sqlite();
  onTestFinished(() => sql.close());
  const { night, found } = await live(await openShop(), sql, { nights: 30, lookBack: 0 });
  expect(night).toBeLessThan(30);
  expect(found[0]).toMatchObject({ table: 'orders' });
});
