/** Warnings about writes, based on reads from the sandbox before anything is sent. */
import { expect, test } from 'vitest';
import { catalogue } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { orders } from '../../src/operations/orders.ts';
import { tickets } from '../../src/operations/tickets.ts';
import { planWrite, warningsFor } from '../../src/safe-write/confirmation.ts';
import { sandboxClient, servedClient } from '../features/clients.ts';
import { clientOf } from '../support/client.ts';
import { serve } from '../support/server.ts';

async function warn(operation: unknown, args: Readonly<Record<string, unknown>>) {
  const { client, writes } = await sandboxClient();
  const warnings = await warningsFor(client, operation as Operation, args);
  expect(writes()).toEqual([]);
  return warnings;
}

const cancel = { type: 'cncl', reason: 'ticket.type.cancel.7' } as const;

test('warns with the amount of the item when canceling one item of a cart', async () => {
  const [warning] = await warn(tickets.create, { receipt: 'CART0003', sku: 'KIT-03', ...cancel });
  expect(warning).toMatchObject({ kind: 'refunds-sale', receipt: 'CART0003' });
  const [whole] = await warn(tickets.create, { receipt: 'CART0003', ...cancel });
  expect(Number(warning?.amount)).toBeLessThan(Number(whole?.amount));
});

test.each([
  ['a cancellation of a subscription', tickets.create, { receipt: 'MONTHLY1', ...cancel }],
  ['a refund, which says so itself', tickets.create, { receipt: 'DIGITAL1', type: 'rfnd' }],
  ['closing a support ticket', tickets.close, { id: '1003' }],
  ['changing the kind of a full refund to a refund', tickets.change, { id: '1001', type: 'rfnd' }],
  ['changing the kind to support', tickets.change, { id: '1003', type: 'tech' }],
  ['reopening a support ticket', tickets.reopen, { id: '1002' }],
  ['a comment', tickets.comment, { id: '1001' }],
  ['a pause', orders.pause, { receipt: 'MONTHLY1' }],
  [
    'a product change without a prorated refund',
    orders.changeProduct,
    { receipt: 'MONTHLY1', applyProratedRefund: false },
  ],
])('does not warn about %s', async (_, operation, args) => {
  expect(await warn(operation, args)).toEqual([]);
});

test('warns that a cancellation refunds a sale, also if its payment is too old', async () => {
  const payment = {
    ...{ receipt: 'OLD00001', transactionType: 'SALE', totalOrderAmount: '37.00', currency: 'USD' },
    ...{ customerRefundableState: 'TOO_OLD', lineItemData: [{ itemNo: 'A', recurring: false }] },
  };
  const { client } = await servedClient((_, url) => {
    if (url.includes('refundAmounts')) return { status: 400, body: 'No.' };
    return { status: 200, body: JSON.stringify([payment]) };
  });
  const warnings = await warningsFor(client, tickets.create, { receipt: 'OLD00001', ...cancel });
  expect(warnings).toMatchObject([
    { kind: 'refunds-sale', amount: '37.00', currency: 'USD', requires: 'allow-refund' },
    { kind: 'not-refundable', message: "OLD00001 can't be refunded: it is too old" },
  ]);
});

test('warns without an amount when canceling a refunded sale', async () => {
  expect(await warn(tickets.create, { receipt: 'REFUND01', ...cancel })).toEqual([
    {
      kind: 'not-refundable',
      message: "REFUND01 can't be refunded: it has already been refunded",
      receipt: 'REFUND01',
    },
  ]);
});

test('warns with the remaining amount when canceling a partly refunded sale', async () => {
  const { sandbox, client } = await sandboxClient();
  const part = { refundType: 'PARTIAL_AMOUNT', refundAmount: '30' } as const;
  const refund = { type: 'rfnd', reason: 'ticket.type.refund.2', ...part } as const;
  await client.call(tickets.create, { receipt: 'DIGITAL1', ...refund });
  sandbox.advance(2 * 86_400);
  const [warning] = await warningsFor(client, tickets.create, { receipt: 'DIGITAL1', ...cancel });
  expect(warning).toMatchObject({ kind: 'refunds-sale', amount: '7.00', currency: 'USD' });
});

test.each([
  [
    'changing a refund to support',
    tickets.change,
    { id: '1001', type: 'tech' },
    'cancels-refund',
    'Changing ticket 1001 cancels the open refund of 37.00 for TICKET01',
  ],
  [
    'changing a ticket on a one-time sale to a cancellation',
    tickets.change,
    { id: '1002', type: 'cncl' },
    'refunds-sale',
    'Changing ticket 1002 to a cancellation refunds the sale DIGITAL1 (37.00 USD) because it is not a subscription',
  ],
])('warns about %s', async (_, operation, args, kind, message) => {
  expect(await warn(operation, args)).toMatchObject([{ kind, message }]);
});

test.each([
  [tickets.create, { receipt: 'DIGITAL1', ...cancel }, 'allow-refund'],
  [tickets.change, { id: '1001', type: 'cncl' }, 'allow-refund'],
  [tickets.reopen, { id: '1001' }, 'allow-refund'],
  [tickets.close, { id: '1001' }, undefined],
])('warns about what was not checked if the key may not read', async (...given) => {
  const [operation, args, requires] = given;
  const server = await serve((reply) => reply.writeHead(403).end('no permission'));
  const [warning] = await warningsFor(clientOf(server.url), operation, args);
  expect(warning).toMatchObject({ kind: 'not-checked' });
  expect(warning?.message).toMatch(/^Not checked: whether .*\(this key may not read it\)$/);
  expect(warning?.requires).toBe(requires);
});

test('describes every write in a sentence, also if nothing can be read', async () => {
  const server = await serve((reply) => reply.writeHead(403).end('no permission'));
  const client = clientOf(server.url);
  const writes = catalogue.filter(({ method }) => method !== 'GET' && method !== 'HEAD');
  expect(writes.length).toBeGreaterThan(15);
  for (const operation of writes) {
    const args = { receipt: 'MONTHLY1', id: '1001', sku: 'CLUB-M', type: 'rfnd' };
    const { action, warnings } = await planWrite(client, operation, args);
    expect(action).not.toMatch(/^Send |undefined \(/);
    expect(warnings).not.toEqual([]);
  }
});

test('warns that reopening the cancellation of a one-time sale refunds it', async () => {
  const { client } = await sandboxClient();
  const { ticketid } = await client.call(tickets.create, { receipt: 'DIGITAL1', ...cancel });
  const id = String(ticketid);
  await client.call(tickets.close, { id, action: 'close' });
  expect(await warningsFor(client, tickets.reopen, { id })).toMatchObject([
    {
      kind: 'refunds-sale',
      message: `Reopening ticket ${id} refunds the sale DIGITAL1 (37.00 USD) because it is not a subscription`,
      requires: 'allow-refund',
    },
  ]);
});
