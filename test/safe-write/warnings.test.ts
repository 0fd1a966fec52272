/** Warnings about writes, based on reads from the sandbox before anything is sent. */
import { expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { catalogue } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { orders } from '../../src/operations/orders.ts';
import { tickets } from '../../src/operations/tickets.ts';
import { planWrite, warningsFor } from '../../src/safe-write/confirmation.ts';
import { sandboxClient } from '../features/clients.ts';
import { clientOf } from '../support/client.ts';
import { serve } from '../support/server.ts';

/** The newest receipt of a one-time sale in a state. */
async function receiptInState(client: Client, state: string): Promise<string> {
  const days = {
    startDate: '2025-03-19',
    endDate: '2026-03-18',
    role: 'VENDOR',
    type: 'SALE',
  } as const;
  for await (const { receipt, customerRefundableState, lineItemData: items } of client.list(
    orders.list,
    days,
  )) {
    const isOneTime = items?.length === 1 && !items[0]?.recurring;
    if (receipt && isOneTime && customerRefundableState === state) return receipt;
  }
  throw new Error(`no payment is ${state}`);
}

async function warn(operation: unknown, args: Readonly<Record<string, unknown>>) {
  const { client, writes } = await sandboxClient();
  const warnings = await warningsFor(client, operation as Operation, args);
  expect(writes()).toEqual([]);
  return warnings;
}

const cancel = { type: 'cncl', reason: 'ticket.type.cancel.7' } as const;

test('warns that canceling a one-time sale refunds it, with the amount', async () => {
  expect(await warn(tickets.create, { receipt: 'DIGITAL1', ...cancel })).toEqual([
    {
      kind: 'refunds-sale',
      message: 'Canceling DIGITAL1 refunds the sale (37.00 USD) because it is not a subscription',
      receipt: 'DIGITAL1',
      amount: '37.00',
      currency: 'USD',
      requires: 'allow-refund',
    },
  ]);
});

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

test('warns about a refund of a payment that is too old', async () => {
  const { client } = await sandboxClient(200);
  const old = { receipt: await receiptInState(client, 'TOO_OLD') };
  const refund = { ...old, type: 'rfnd', refundType: 'FULL', reason: 'ticket.type.refund.2' };
  expect(await warningsFor(client, tickets.create, refund)).toEqual([
    {
      kind: 'not-refundable',
      message: `${old.receipt} can't be refunded: it is too old`,
      receipt: old.receipt,
    },
  ]);
  const canceled = await warningsFor(client, tickets.create, { ...old, ...cancel });
  expect(canceled.map(({ kind }) => kind)).toEqual(['refunds-sale', 'not-refundable']);
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
    'closing an open refund',
    tickets.close,
    { id: '1001' },
    'cancels-refund',
    'Closing ticket 1001 cancels the open refund of 37.00 for TICKET01',
  ],
  [
    'changing a refund to support',
    tickets.change,
    { id: '1001', type: 'tech' },
    'cancels-refund',
    'Changing ticket 1001 cancels the open refund of 37.00 for TICKET01',
  ],
  [
    'changing a ticket to a refund',
    tickets.change,
    { id: '1003', type: 'rfnd' },
    'full-refund',
    'Changing ticket 1003 to a refund requests a full refund of MONTHLY1 (29.00 USD)',
  ],
  [
    'changing a ticket on a one-time sale to a cancellation',
    tickets.change,
    { id: '1002', type: 'cncl' },
    'refunds-sale',
    'Changing ticket 1002 to a cancellation refunds the sale DIGITAL1 (37.00 USD) because it is not a subscription',
  ],
  [
    'a product change',
    orders.changeProduct,
    { receipt: 'MONTHLY1' },
    'prorated-refund',
    'Changing the product of MONTHLY1 refunds the unused part of the current period',
  ],
])('warns about %s', async (_, operation, args, kind, message) => {
  expect(await warn(operation, args)).toMatchObject([{ kind, message }]);
});

test('warns that reopening a refund requests it again', async () => {
  const { client } = await sandboxClient();
  await client.call(tickets.close, { id: '1001', action: 'close' });
  const [warning] = await warningsFor(client, tickets.reopen, { id: '1001' });
  expect(warning).toMatchObject({ kind: 'reopens-refund', requires: 'allow-refund' });
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

test.each([
  [tickets.create, { receipt: 'NOPE1234', ...cancel }],
  [tickets.close, { id: '4711' }],
  [tickets.change, { id: '4711', type: 'cncl' }],
])('warns with the refusal of the service about a missing resource', async (operation, args) => {
  expect(await warn(operation, args)).toMatchObject([
    { kind: 'refused', message: expect.stringContaining('403') },
  ]);
});

test('throws if a read fails for another reason', async () => {
  const server = await serve((reply) => reply.writeHead(500).end('out of order'));
  const client = clientOf(server.url, { maxWait: 0 });
  const asked = warningsFor(client, tickets.close, { id: '1001' });
  await expect(asked).rejects.toMatchObject({ kind: 'failed', status: 500 });
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
