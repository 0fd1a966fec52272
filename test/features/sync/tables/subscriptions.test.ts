/** How subscriptions are read, and the monthly recurring revenue of each. */
import { expect, test } from 'vitest';
import type { Client } from '../../../../src/client/client.ts';
import {
  monthsPerPayment,
  recurringRevenue,
  startDay,
  stopDay,
  subscriptionSource,
} from '../../../../src/features/sync/tables/sources.ts';
import { servedClient } from '../../../support/client.ts';

test.each([
  ['EVERY MONTH', 1],
  ['MONTHLY', 1],
  ['every month', 1],
  ['EVERY 3 MONTHS', 3],
  ['QUARTERLY', 3],
  ['EVERY 6 MONTHS', 6],
  ['HALF_YEARLY', 6],
  ['EVERY YEAR', 12],
  ['YEARLY', 12],
  ['EVERY WEEK', 12 / 52],
  ['WEEKLY', 12 / 52],
  ['EVERY 2 WEEKS', 24 / 52],
  ['BI_WEEKLY', 24 / 52],
  ['30 DAYS', (30 * 12) / 365],
  ['EVERY 4 WEEKS', 48 / 52],
  ['2 MONTHS', 2],
])('a payment of %s is for %d months', (frequency, months) => {
  expect(monthsPerPayment(frequency)).toBeCloseTo(months, 10);
});

test.each([
  ...[null, undefined, '', 'EVERY OTHER MONTH', 'EVERY 0 MONTHS', 'toString', 'EVERY MOON'],
])('guesses nothing for %s', (frequency) => {
  const rebill = { rebillSaleAmount: '9', rebillSaleCount: 1 };
  expect(monthsPerPayment(frequency)).toBeUndefined();
  expect(recurringRevenue({ frequency, ...rebill })).toBeUndefined();
});

const frequency = 'EVERY MONTH';
const first = { initialSaleAmount: '1.00', initialSaleCount: 1 };

test('is the average rebill, and the first payment before there is one', () => {
  const rebills = { rebillSaleAmount: '77.00', rebillSaleCount: 2 };
  expect(recurringRevenue({ frequency, ...first, ...rebills })).toBe('38.50');
  expect(recurringRevenue({ frequency, ...first, rebillSaleCount: 0 })).toBe('1.00');
  expect(recurringRevenue({ ...first, frequency: 'EVERY YEAR' })).toBe('0.08');
});

test('is unknown until the first rebill of a trial, and without a payment', () => {
  expect(recurringRevenue({ frequency, ...first, trialPeriod: '14 DAYS' })).toBeUndefined();
  expect(recurringRevenue({ frequency, ...first, trialPeriod: '0' })).toBe('1.00');
  expect(recurringRevenue({ frequency })).toBeUndefined();
  const unreadable = { rebillSaleAmount: 'x', rebillSaleCount: 1 };
  expect(recurringRevenue({ frequency, ...unreadable })).toBeUndefined();
});

test('begins on the Pacific day after the trial, and ends when it is canceled or completed', () => {
  const purchaseDate = '2026-03-01T07:30:00Z';
  expect(startDay({ purchaseDate })).toBe('2026-02-28');
  expect(startDay({ purchaseDate, trialPeriod: '14 DAYS' })).toBe('2026-03-14');
  expect(startDay({ purchaseDate: null })).toBeUndefined();
  const subEndDate = '2026-06-01T12:00:00-07:00';
  expect(stopDay({ status: 'ACTIVE', subEndDate })).toBeUndefined();
  expect(stopDay({ status: 'COMPLETED', subEndDate })).toBe('2026-06-01');
  const subCancelDate = '2026-04-01T12:00:00-07:00';
  expect(stopDay({ status: 'CANCELED', subEndDate, subCancelDate })).toBe('2026-04-01');
});

/** Reads subscriptions that started on these days with a client that accepts at most two of them at once. */
async function readAll(starts: readonly string[]) {
  const { client } = await servedClient((_, url) => {
    const query = new URL(url, 'http://x').searchParams;
    const first = query.get('startDate') ?? '1998-01-01';
    const last = query.get('endDate') ?? '2099-12-31';
    const days = starts.filter((day) => first <= day && day <= last);
    const row = days.map((purchaseDate) => ({ purchaseDate }));
    return { status: 200, body: JSON.stringify({ data: { row } }) };
  });
  const pages: Client['pages'] = (operation, args, options) => {
    expect(options).toMatchObject({ largestBody: 32 * 1024 * 1024 });
    return client.pages(operation, args, { ...options, largestBody: 90 });
  };
  const { signal } = new AbortController();
  const reader = { client: { ...client, pages }, nicknames: ['SHOP'], today: '2026-03-18', signal };
  const found: unknown[] = [];
  for await (const { rows } of subscriptionSource.read(reader, { nickname: 'SHOP' })) {
    found.push(...rows.map(({ role, purchaseDate }) => `${role} ${purchaseDate}`));
  }
  return found;
}

test('reads subscriptions that are too many for one response by the days on which they started', async () => {
  const starts = [
    ...['1999-02-28', '2025-12-31', '2026-01-01', '2026-01-31', '2026-02-01', '2027-03-01'],
  ];
  const found = await readAll(starts);
  expect(found.sort()).toEqual(starts.map((day) => `VENDOR ${day}`));
  const oneDay = ['2026-01-05', '2026-01-05', '2026-01-05'];
  await expect(readAll(oneDay)).rejects.toMatchObject({ code: 'too-large' });
});
