/** Warnings before a write, based on reads from the sandbox, names in its sentence, and verifiers, which prove that a write was done. */
import { expect, test } from 'vitest';
import { catalogue } from '../../src/operations/index.ts';
import { type Arguments, isWrite, type Operation } from '../../src/operations/operation.ts';
import { orders } from '../../src/operations/orders.ts';
import { notices3 } from '../../src/operations/shipping.ts';
import { tickets } from '../../src/operations/tickets.ts';
import { planWrite } from '../../src/safe-write/confirmation.ts';
import { verifierOf } from '../../src/safe-write/rules.ts';
import { quoted } from '../../src/safe-write/sentence.ts';
import { clientOf, sandboxClient, servedClient } from '../support/client.ts';
import { serve } from '../support/server.ts';

async function warningsFor(...given: Parameters<typeof planWrite>) {
  return (await planWrite(...given)).warnings;
}

async function warn(operation: unknown, args: Readonly<Record<string, unknown>>) {
  const { client, writes } = await sandboxClient();
  const warnings = await warningsFor(client, operation as Operation, args);
  expect(writes()).toEqual([]);
  return warnings;
}

const cancel = { type: 'cncl', reason: 'ticket.type.cancel.7' } as const;

test('warns with the amount of the item when canceling one item of a cart', async () => {
  const [warning] = await warn(tickets.create, { receipt: 'CART0003', sku: 'KIT-03', ...cancel });
  const about = { kind: 'refunds-sale', receipt: 'CART0003' };
  expect(warning).toMatchObject({ ...about, amount: '12.90', currency: 'USD' });
  const [whole] = await warn(tickets.create, { receipt: 'CART0003', ...cancel });
  expect(whole).toMatchObject(about);
  expect(whole).not.toHaveProperty('amount');
});

test.each([
  ['changing the kind of a full refund to a refund', tickets.change, { id: '1001', type: 'rfnd' }],
  ['changing the kind to support', tickets.change, { id: '1003', type: 'tech' }],
  ['the current item of a subscription', orders.pause, { receipt: 'MONTHLY1', sku: 'CLUB-PLUS-M' }],
])('does not warn about %s', async (_, operation, args) => {
  expect(await warn(operation, args)).toEqual([]);
});

test('warns that a cancellation refunds a sale, also if it is too old and its amount is unknown', async () => {
  const payment = {
    ...{ receipt: 'OLD00001', transactionType: 'SALE', totalOrderAmount: '37.00', currency: 'JPY' },
    ...{ customerRefundableState: 'TOO_OLD', lineItemData: [{ itemNo: 'A', recurring: false }] },
  };
  const { client } = await servedClient((_, url) => {
    if (url.includes('refundAmounts')) return { status: 400, body: 'No.' };
    return { status: 200, body: JSON.stringify([payment]) };
  });
  const warnings = await warningsFor(client, tickets.create, { receipt: 'OLD00001', ...cancel });
  expect(warnings).toMatchObject([
    { kind: 'refunds-sale', message: expect.not.stringContaining('37'), requires: 'allow-refund' },
    { kind: 'not-refundable', message: "OLD00001 can't be refunded: it is too old" },
  ]);
});

test.each([
  ['FULL', 'not-checked'],
  ['PARTIAL_PERCENT', 'refused'],
])('takes a 403 for the amounts of a refund of type %s as %s', async (refundType, kind) => {
  const sale = { receipt: 'SALE0001', transactionType: 'SALE', lineItemData: [{ itemNo: 'A' }] };
  const { client } = await servedClient((_, url) => {
    if (url.includes('refundAmounts')) return { status: 403, body: 'No partial refunds.' };
    const body = url.includes('debug') ? 'ROLE_API_ORDER_READ' : JSON.stringify([sale]);
    return { status: 200, body };
  });
  const refund = { receipt: 'SALE0001', type: 'rfnd', refundType, refundAmount: '50' };
  expect(await warningsFor(client, tickets.create, refund)).toMatchObject([{ kind }]);
});

const noItem = { receipt: 'DIGITAL1', sku: 'B', ...cancel };
const early = 'The restart date 2026-03-20 is before the next payment on 2026-03-26';

test.each<[message: string, operation: unknown, args: object]>([
  ['CANCEL01 is already canceled', tickets.create, { receipt: 'CANCEL01', ...cancel }],
  ['DIGITAL1 has no item B, only GUIDE-01', tickets.create, noItem],
  ['PARCEL01 has no item B, only TROWEL', notices3.add, { receipt: 'PARCEL01', item: 'B' }],
  ['MONTHLY1 is not canceled', orders.reinstate, { receipt: 'MONTHLY1' }],
  ['CANCEL01 is canceled', orders.extend, { receipt: 'CANCEL01', numPeriods: 2 }],
  [early, orders.pause, { receipt: 'MONTHLY1', restartDate: '2026-03-20' }],
  ['Ticket 1002 is already closed', tickets.close, { id: '1002' }],
  ['Ticket 1003 is not closed', tickets.reopen, { id: '1003', comment: 'x' }],
  ['Ticket 1002 is already closed', tickets.returned, { id: '1002' }],
  ['Ticket 1001 is not for a physical purchase', tickets.returned, { id: '1001' }],
])('says that ClickBank refuses it: %s', async (message, operation, args) => {
  const warnings = await warn(operation, args as Arguments);
  expect(warnings).toContainEqual(expect.objectContaining({ kind: 'refused', message }));
});

