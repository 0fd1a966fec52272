/** Files of the sandbox, and what a seed puts into them. */
import { statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { order } from '../../../src/operations/orders.ts';
import type { Resource } from '../../../src/operations/resource.ts';
import { reseedSandbox, startSandbox } from '../../../src/sandbox/http/server.ts';
import type { OrderAmounts } from '../../../src/sandbox/store/store.ts';
import { openDatabase } from '../../../src/storage/sqlite.ts';
import { cb, emptyHome } from '../../support/binary.ts';
import {
  countAt,
  countOf,
  DAY,
  dayOf,
  daysAfter,
  expectAnswers,
  getJson,
  isNil,
  type Json,
  lineOf,
  listAll,
  listed,
  NOON,
  openSandbox,
  ordersOf,
  test,
} from '../raw.ts';
import { rowsIn, storeFile } from './store-file.ts';

const EXTEND = 'POST orders2/LIMITED1/extend?numPeriods=5 204';
const LIST = '/rest/1.3/orders2/list?startDate=2025-01-01&endDate=2026-12-31';

test('creates the store as a private file in a private folder', async () => {
  const file = join(dirname(storeFile()), 'deeper', 'sandbox.sqlite');
  await openSandbox({ file, now: () => NOON });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
});

test('seeds a store once and keeps its changes', async () => {
  const file = storeFile();
  const onSeed = vi.fn();
  const first = await openSandbox({ file, onSeed });
  await expectAnswers(first)`${EXTEND}`;
  await first.close();
  const second = await openSandbox({ file, onSeed, seed: { orders: 999 } });
  expect(onSeed).toHaveBeenCalledExactlyOnceWith(60, false);
  expect(second.status()).toMatchObject({ file, orders: 60 });
  expect((await lineOf(second, 'LIMITED1')).futurePayments).toBe('9');
});

test('seeds a file once for several concurrent sandboxes and processes', async () => {
  const file = storeFile();
  const onSeed = vi.fn();
  const options = { file, onSeed, seed: { orders: 500 } };
  const [one, two] = await Promise.all([openSandbox(options), openSandbox(options)]);
  expect(onSeed).toHaveBeenCalledTimes(1);
  await expectAnswers(one)`${EXTEND}`;
  expect((await lineOf(two, 'LIMITED1')).futurePayments).toBe('9');
  const empty = emptyHome();
  const servers = [1, 2].map(() => cb(['sandbox', 'start', '--port', '0'], { home: empty }));
  const said = await Promise.all(servers.map(({ until }) => until(/is running/)));
  expect(said.filter((text) => text.includes('Creating 5000 sample orders'))).toHaveLength(1);
});

test('does not change a file of another program', async () => {
  const folder = dirname(storeFile());
  const other = join(folder, 'other.db');
  const db = await openDatabase(other);
  db.execute("CREATE TABLE diary (text); INSERT INTO diary VALUES ('dear diary')");
  db.close();
  await expect(openSandbox({ file: other })).rejects.toThrow('another program');
  const text = join(folder, 'text.db');
  writeFileSync(text, 'not a database at all, but a text of some length');
  await expect(openSandbox({ file: text })).rejects.toThrow();
  expect(await rowsIn(other, 'SELECT text FROM diary')).toEqual([{ text: 'dear diary' }]);
});

test('restores the first state and time, or another state, when seeding again below a running server', async () => {
  const file = storeFile();
  const sandbox = await openSandbox({ file, seed: { orders: 80, randomSeed: 3 } });
  const before = await getJson(sandbox, LIST);
  await expectAnswers(sandbox)`POST orders2/CANCEL01/reinstate 204`;
  expect((await getJson(sandbox, LIST)).text).not.toBe(before.text);
  expect(await sandbox.advance(0)).toEqual(NOON);
  await sandbox.advance(9 * DAY);
  expect(sandbox.status().clockOffsetSeconds).toBe(9 * DAY);
  await reseedSandbox({ file, now: () => NOON });
  expect(sandbox.now()).toEqual(NOON);
  expect((await getJson(sandbox, LIST)).text).toBe(before.text);
  await reseedSandbox({ file, now: () => NOON, seed: { randomSeed: 4 } });
  expect(sandbox.status()).toMatchObject({ orders: 80, randomSeed: 4 });
  expect((await getJson(sandbox, LIST)).text).not.toBe(before.text);
});

test('fails at once if the port is in use', async ({ sandbox }) => {
  const port = Number(new URL(sandbox.url).port);
  await expect(openSandbox({ port })).rejects.toThrow('EADDRINUSE');
});

const LANDMARKS = [
  ...['MONTHLY1', 'CANCEL01', 'LIMITED1', 'SHIPBOX1', 'CART0003', 'UPSELL01', 'DIGITAL1'],
  ...['PARCEL01', 'REFUND01', 'CHARGE01', 'TESTSL01'],
];

function valuesOf(rows: readonly Json[], name: string): Set<string> {
  return new Set(rows.map((row) => row[name]).filter((v): v is string => typeof v === 'string'));
}

test('seeds exactly the requested number of transactions, with every fixed receipt', async () => {
  for (const [orders, randomSeed] of [
    [50, 1],
    [51, 7],
    [137, 1],
  ] as const) {
    const sandbox = await openSandbox({ seed: { orders, randomSeed } });
    expect(sandbox.status()).toMatchObject({ orders, randomSeed });
    expect(await countOf(sandbox, '')).toBe(orders);
    for (const receipt of LANDMARKS) {
      expect((await ordersOf(sandbox, receipt)).length, receipt).toBeGreaterThan(0);
    }
  }
});

test('seeds the fixed subscriptions as described in the examples', async () => {
  for (const day of ['2026-01-31', '2026-03-01', '2026-05-30', '2026-12-05']) {
    const sandbox = await openSandbox({ now: () => new Date(`${day}T20:00:00Z`) });
    const monthly = await lineOf(sandbox, 'MONTHLY1');
    const next = dayOf(monthly.nextPaymentDate);
    expect([next > day, next <= daysAfter(day, 10)], day).toEqual([true, true]);
    expect(monthly).toMatchObject({ itemNo: 'CLUB-M', status: 'ACTIVE', futurePayments: '999' });
    const receipts = (await ordersOf(sandbox, 'MONTHLY1')).map((row) => row.receipt);
    expect(receipts).toEqual(['MONTHLY1', 'MONTHLY1-B002', 'MONTHLY1-B003', 'MONTHLY1-B004']);
    expect((await lineOf(sandbox, 'CANCEL01')).status).toBe('CANCELED');
    const box = await lineOf(sandbox, 'SHIPBOX1');
    expect(box).toMatchObject({ shippable: 'true', recurring: 'true', status: 'ACTIVE' });
    expect(Number((await lineOf(sandbox, 'LIMITED1')).futurePayments)).toBeGreaterThan(0);
  }
});

test('seeds nothing in the future at any time of day', async () => {
  for (const now of ['2026-03-18T07:00:01Z', '2026-03-18T07:10:00Z', '2026-11-01T08:30:00Z']) {
    const sandbox = await openSandbox({ now: () => new Date(now), seed: { orders: 400 } });
    expect(Date.parse(sandbox.status().last ?? '')).toBeLessThanOrEqual(Date.parse(now));
  }
});

test('seeds mostly recent orders by default, with some from yesterday and today', async () => {
  const day = '2026-08-31';
  const sandbox = await openSandbox({ now: () => new Date(`${day}T20:00:00Z`), seed: {} });
  const yesterday = daysAfter(day, -1);
  for (const [from, to, least] of [
    ['2020-01-01', day, 4999],
    ['2026-06-01', day, 2000],
    ['2026-05-01', '2026-07-31', 2000],
    [day, day, 5],
    [yesterday, yesterday, 5],
  ] as const) {
    const count = await countAt(sandbox, `orders2/count?startDate=${from}&endDate=${to}`);
    expect([from, to, count > least]).toEqual([from, to, true]);
  }
  expect(sandbox.status().first).toMatch(/^202[56]/);
});

test('seeds all types, currencies, countries, scripts, and missing values', async ({ large }) => {
  const rows = await listAll(large, '');
  expect(rows).toHaveLength(5000);
  expect(valuesOf(rows, 'transactionType').size).toBe(9);
  expect(valuesOf(rows, 'currency').size).toBeGreaterThanOrEqual(8);
  expect(valuesOf(rows, 'country').size).toBeGreaterThanOrEqual(15);
  expect(valuesOf(rows, 'vendor').size).toBe(5);
  expect(valuesOf(rows, 'affiliate').size).toBe(15);
  for (const name of [...valuesOf(rows, 'vendor'), ...valuesOf(rows, 'affiliate')]) {
    expect(name).toMatch(/^[A-Z0-9]{5,10}$/);
  }
  const receipts = valuesOf(rows, 'receipt');
  for (const receipt of receipts) expect(receipt).toMatch(/^[A-Z0-9]{8}(-B\d{3})?$/);
  const names = [...valuesOf(rows, 'fullName')].join('\n');
  const scripts = ['Latin', 'Cyrillic', 'Greek', 'Han', 'Hiragana', 'Hangul'];
  for (const script of [...scripts, 'Arabic', 'Hebrew', 'Devanagari', 'Thai']) {
    expect(names, script).toMatch(new RegExp(`\\p{Script=${script}}`, 'u'));
  }
  for (const sign of ["'", ',', '"']) expect(names).toContain(sign);
  const lastNames = [...valuesOf(rows, 'lastName')].map((name) => name[0]);
  expect(lastNames).toEqual(expect.arrayContaining(['=', '-']));
  expect(rows.filter((row) => isNil(row.trackingId)).length).toBeGreaterThan(1500);
  const contacts = rows.map(({ customerContactInfo }) => listed(customerContactInfo).length);
  const variables = rows.map((row) => listed((row.vendorVariables as Json).item).length);
  for (const sizes of [contacts, variables]) {
    expect(sizes).toEqual(expect.arrayContaining([0, 1, 2]));
  }
});

function neverNil(resource: Resource, rows: readonly Json[]): string[] {
  return Object.entries(resource.fields).flatMap(([name, field]) => {
    const values = rows.map((row) => row[name]).filter((value) => value !== undefined);
    // An empty list is absent, also where its elements can be nil.
    if (field.nillable && field.kind !== 'list') return values.some(isNil) ? [] : [name];
    return field.resource ? neverNil(field.resource, values.flat() as Json[]) : [];
  });
}

test('lists nil in every nillable field, even in a small sandbox, with the fault null-row', async () => {
  const sandbox = await openSandbox({ seed: { orders: 1500 } });
  expect(neverNil(order, await listAll(sandbox, ''))).toContain('receipt');
  sandbox.setFaults('null-row=on');
  // A contact of the sandbox always has a field and a value.
  expect(neverNil(order, await listAll(sandbox, ''))).toEqual(['field', 'value']);
});

test('sends amounts in US dollars by default, and in the currency of the customer if the seed says so', async () => {
  const yenSaleIn = async (orderAmounts?: OrderAmounts) => {
    const seed = orderAmounts ? { orders: 300, orderAmounts } : { orders: 300 };
    const sandbox = await startSandbox({ file: ':memory:', now: () => NOON, seed });
    onTestFinished(() => sandbox.close());
    expect(sandbox.status().orderAmounts).toBe(orderAmounts ?? 'dollars');
    const sales = await listAll(sandbox, 'type=SALE');
    const { receipt, totalOrderAmount } = sales.find(({ currency }) => currency === 'JPY') ?? {};
    const amount = Number(totalOrderAmount);
    expect(await countOf(sandbox, `amount=${amount}`)).toBeGreaterThan(0);
    return { receipt, amount };
  };
  const [dollars, customer] = [await yenSaleIn(), await yenSaleIn('customer')];
  expect(dollars.receipt).toBe(customer.receipt);
  expect(customer.amount).toBeGreaterThan(1000);
  expect(dollars.amount).toBeCloseTo(customer.amount / 150, 2);
});
