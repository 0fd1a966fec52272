/** Customer data for the key of an affiliate: only country and state. */
import { expect } from 'vitest';
import {
  countOf,
  getJson,
  isNil,
  keyed,
  linesIn,
  listAll,
  ordersOf,
  rowsIn,
  test,
} from '../raw.ts';

const CUSTOMER = ['firstName', 'lastName', 'fullName', 'email', 'postalCode'];

test('hides customer data of orders and of their upsells from affiliates', async ({ large }) => {
  const key = keyed(large, 'affiliate');
  const own = await listAll(large, '', key);
  const [one] = rowsIn(await getJson(large, '/rest/1.3/orders2/MONTHLY1', key));
  const upsells = [];
  for (const row of own) {
    if (!linesIn(row).some(({ lineItemType }) => lineItemType === 'ORIGINAL')) continue;
    const found = await getJson(large, `/rest/1.3/orders2/${row.receipt}/upsells`, key);
    if (found.status === 200) upsells.push(...rowsIn(found));
  }
  expect([own.length > 20, upsells.length > 0]).toEqual([true, true]);
  for (const row of [...own, ...upsells, one]) {
    expect(CUSTOMER.filter((name) => !isNil(row?.[name]))).toEqual([]);
    expect(row).not.toHaveProperty('customerContactInfo');
  }
  expect(one).toMatchObject({ role: 'AFFILIATE', country: 'US', state: 'ID' });
  const [sold] = await ordersOf(large, 'MONTHLY1');
  expect(sold).toMatchObject({ role: 'VENDOR', fullName: 'Ada Sample', postalCode: '83702' });
});

test('finds no order by a customer field for an affiliate', async ({ seeded }) => {
  const key = keyed(seeded, 'affiliate');
  for (const filter of ['email=ada%25', 'email=%25', 'lastName=Sample', 'postalCode=83702']) {
    expect((await listAll(seeded, filter)).length).toBeGreaterThan(0);
    // This also applies to referred sales of a key with both accounts.
    for (const [query, headers] of [
      [filter, key],
      [`${filter}&role=AFFILIATE`, {}],
    ] as const) {
      expect([query, await listAll(seeded, query, headers)]).toEqual([query, []]);
      expect([query, await countOf(seeded, query, headers)]).toEqual([query, 0]);
    }
  }
});