test.each([
  ['extension', orders.extend, { numPeriods: 1 }],
  ['pause', orders.pause, { restartDate: '2026-04-01' }],
])('refuses no %s of a changed product by another subscription of the order', async (...given) => {
  const [, operation, args] = given;
  const lineItemData = [
    { itemNo: 'A', recurring: true, status: 'CANCELED', nextPaymentDate: '2026-05-01' },
    { itemNo: 'B', recurring: true, status: 'ACTIVE', nextPaymentDate: '2026-03-26' },
  ];
  const sale = { receipt: 'CART0009', transactionType: 'SALE', lineItemData };
  const { client } = await servedClient(() => ({ status: 200, body: JSON.stringify([sale]) }));
  const change = { receipt: 'CART0009', sku: 'C', ...args } as Arguments;
  expect(await warningsFor(client, operation as Operation, change)).toEqual([]);
});

test('says that the amount is unknown if ClickBank does not name it in dollars', async () => {
  const { client } = await servedClient((_, url) => {
    return {
      status: 200,
      body: url.includes('refundAmounts') ? '{"productAmount":"37.00"}' : '[]',
    };
  });
  const refund: Arguments = { receipt: 'SALE0001', type: 'rfnd', refundType: 'FULL' };
  const { action } = await planWrite(client, tickets.create as Operation, refund);
  expect(action).toBe('Refund an unknown amount of SALE0001');
});

test.each([
  ['TICKET01', ['refunds-sale', "TICKET01 can't be refunded: it already has an open refund"]],
  ['REFUND01', ["REFUND01 can't be refunded: it has already been refunded"]],
])('warns that a cancellation of %s refunds nothing more', async (receipt, told) => {
  const warnings = await warn(tickets.create, { receipt, ...cancel });
  const shown = warnings.map(({ kind, message }) => (kind === 'not-refundable' ? message : kind));
  expect(shown).toEqual(told);
});

test('warns with the remaining amount when canceling a partly refunded sale', async () => {
  const { sandbox, client } = await sandboxClient();
  const part = { refundType: 'PARTIAL_AMOUNT', refundAmount: '30' } as const;
  const refund = { type: 'rfnd', reason: 'ticket.type.refund.2', ...part } as const;
  await client.call(tickets.create, { receipt: 'DIGITAL1', ...refund });
  await sandbox.advance(2 * 86_400);
  const [warning] = await warningsFor(client, tickets.create, { receipt: 'DIGITAL1', ...cancel });
  expect(warning).toMatchObject({ kind: 'refunds-sale', amount: '7.00', currency: 'USD' });
});

const noSubscription = 'because it is not a subscription';
const refundsSale = `refunds the sale DIGITAL1 (37.00 USD) ${noSubscription}`;

