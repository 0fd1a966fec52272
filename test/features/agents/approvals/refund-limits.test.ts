/** Limits of refunds: exact sums by currency, and nothing that is not known. */
import { expect, test } from 'vitest';
import { countRefunds } from '../../../../src/features/agents/approvals/refund-limits.ts';

const dollars = (amount: string) => ({ amount, currency: 'USD' });

test('adds amounts exactly, up to the limit', () => {
  const counter = countRefunds({ totals: { USD: '1' } });
  for (let times = 0; times < 10; times++) counter.reserve(dollars('0.1'));
  expect(() => counter.reserve(dollars('0.01'))).toThrow('at most 1 USD in total');
  expect(counter.count).toBe(10);
});

test('counts each currency by itself', () => {
  const counter = countRefunds({ totals: { USD: '10.00', EUR: '5' } });
  counter.reserve(dollars('10'));
  counter.reserve({ amount: '5.00', currency: 'EUR' });
  expect(() => counter.reserve({ amount: '0.01', currency: 'EUR' })).toThrow('at most 5 EUR');
  expect(() => counter.reserve({ amount: '1', currency: 'GBP' })).toThrow('nothing in GBP');
});

test.each([{}, { amount: '5' }, { currency: 'USD' }, { amount: '1e3', currency: 'USD' }])(
  'refuses the refund %j under a total, because it can not be added',
  (refund) => {
    expect(() => countRefunds({ totals: { USD: '10000' } }).reserve(refund)).toThrow();
  },
);

test.each(['constructor', '__proto__', 'toString'])(
  'has no limit for the currency %s',
  (currency) => {
    const counter = countRefunds({ totals: { USD: '10' } });
    expect(() => counter.reserve({ amount: '1', currency })).toThrow('refund nothing in');
  },
);

test('counts refunds of unknown amounts without a total', () => {
  const counter = countRefunds({ refunds: 2, totals: {} });
  counter.reserve({});
  counter.reserve({});
  expect(() => counter.reserve({})).toThrow('at most 2 refunds');
});

test('takes back one refund, once', () => {
  const counter = countRefunds({ refunds: 2, totals: {} });
  const release = counter.reserve(dollars('5'));
  counter.reserve(dollars('5'));
  release();
  release();
  expect(counter.count).toBe(1);
});

test('allows no refund with a limit of 0', () => {
  expect(() => countRefunds({ refunds: 0, totals: {} }).reserve(dollars('1'))).toThrow(
    'at most 0 refunds',
  );
});
