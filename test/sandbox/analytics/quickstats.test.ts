import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { dayOf, expectAnswers, getJson, keyed, listed, rowsAt, TODAY, test } from '../raw.ts';

const QUICKSTATS = '/rest/1.3/quickstats';
const YEAR = 'startDate=2025-01-01&endDate=2026-12-31';
const NOWHERE = 'startDate=2020-01-01&endDate=2020-01-31';

const accountsIn = (sandbox: Sandbox, path: string) => rowsAt(sandbox, `quickstats/${path}`);

test('covers the last 45 days including today without dates', async ({ seeded }) => {
  const same = await accountsIn(seeded, `list?startDate=2026-02-01&endDate=${TODAY}`);
  for (const query of ['', '?startDate=2026-02-01', `?endDate=${TODAY}`]) {
    expect(await accountsIn(seeded, `list${query}`)).toEqual(same);
  }
  const days = same
    .flatMap(({ quickStats }) => listed(quickStats))
    .map(({ quickStatDate }) => dayOf(quickStatDate));
  expect(days.toSorted()[0]).toBe('2026-02-01');
  expect(days).toContain(TODAY);
});

test('omits days and accounts without orders in list, but not in count', async ({ sandbox }) => {
  await expectAnswers(sandbox, `GET quickstats/list?${NOWHERE} 200 null`);
  const sums = await accountsIn(sandbox, `count?${NOWHERE}`);
  expect(sums).toHaveLength(6);
  expect(listed(sums[0]?.quickStats)).toEqual([
    { quickStatDate: { '@nil': 'true' }, sale: '0.00', refund: '0.00', chargeback: '0.00' },
  ]);
});

test('selects an account of the key in any case', async ({ seeded }) => {
  const all = await accountsIn(seeded, `list?${YEAR}`);
  const picked = all.filter((one) => one.nickName === 'FITLAB24');
  expect(picked).toHaveLength(1);
  expect(await accountsIn(seeded, `list?${YEAR}&account=fitlab24`)).toEqual(picked);
});

test('lists the nicknames of the key', async ({ sandbox }) => {
  const found = await accountsIn(sandbox, 'accounts');
  const names = found.map(({ nickName }) => nickName);
  expect([names.length, names.includes('TOPAFF1')]).toEqual([6, true]);
  const one = await getJson(sandbox, `${QUICKSTATS}/accounts`, keyed(sandbox, 'vendor'));
  expect(one.text).toBe('{"accountData":{"nickName":"GREENLEAF"}}');
});

test('refuses foreign accounts and reversed dates', async ({ sandbox }) => {
  await expectAnswers(
    sandbox,
    `vendor: GET quickstats/list?account=FITLAB24 403
    GET quickstats/list?startDate=2026-03-02&endDate=2026-03-01 400
    GET quickstats/count?startDate=2026-03-02&endDate=2026-03-01 400`,
  );
});
