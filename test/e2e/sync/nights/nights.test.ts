/** After each of 90 nights, the copy equals what the service lists, row by row and column by column. */
import { expect, test } from 'vitest';
import { addDays } from '../../../../src/dates/day.ts';
import { type Difference, differencesOf } from './compare.ts';
import { eventNames, happenings } from './events.ts';
import { listedNow } from './service.ts';
import { type CopyPlace, copyPlaces, openShop, type Shop, sqlitePlace } from './shop.ts';

const day = 86_400;
const lookBack = 60;

/**
 * What ClickBank changes in place without any new row. Beyond the look-back, it is as it was when the row was last
 * read; docs/copy-tables.md says so. Everything else in old rows is compared like the rest.
 */
const lagging: Readonly<Record<string, readonly string[]>> = {
  orders: [
    ...['customerRefundableState', 'firstName', 'lastName', 'fullName'],
    ...['state', 'postalCode', 'country'],
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
    ...[
      'firstName',
      'lastName',
      'fullName',
      'address1',
      'address2',
      'city',
      'state',
      'postalCode',
      'country',
    ],
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
  /** Options of `cb sync` beside the tables and the first day. */
  readonly options: string;
}

/** Syncs all copies each night; returns the differences of the first night that has some, and all events. */
async function live(shop: Shop, copies: readonly CopyPlace[], { nights, options }: Nights) {
  const events = new Set<string>();
  for (let night = 0; night < nights; night++) {
    await shop.sync(copies, options);
    const listed = await listedNow(shop.asked());
    for (const { open } of copies) {
      const sql = await open();
      const found = relevant(await differencesOf(sql, listed), shop);
      await sql.close();
      if (found.length > 0) return { night, where: sql.dialect, found: found.slice(0, 5), events };
    }
    await shop.sandbox.advance(day);
    const scene = { client: shop.client, today: shop.today(), night };
    for (const name of await happenings(scene)) events.add(name);
  }
  return { night: nights, where: undefined, found: [], events };
}

/** About 25,000 requests: only a guard against a test that hangs, on a machine with much else to do. */
const timeout = 1_200_000;

test('equals the service after each of 90 nights in SQLite and in PostgreSQL', {
  timeout,
}, async () => {
  const nights = { nights: 90, options: '' };
  const { night, where, found, events } = await live(await openShop(), await copyPlaces(), nights);
  expect({ where, found }).toEqual({ where: undefined, found: [] });
  expect(night).toBe(90);
  // Each kind of event was accepted at least once, so that the comparison means something.
  expect(eventNames.filter((event) => !events.has(event))).toEqual([]);
});

test('misses changes of earlier days without a look-back', async () => {
  const nights = { nights: 30, options: '--look-back 0d' };
  const { night, found } = await live(await openShop(), [sqlitePlace()], nights);
  expect(night).toBeLessThan(30);
  // A refund was requested for a payment of an earlier day.
  expect(found[0]).toMatchObject({ table: 'orders', field: 'customerRefundableState' });
});