test.each([
  ['1001', 'tech', 'cancels-refund', 'cancels the open refund of 37.00 for TICKET01'],
  ['1002', 'cncl', 'refunds-sale', `to a cancellation ${refundsSale}`],
])('warns about changing ticket %s to %s: %s', async (id, type, kind, says) => {
  const message = `Changing ticket ${id} ${says}`;
  expect(await warn(tickets.change, { id, type })).toMatchObject([{ kind, message }]);
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
  [403, 'not-checked'],
  [404, 'refused'],
])('describes every write in a sentence, also if each read ends with %i', async (status, kind) => {
  const server = await serve((reply) => reply.writeHead(status).end('No'));
  const client = clientOf(server.url);
  const writes = catalogue.filter(isWrite);
  expect(writes.length).toBeGreaterThan(15);
  for (const operation of writes) {
    const args = { receipt: 'MONTHLY1', id: '1001', sku: 'CLUB-M', type: 'rfnd' };
    const { action, warnings } = await planWrite(client, operation, args);
    expect(action).not.toMatch(/^Send |undefined \(/);
    // What a warning says, the sentence does not repeat.
    const told = warnings.filter((one) => one.kind === kind);
    expect([operation.command, told.length]).toEqual([operation.command, 1]);
  }
});

test('warns that reopening the cancellation of a one-time sale refunds it', async () => {
  const { client } = await sandboxClient();
  const { ticketid } = await client.call(tickets.create, { receipt: 'DIGITAL1', ...cancel });
  const id = String(ticketid);
  await client.call(tickets.close, { id, action: 'close' });
  const message = `Reopening ticket ${id} ${refundsSale}`;
  const expected = { kind: 'refunds-sale', message, requires: 'allow-refund' };
  expect(await warningsFor(client, tickets.reopen, { id })).toMatchObject([expected]);
});

/** A new ticket in a sandbox. */
async function opened(args: Arguments<typeof tickets.create.params>) {
  const { client } = await sandboxClient();
  const { ticketid } = await client.call(tickets.create, args);
  return { client, id: String(ticketid) };
}

const support = { type: 'tech', reason: 'ticket.type.tech_support.2' } as const;
const [ended, irreversible] = ['Future billing ends.', "This can't be undone."];

test.each([
  ['DIGITAL1', [], [irreversible]],
  ['CHARGE01', ["CHARGE01 can't be refunded: it has been charged back"], [irreversible]],
  ['CANCEL01', ["CANCEL01 can't be refunded: it is too old"], [irreversible]],
  ['LIMITED1', ["LIMITED1 can't be refunded: it is too old"], [ended, irreversible]],
])('says what changing a ticket on %s to a refund does', async (receipt, obstacles, details) => {
  const { client, id } = await opened({ receipt, ...support });
  const plan = await planWrite(client, tickets.change, { id, type: 'rfnd' });
  const [full, ...others] = plan.warnings;
  expect(full).toMatchObject({ kind: 'full-refund', receipt });
  expect(others.map(({ message }) => message)).toEqual(obstacles);
  expect(plan.details).toEqual(details);
});

test.each([
  ['closing', 'PARCEL01', ['cancels-refund'], tickets.close, {}],
  ['changing to support', 'PARCEL01', ['cancels-refund'], tickets.change, { type: 'tech' }],
  ['keeping', 'PARCEL01', [], tickets.change, { type: 'cncl' }],
  ['closing', 'MONTHLY1', [], tickets.close, {}],
  ['changing to support', 'MONTHLY1', [], tickets.change, { type: 'tech' }],
])('warns if %s a cancellation of %s cancels its refund: %j', async (...given) => {
  const [, receipt, kinds, operation, args] = given;
  const { client, id } = await opened({ receipt, ...cancel });
  const warnings = await warningsFor(client, operation, { id, ...args });
  expect(warnings.map(({ kind }) => kind)).toEqual(kinds);
});

test.each([
  ['PARCEL01', cancel, true],
  ['SHIPBOX1', cancel, false],
  ['PARCEL01', support, false],
])('says if acknowledging the return of %s completes a refund: %j', async (...given) => {
  const [receipt, kind, isCompleted] = given;
  const { client, id } = await opened({ receipt, ...kind });
  const { action } = await planWrite(client, tickets.returned, { id });
  expect(action.endsWith(' and complete its refund')).toBe(isCompleted);
});

test('has a verifier for every write except two', () => {
  const writes = catalogue.filter(isWrite);
  const without = writes.filter((operation) => !verifierOf(operation));
  const commands = without.map(({ command }) => command);
  expect(commands.sort()).toEqual(['orders change-address', 'products save']);
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

const list = (...rows: object[]) => JSON.stringify({ ticketData: rows });
const refund = (ticketid: string, receipt = 'A1', type = 'REFUND') => {
  return { ticketid, receipt, type, status: 'OPEN' };
};

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
const creation = { type: 'rfnd', refundType: 'FULL', sku: 'KIT-01' } as const;
const create = [tickets.create, creation, list(refund('7'))] as const;

test.each([
  ['a close of a ticket that was open', ...close, open, closed],
  ['no close of a ticket that was closed before', ...close, closed, closed],
  ['no comment of which an older equal is there', ...comment, said('Hi'), said('Hi', 'Other')],
  ['a comment where an equal one was there before', ...comment, said('Hi'), said('Hi', 'Hi')],
  ['no change to the type that the ticket had', ...toRefund, open, said('Hi')],
  ['a new ticket of the type', ...create, list(refund('8'))],
  ['no ticket that was there before', ...create, list(refund('7'))],
  ['no new ticket of another type', ...create, list(refund('7'), refund('8', 'A1', 'CANCEL'))],
  ['no ticket of a customer', ...create, list({ ...refund('8'), source: 'CUSTOMER_WAM' })],
  ['no new refund of another item', ...create, list({ ...refund('8'), productItemNo: 'KIT-02' })],
  ['a new refund of the item', ...create, list({ ...refund('8'), productItemNo: 'KIT-01' })],
  ['a new ticket that came over the API', ...create, list({ ...refund('8'), source: 'API' })],
  ['no partial refund', ...create, list({ ...refund('8'), refundType: 'PARTIAL_AMOUNT' })],
  ['no new ticket of a rebill', ...create, list(refund('7'), refund('8', 'A1-B002'))],
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
  const found = await isFound(operation, { id: '7', receipt: 'A1', ...args }, before, after);
  expect(found).toBe(!title.startsWith('no '));
});

test.each([
  ['Ada\n  Sample', '"Ada Sample"'],
  ['“Refund”, "now"', `"'Refund', 'now'"`],
  ['a'.repeat(60), `"${'a'.repeat(60)}"`],
  ['😀'.repeat(61), `"${'😀'.repeat(59)}…"`],
])('quotes %j', (name, expected) => {
  expect(quoted(name)).toBe(expected);
});
