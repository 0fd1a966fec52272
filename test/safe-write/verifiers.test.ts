/** Verifiers prove that a write was done. */
import { expect, test } from 'vitest';
import { catalogue } from '../../src/operations/index.ts';
import type { Arguments, Operation } from '../../src/operations/operation.ts';
import { orders } from '../../src/operations/orders.ts';
import { tickets } from '../../src/operations/tickets.ts';
import { verifierOf } from '../../src/safe-write/rules.ts';
import { servedClient } from '../features/clients.ts';

test('has a verifier for every write except two', () => {
  const writes = catalogue.filter(({ method }) => method !== 'GET' && method !== 'HEAD');
  const without = writes.filter((operation) => !verifierOf(operation));
  expect(without.map(({ command }) => command).sort()).toEqual([
    'orders change-address',
    'products save',
  ]);
});

/** Whether a write is found in `after` with the snapshot of `before`. */
async function isFound(operation: unknown, args: Arguments, before: string, after: string) {
  const bodies = [before, after];
  const { client } = await servedClient(() => ({ status: 200, body: bodies.shift() ?? '' }));
  const verifier = verifierOf(operation as Operation);
  const first = await verifier?.look(client, args);
  const second = await verifier?.look(client, args);
  return second?.find(args, first?.snapshot ?? null) !== undefined;
}

const ticket = (status: string, ...comments: object[]) =>
  JSON.stringify({ ticketid: '7', receipt: 'A1', status, type: 'REFUND', comments });
const open = ticket('OPEN');
const closed = ticket('CLOSED', { action: 'CLOSED' });
const said = (...comments: string[]) =>
  ticket('OPEN', ...comments.map((comment) => ({ action: 'COMMENTED', comment })));
const close = [tickets.close, {}] as const;
const comment = [tickets.comment, { comment: 'Hi' }] as const;
const toRefund = [tickets.change, { type: 'rfnd' }] as const;

test.each([
  ['a close of a ticket that was open', ...close, open, closed],
  ['no close of a ticket that was closed before', ...close, closed, closed],
  ['no comment of which an older equal is there', ...comment, said('Hi'), said('Hi', 'Other')],
  ['a comment where an equal one was there before', ...comment, said('Hi'), said('Hi', 'Hi')],
  ['no change to the type that the ticket had', ...toRefund, open, said('Hi')],
] as const)('finds %s', async (title, operation, args, before, after) => {
  const found = await isFound(operation, { id: '7', ...args }, before, after);
  expect(found).toBe(!title.startsWith('no '));
});

const list = (...rows: object[]) => JSON.stringify({ ticketData: rows });
const refund = (ticketid: string, receipt = 'A1', type = 'REFUND') => {
  return { ticketid, receipt, type, status: 'OPEN' };
};

test.each([
  ['a new ticket of the type', list(refund('8'))],
  ['no ticket that was there before', list(refund('7'))],
  ['no new ticket of another type', list(refund('7'), refund('8', 'A1', 'CANCEL'))],
  ['no new ticket that a customer opened', list({ ...refund('8'), source: 'CUSTOMER_WAM' })],
  ['no new refund of another item', list({ ...refund('8'), productItemNo: 'KIT-02' })],
  ['a new refund of the item', list({ ...refund('8'), productItemNo: 'KIT-01' })],
  ['a new ticket that came over the API', list({ ...refund('8'), source: 'API' })],
  ['no new refund of another kind', list({ ...refund('8'), refundType: 'PARTIAL_AMOUNT' })],
  ['no new ticket of a rebill', list(refund('7'), refund('8', 'A1-B002'))],
])('finds %s', async (title, after) => {
  const args = { receipt: 'A1', type: 'rfnd', refundType: 'FULL', sku: 'KIT-01' };
  const found = await isFound(tickets.create, args, list(refund('7')), after);
  expect(found).toBe(!title.startsWith('no '));
});

const order = (line: object) =>
  JSON.stringify({ orderData: { receipt: 'A1', lineItemData: { itemNo: 'CLUB', ...line } } });
const rows = (...each: readonly (readonly [string, string])[]) =>
  JSON.stringify({
    orderData: each.map(([transactionType, rebillAmount]) => ({
      ...{ receipt: 'A1', transactionType },
      lineItemData: { itemNo: 'CLUB', rebillAmount },
    })),
  });
const due = (day: string, processedPayments?: string) =>
  order({ nextPaymentDate: `${day}T00:00:00-07:00`, processedPayments });

const pause = [orders.pause, { restartDate: '2026-05-01' }] as const;
const change = [orders.changeProduct, { oldSku: 'CLUB', newSku: 'PLUS' }] as const;
const extend = [orders.extend, { numPeriods: 2 }] as const;
const reinstate = [orders.reinstate, {}] as const;
const future = (futurePayments: string) => order({ futurePayments });
const price = (rebillAmount: string, processedPayments?: string) =>
  order({ rebillAmount, processedPayments });
const active = order({ status: 'ACTIVE' });
const [april, may] = ['2026-04-01', '2026-05-01'];
const sold = rows(['SALE', '29.00']);
const refunded = rows(['RFND', '-29.00'], ['SALE', '29.00']);

test.each([
  ['a pause', ...pause, due(april), due(may)],
  ['no pause until the day that was due', ...pause, due(may), due(may)],
  ['no pause where a payment moved the date to that day', ...pause, due(april, '3'), due(may, '4')],
  ['no change where a payment ended the trial', ...change, price('1.00', '1'), price('29.00', '2')],
  ['no change in a refund of the same receipt', ...change, sold, refunded],
  ['no extension of an endless subscription', ...extend, future('999'), future('999')],
  ['an extension by two', ...extend, future('3'), future('5')],
  ['a change of product by the rebill amount', ...change, price('29.00'), price('49.00')],
  ['no change of product by the due date', ...change, due(april), due(may)],
  ['no reinstatement of an active subscription', ...reinstate, active, active],
] as const)('finds %s', async (title, operation, args, before, after) => {
  const found = await isFound(operation, { receipt: 'A1', ...args }, before, after);
  expect(found).toBe(!title.startsWith('no '));
});
