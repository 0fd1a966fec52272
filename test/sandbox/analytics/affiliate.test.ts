/** Customer data for the key of an affiliate: only country and state. */
import { expect } from 'vitest';
import { getJson, keyOf, linesIn, listAll, ordersIn, ordersOf, test } from '../raw.ts';

const RECEIPT = '/rest/1.3/orders2';

const CUSTOMER = ['firstName', 'lastName', 'fullName', 'email', 'postalCode'];

test('hides customer data of an order from affiliates', async ({ seeded }) => {
  const Authorization = keyOf(seeded, 'affiliate');
  const own = await listAll(seeded, '', { Authorization });
  const [one] = ordersIn(await getJson(seeded, `${RECEIPT}/MONTHLY1`, { Authorization }));
  expect(own.length).toBeGreaterThan(20);
  for (const row of [...own, one]) {
    const shown = CUSTOMER.filter((name) => JSON.stringify(row?.[name]) !== '{"@nil":"true"}');
    expect(shown).toEqual([]);
    expect(row).not.toHaveProperty('customerContactInfo');
  }
  expect(one).toMatchObject({ role: 'AFFILIATE', country: 'US', state: 'ID' });
  const [sold] = await ordersOf(seeded, 'MONTHLY1');
  expect(sold).toMatchObject({ role: 'VENDOR', fullName: 'Ada Sample', postalCode: '83702' });
});

test('finds no order by a customer field for an affiliate', async ({ seeded }) => {
  const Authorization = keyOf(seeded, 'affiliate');
  const filters = ['email=ada%25', 'email=%25', 'lastName=Sample', 'postalCode=83702'];
  const days = 'startDate=2025-01-01&endDate=2026-12-31';
  for (const filter of filters) {
    expect((await listAll(seeded, filter)).length).toBeGreaterThan(0);
    expect([filter, await listAll(seeded, filter, { Authorization })]).toEqual([filter, []]);
    // This also applies to referred sales of a key with both accounts.
    expect([filter, await listAll(seeded, `${filter}&role=AFFILIATE`)]).toEqual([filter, []]);
    for (const headers of [{ Authorization }, {}]) {
      const role = 'Authorization' in headers ? '' : '&role=AFFILIATE';
      const path = `/rest/1.3/orders2/count?${days}&${filter}${role}`;
      expect([filter, (await getJson(seeded, path, headers)).text]).toEqual([filter, '0']);
    }
  }
});

test('hides the customer of an upsell from affiliates', async ({ large }) => {
  const headers = { Authorization: keyOf(large, 'affiliate') };
  const sales = (await listAll(large, 'type=SALE', headers)).filter((row) =>
    linesIn(row).some(({ lineItemType }) => lineItemType === 'ORIGINAL'),
  );
  const upsells = [];
  for (const { receipt } of sales) {
    const response = await getJson(large, `${RECEIPT}/${receipt}/upsells`, headers);
    if (response.status === 200) upsells.push(...ordersIn(response));
  }
  expect(upsells.length).toBeGreaterThan(0);
  for (const row of upsells) {
    const shown = CUSTOMER.filter((name) => JSON.stringify(row[name]) !== '{"@nil":"true"}');
    expect(shown).toEqual([]);
  }
});
