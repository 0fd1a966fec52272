/** Which transactions count, and how often. */
import { expect, test } from 'vitest';
import { planOf } from '../../../src/features/earnings/comparison.ts';
import { Summary, type SummaryQuery } from '../../../src/features/earnings/summary.ts';
import type { Transaction } from '../../../src/features/earnings/transaction.ts';

const days = { first: '2026-03-01', last: '2026-03-10' };
const plan = planOf(days, Date.parse('2026-03-18T12:00:00Z') / 1000);

function transaction(facts: Partial<Transaction>, accountAmount = '10.00'): Transaction {
  const usual = { transactionType: 'SALE', transactionTime: '2026-03-05T12:00:00-08:00' };
  const items = [{ itemNo: 'BOOK', accountAmount }] as unknown as NonNullable<
    Transaction['lineItemData']
  >;
  return { ...usual, role: 'VENDOR', vendor: 'GREENLEAF', lineItemData: items, ...facts };
}

function summaryOf(rows: readonly Transaction[], query: Partial<SummaryQuery> = {}): Summary {
  const summary = new Summary({ plan, by: ['account', 'product', 'affiliate'], ...query });
  for (const row of rows) summary.add(row);
  return summary;
}

test('counts a sale without a role', () => {
  const summary = summaryOf([transaction({ role: null })], { accounts: ['GREENLEAF', 'TOPAFF1'] });
  expect(summary.figures('period')).toMatchObject({ sales: 1, earned: '10.00' });
});

test('tells transactions without a time, and rows outside the period, from others', () => {
  const summary = summaryOf([
    transaction({ transactionTime: null }),
    transaction({ transactionTime: '2026-03-11T00:00:00-07:00' }),
    transaction({ transactionTime: '2026-02-14T12:00:00-08:00' }),
  ]);
  expect(summary.notCounted).toMatchObject({ undated: 1 });
  expect(summary.figures('period').sales).toBe(0);
  expect(summary.figures('before').sales).toBe(0);
});

test('splits an order among its products, and counts it once in total', () => {
  const items = [
    { itemNo: 'BOOK', accountAmount: '7.00' },
    { itemNo: 'CLUB', accountAmount: '2.00' },
    { itemNo: 'BOOK', accountAmount: '1.00' },
    { itemNo: 'GIFT', accountAmount: null },
  ] as unknown as NonNullable<Transaction['lineItemData']>;
  const summary = summaryOf([transaction({ lineItemData: items })]);
  expect(summary.figures('period')).toMatchObject({ sales: 1, earned: '10.00' });
  const products = summary.groups('product').map(({ name, figures: { period } }) => {
    return [name, period.earned, period.sales];
  });
  expect(products).toEqual([
    ['BOOK', '8.00', 1],
    ['CLUB', '2.00', 1],
    ['GIFT', '0.00', 1],
  ]);
});

test('keeps equal SKUs of different vendors apart', () => {
  const summary = summaryOf([transaction({}), transaction({ vendor: 'COOKWELL' })]);
  expect(summary.groups('product').map(({ vendor }) => vendor)).toEqual(['COOKWELL', 'GREENLEAF']);
});
