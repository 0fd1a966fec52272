/** Limits of refunds: exact sums by currency, and nothing that is not known. */
import { expect, test } from 'vitest';
import { requireWithin } from '../../../../src/features/agents/write-call.ts';

const dollars = (amount: string) => ({ amount, currency: 'USD' });
const totals = { USD: '1', EUR: '5' };

test.each([
  ['at most 1 USD in total', Array(10).fill(dollars('0.1')), dollars('0.01')],
  [
    'at most 5 EUR',
    [dollars('1'), { amount: '5.00', currency: 'EUR' }],
    { amount: '0.01', currency: 'EUR' },
  ],
  ['nothing in GBP', [], { amount: '1', currency: 'GBP' }],
  ['nothing in constructor', [], { amount: '1', currency: 'constructor' }],
  ['nothing in __proto__', [], { amount: '1', currency: '__proto__' }],
  ['is not known', [], {}],
  ['is not known', [], { amount: '1' }],
  ['is not known', [], { currency: 'USD' }],
  ['more would exceed', [], dollars('1e3')],
  ['more would exceed', [dollars('1e-3')], dollars('0.1')],
  ['at most 11 refunds', Array(11).fill({}), dollars('0.01')],
])('%s', (says, planned, refund) => {
  expect(() => requireWithin({ refunds: 11, refundTotals: totals }, planned, refund)).toThrow(says);
});

test('allows refunds up to exactly each limit, and any amount without a total', () => {
  const limits = { refunds: 10, refundTotals: totals };
  requireWithin(limits, Array(9).fill(dollars('0.1')), dollars('0.1'));
  requireWithin(limits, [dollars('1')], { amount: '5.00', currency: 'EUR' });
  requireWithin({ refunds: 2, refundTotals: {} }, [{}], {});
  expect(() => requireWithin({ refunds: 0, refundTotals: {} }, [], {})).toThrow('at most 0');
});
