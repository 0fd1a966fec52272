/** The payments of a sale, and what keeps them from being refunded. */
import { expect, test } from 'vitest';
import { natureOf, paymentsOf, readSale } from '../../../../src/features/tickets/refund/refund.ts';
import { obstacleTo } from '../../../../src/safe-write/refundable.ts';
import { servedClient } from '../../../support/client.ts';

const sale = { receipt: 'A1', transactionType: 'SALE', transactionTime: '2026-01-01T10:00:00Z' };
const rebill = {
  receipt: 'A1-B1',
  transactionType: 'BILL',
  transactionTime: '2026-02-01T10:00:00Z',
};
const refund = { receipt: 'A1', transactionType: 'RFND', transactionTime: '2026-02-02T10:00:00Z' };

test.each([
  ['UNREFUNDABLE', 'not allowed by ClickBank'],
  ['ALREADY_REFUNDED', 'already refunded'],
  ['TOO_OLD', 'too old'],
  ['REFUNDABLE', undefined],
  ['SUGGESTED_REFUND_BLOCK', undefined],
  [undefined, undefined],
])('reports for a payment in the state %s the obstacle %s', (customerRefundableState, short) => {
  const payment = { ...sale, ...(customerRefundableState && { customerRefundableState }) };
  expect(obstacleTo({ transactions: [payment] }, payment)?.short).toBe(short);
});

test.each([
  ['ACTIVE', 'subscription, ACTIVE, next payment 2026-03-20'],
  ['CANCELED', 'subscription, CANCELED'],
])('says of a subscription that is %s when it is billed next, or not', (status, nature) => {
  const item = { recurring: true, status, nextPaymentDate: '2026-03-20T07:00:00Z' };
  expect(natureOf(item)).toBe(nature);
});

test('reports a chargeback, an open refund, and blocked items as obstacles', () => {
  const chargeback = { receipt: 'A1', transactionType: 'CGBK' };
  const ticket = { receipt: 'A1', type: 'REFUND', status: 'OPEN' };
  const item = { itemNo: 'GUIDE', refundsBlocked: true };
  expect(obstacleTo({ transactions: [chargeback] }, sale)?.short).toBe('charged back');
  const tickets = [ticket];
  expect(obstacleTo({ transactions: [], tickets }, sale)?.short).toBe('refund already open');
  expect(obstacleTo({ transactions: [], tickets }, rebill)).toBeUndefined();
  expect(obstacleTo({ transactions: [] }, sale, [item])?.short).toBe('refunds blocked');
  expect(obstacleTo({ transactions: [] }, sale, [item, { itemNo: 'OTHER' }])).toBeUndefined();
});

test('lists the payments of a receipt newest first, without refunds and affiliate shares', async () => {
  const share = { ...sale, receipt: 'A9', role: 'AFFILIATE' };
  const { client } = await servedClient((_, url) => {
    const body = url.includes('/tickets/') ? 'null' : JSON.stringify([sale, refund, rebill, share]);
    return { status: 200, body };
  });
  const found = await readSale(client, 'A1');
  expect(paymentsOf(found).map(({ receipt }) => receipt)).toEqual(['A1-B1', 'A1']);
});

test('throws not-found for a receipt without a payment to the vendor', async () => {
  const { client } = await servedClient(() => ({ status: 200, body: 'null' }));
  await expect(readSale(client, 'A1')).rejects.toMatchObject({ kind: 'not-found' });
});
