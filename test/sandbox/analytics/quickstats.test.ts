import { expect } from 'vitest';
import { nickname } from '../../../src/operations/quickstats.ts';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { faultsInJson, validateDocument } from '../codec/shape.ts';
import { ask, getJson, keyed, linesIn, listAll, TODAY, test } from '../raw.ts';

const QUICKSTATS = '/rest/1.3/quickstats';
const YEAR = 'startDate=2025-01-01&endDate=2026-12-31';

type Json = Readonly<Record<string, unknown>>;

async function accountsIn(sandbox: Sandbox, path: string, headers = {}): Promise<Json[]> {
  const response = await getJson(sandbox, `${QUICKSTATS}/${path}`, headers);
  expect([path, response.status]).toEqual([path, 200]);
  const body = JSON.parse(response.text) as { accountData: Json | Json[] } | null;
  return body === null ? [] : [body.accountData].flat();
}

function statsIn(found: Json | undefined): Json[] {
  return found?.quickStats === undefined ? [] : [found.quickStats as Json | Json[]].flat();
}

const cents = (value: unknown) => Math.round(Number(value) * 100);

/** The same figures computed from orders, by account, day, and type, in cents. */
async function figuresOf(sandbox: Sandbox, nickName: string): Promise<Map<string, number>> {
  const kinds = { SALE: 'sale', BILL: 'sale', RFND: 'refund', CGBK: 'chargeback' };
  const figures = new Map<string, number>();
  for (const role of ['VENDOR', 'AFFILIATE'] as const) {
    const rows = await listAll(sandbox, `role=${role}&${role.toLowerCase()}=${nickName}`);
    for (const row of rows) {
      const kind = kinds[row.transactionType as keyof typeof kinds];
      if (!kind) continue;
      const key = `${String(row.transactionTime).slice(0, 10)} ${kind}`;
      const amount = linesIn(row).reduce((sum, line) => sum + cents(line.accountAmount), 0);
      figures.set(key, (figures.get(key) ?? 0) + Math.abs(amount));
    }
  }
  return figures;
}

test('sums sales and returns by account and day', async ({ seeded }) => {
  const found = await accountsIn(seeded, `list?${YEAR}`);
  expect(found.length).toBeGreaterThan(4);
  for (const one of found) {
    const shown = new Map<string, number>();
    for (const stat of statsIn(one)) {
      expect(stat.quickStatDate).toMatch(/T00:00:00-0[78]:00$/);
      for (const kind of ['sale', 'refund', 'chargeback']) {
        const value = cents(stat[kind]);
        if (value !== 0) shown.set(`${String(stat.quickStatDate).slice(0, 10)} ${kind}`, value);
      }
    }
    expect(Object.fromEntries(shown), String(one.nickName)).toEqual(
      Object.fromEntries(await figuresOf(seeded, String(one.nickName))),
    );
  }
});

test('covers the last 45 days including today without dates', async ({ large }) => {
  const same = await accountsIn(large, `list?startDate=2026-02-01&endDate=${TODAY}`);
  expect(await accountsIn(large, 'list')).toEqual(same);
  expect(await accountsIn(large, 'list?startDate=2026-02-01')).toEqual(same);
  expect(await accountsIn(large, `list?endDate=${TODAY}`)).toEqual(same);
  const days = same.flatMap(statsIn).map((stat) => String(stat.quickStatDate).slice(0, 10));
  expect(days.toSorted()[0]).toBe('2026-02-01');
  expect(days).toContain(TODAY);
});

test('omits days and accounts without orders in list, but not in count', async ({ sandbox }) => {
  const none = await getJson(sandbox, `${QUICKSTATS}/list?startDate=2020-01-01&endDate=2020-01-31`);
  expect([none.status, none.text]).toEqual([200, 'null']);
  const sums = await accountsIn(sandbox, 'count?startDate=2020-01-01&endDate=2020-01-31');
  expect(sums).toHaveLength(6);
  expect(statsIn(sums[0])).toEqual([
    { quickStatDate: { '@nil': 'true' }, sale: '0.00', refund: '0.00', chargeback: '0.00' },
  ]);
});

test('returns one sum per account in count that matches its days', async ({ seeded }) => {
  const days = await accountsIn(seeded, `list?${YEAR}`);
  for (const one of await accountsIn(seeded, `count?${YEAR}`)) {
    const [sum, ...others] = statsIn(one);
    expect([others, sum?.quickStatDate]).toEqual([[], { '@nil': 'true' }]);
    const own = statsIn(days.find((other) => other.nickName === one.nickName));
    for (const kind of ['sale', 'refund', 'chargeback']) {
      const added = own.reduce((total, stat) => total + cents(stat[kind]), 0);
      expect(cents(sum?.[kind])).toBe(added);
    }
  }
});

test('selects an account of the key in any case', async ({ seeded }) => {
  const all = await accountsIn(seeded, `list?${YEAR}`);
  const picked = all.filter((one) => one.nickName === 'FITLAB24');
  expect(picked).toHaveLength(1);
  expect(await accountsIn(seeded, `list?${YEAR}&account=fitlab24`)).toEqual(picked);
  for (const path of ['list', 'count']) {
    expect((await getJson(seeded, `${QUICKSTATS}/${path}?account=NOTMINE`)).status).toBe(403);
    const foreign = `${QUICKSTATS}/${path}?account=FITLAB24`;
    expect((await getJson(seeded, foreign, keyed(seeded, 'vendor'))).status).toBe(403);
  }
});

test('lists the nicknames of the key', async ({ sandbox }) => {
  const found = await accountsIn(sandbox, 'accounts');
  expect(found.flatMap((one) => faultsInJson(nickname, one))).toEqual([]);
  expect(found.map((one) => one.nickName)).toContain('TOPAFF1');
  expect(found).toHaveLength(6);
  const one = await getJson(sandbox, `${QUICKSTATS}/accounts`, keyed(sandbox, 'vendor'));
  expect(one.text).toBe('{"accountData":{"nickName":"GREENLEAF"}}');
});

test('returns 400 for reversed or invalid dates', async ({ sandbox }) => {
  for (const path of ['list', 'count']) {
    for (const query of ['startDate=2026-03-02&endDate=2026-03-01', 'startDate=2026-02-30']) {
      expect((await getJson(sandbox, `${QUICKSTATS}/${path}?${query}`)).status).toBe(400);
    }
  }
});

test('declares accounts and days as root elements of the schema', async ({ sandbox }) => {
  const schema = (await ask(sandbox, 'GET', `${QUICKSTATS}/schema`, { Authorization: '' })).text;
  for (const root of ['accountData', 'quickstatsData']) validateDocument(schema, `<${root}/>`);
});
