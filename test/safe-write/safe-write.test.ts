/** A write is sent once, and its outcome is never reported without proof. */
import { expect, test } from 'vitest';
import type { Arguments, Operation } from '../../src/operations/operation.ts';
import { orders } from '../../src/operations/orders.ts';
import { products } from '../../src/operations/products.ts';
import { notices3 } from '../../src/operations/shipping.ts';
import { tickets } from '../../src/operations/tickets.ts';
import { endOf } from '../../src/safe-write/recording.ts';
import { sendOnce, writeOnce } from '../../src/safe-write/safe-write.ts';
import { servedClient } from '../support/client.ts';

const notice = { receipt: 'A1', carrier: 'USPS', date: '2026-03-18', tracking: 'T1' };
const written = '{"receipt":"A1","carrier":"USPS","trackingId":"T1"}';
const product = { sku: 'NEW-1', site: 'greenleaf' } as Arguments<typeof products.save.params>;
const isWrite = (method: string) => method === 'POST';

async function outcomeOf(status: number, body = '') {
  const { client, clock, asked } = await servedClient((method) =>
    isWrite(method) ? { status, body } : { status: 200, body: 'null' },
  );
  const outcome = await sendOnce(client, notices3.add, notice, 0, { wait: 10_000, clock });
  expect(asked.filter(({ method }) => isWrite(method))).toHaveLength(1);
  return { outcome, looks: asked.slice(1).map(({ at }) => at) };
}

const page = '<html><head><title>403 Forbidden</title></head></html>';
const gateway = [400, 401, 403, 404, 407, 413, 429].map((status) => [status, page] as const);
const unclear = [300, 302, 303, 304, 408, 500, 502, 503, 504, 599].map(
  (status) => [status, ''] as const,
);

test.each([400, 401, 403, 404, 409])('treats %i as not done after one look', async (status) => {
  const { outcome, looks } = await outcomeOf(status, 'No');
  expect([outcome.state, looks]).toEqual(['not-done', [0]]);
});

test.each([...gateway, [499, 'Client Closed Request'] as const, ...unclear])(
  'searches for a write after a %i, and reports an unknown outcome',
  async (status, body) => {
    const { outcome, looks } = await outcomeOf(status, body);
    expect([outcome.state, looks]).toEqual(['unknown', [0, 500, 1500, 3500, 6500, 10_000]]);
  },
);

test('does not look for a write that was certainly not sent', async () => {
  const { client, clock, asked } = await servedClient(() => ({ status: 200, body: 'null' }));
  const long = { ...notice, comments: 'x'.repeat(3000) };
  const sent = await sendOnce(client, notices3.add, long, 0, { wait: 10_000, clock });
  expect(sent).toMatchObject({ state: 'not-done', cause: { kind: 'request' } });
  expect(asked).toEqual([]);
});

test('finds a write that was refused when a gateway delivered it again', async () => {
  for (const status of [400, 403, 404]) {
    const { client, clock } = await servedClient((method) =>
      isWrite(method) ? { status, body: 'No' } : { status: 200, body: written },
    );
    const sent = await sendOnce(client, notices3.add, notice, 0, { wait: 10_000, clock });
    expect(sent).toMatchObject({ state: 'done', result: { how: 'verified' } });
  }
});

test('does not know the outcome of a write after 429 if it can not look for it', async () => {
  const { client, clock } = await servedClient((method) => ({
    status: isWrite(method) ? 429 : 503,
  }));
  for (const before of [undefined, null, 0]) {
    const sent = await sendOnce(client, notices3.add, notice, before, { wait: 1000, clock });
    expect(sent.state).toBe('unknown');
  }
  const saved = await sendOnce(client, products.save, product, undefined, { wait: 1000, clock });
  expect(saved.state).toBe('unknown');
});

const refundOfA1 = { receipt: 'A1', type: 'rfnd', refundType: 'FULL' } as const;
const refundTicket = { ticketid: '7', receipt: 'A1', type: 'REFUND', status: 'OPEN' };

async function refusedAsOpen(
  before: string[],
  isShownAt: number,
  { wanted = {}, there = {} } = {},
) {
  const list = JSON.stringify({ ticketData: { ...refundTicket, ...there } });
  const { client, clock, asked } = await servedClient((method, _, at) => {
    if (isWrite(method)) return { status: 400, body: 'Refund ticket already open' };
    return { status: 200, body: at < isShownAt ? 'null' : list };
  });
  const args = { ...refundOfA1, reason: 'ticket.type.refund.2', ...wanted } as const;
  const sent = await sendOnce(client, tickets.create, args, before, { wait: 10_000, clock });
  return { state: sent.state, end: endOf(sent), reads: asked.length - 1 };
}

test('looks for a refund until ClickBank shows the ticket that it says is open', async () => {
  expect(await refusedAsOpen([], 2000)).toMatchObject({ state: 'done' });
  expect(await refusedAsOpen([], 60_000)).toMatchObject({ state: 'not-done', reads: 6 });
});

test('looks once if the open ticket is one that was there before', async () => {
  expect(await refusedAsOpen(['7'], 0)).toMatchObject({ state: 'not-done', reads: 1 });
});

test.each([
  ['PARTIAL_AMOUNT', '30.00', 'done'],
  ['PARTIAL_AMOUNT', '20.00', 'not-done'],
  // A ticket shows the amount of a percentage only: it may be a colleague's refund of another one.
  ['PARTIAL_PERCENT', '20.00', 'unknown'],
])('compares a %s of 30 with an open ticket of %s: it is %s', async (...given) => {
  const [refundType, refundAmount, state] = given;
  const wanted = { refundType, refundAmount: '30' };
  const ticket = { wanted, there: { refundType, refundAmount } };
  const { end, ...refused } = await refusedAsOpen([], 0, ticket);
  expect(refused).toMatchObject({ state });
  // Else a later run, the queue or the status of a plan would find it, and call it done.
  expect(end.before).toBe(state === 'unknown' ? null : undefined);
});

const changed = { ticketid: '1001', receipt: 'A1', type: 'REFUND', status: 'CLOSED' };

/** Writes whose response holds something, with a response of the service. */
const answeredWrites = [
  [notices3.add, notice, JSON.parse(written)],
  [tickets.create, { receipt: 'A1', type: 'cncl', reason: 'ticket.type.cancel.7' }, opened()],
  [tickets.close, { id: '1001' }, changed],
  [tickets.reopen, { id: '1001', comment: 'x' }, { ...changed, status: 'REOPENED' }],
  [tickets.change, { id: '1001', type: 'rfnd' }, changed],
  [tickets.comment, { id: '1001', comment: 'x' }, changed],
  [products.save, product, 'NEW-1'],
] as const;

function opened(fields: object = {}) {
  return { ticketid: '7', receipt: 'A1', type: 'CANCEL', status: 'OPEN', ...fields };
}

async function sentWith(operation: Operation, args: Arguments, body: string) {
  const { client, clock, asked } = await servedClient((method) =>
    method === 'GET' ? { status: 200, body: 'null' } : { status: 200, body },
  );
  const outcome = await sendOnce(client, operation, args, undefined, { wait: 0, clock });
  return { ...outcome, requests: asked.length };
}

const asBody = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

test('treats a 200 with the object or the SKU that was written as done', async () => {
  for (const [operation, args, response] of answeredWrites) {
    const { state, requests } = await sentWith(operation, args, asBody(response));
    expect([operation.command, state, requests]).toEqual([operation.command, 'done', 1]);
  }
  const args = { receipt: 'a1', type: 'cncl', reason: 'ticket.type.cancel.7' };
  for (const fields of [{}, { productItemNo: 'S2' }]) {
    const body = `{"ticketData":${asBody(opened(fields))}}`;
    expect((await sentWith(tickets.create, { ...args, sku: 'S1' }, body)).state).toBe('done');
  }
});

test.each([
  ...['', 'null', '{}', '[]', '{"orderData":null}', '{"status":"ok"}', 'OK', '{"receipt":"B2"}'],
  '<!DOCTYPE html><html>Log in</html>',
  '<?xml version="1.0"?>\n<!DOCTYPE html><html>Log in</html>',
  '<!-- portal --><html lang="en">Log in</html>',
])('does not know the outcome of a write that is answered with 200 and %j', async (body) => {
  for (const [operation, args] of answeredWrites) {
    const { state } = await sentWith(operation, args, body);
    expect([operation.command, state]).toEqual([operation.command, 'unknown']);
  }
});

test('does not know the outcome of a write that is answered with another object', async () => {
  const [, [create, cancel], [close, one], [reopen], [change, refunded], [comment], [save]] =
    answeredWrites;
  const other = { ...changed, ticketid: '999' };
  for (const [operation, args, response] of [
    [notices3.add, notice, { ...JSON.parse(written), receipt: 'B2' }],
    [notices3.add, { ...notice, item: 'S1' }, { ...JSON.parse(written), itemNo: 'S2' }],
    [create, cancel, opened({ receipt: 'B2' })],
    [create, cancel, opened({ type: 'REFUND' })],
    [close, one, other],
    [close, one, { ...changed, status: 'OPEN' }],
    [reopen, { ...one, comment: 'x' }, { ...other, status: 'REOPENED' }],
    [change, refunded, { ...changed, type: 'CANCEL' }],
    [comment, { ...one, comment: 'x' }, other],
    [save, product, 'NEW-2'],
  ] as const) {
    const { state } = await sentWith(operation, args, asBody(response));
    expect([operation.command, response, state]).toEqual([operation.command, response, 'unknown']);
  }
});

test('treats any 2xx without content as done where the service promises none, and no other', async () => {
  const pause = { receipt: 'A1', restartDate: '2026-04-20' };
  const removed = { sku: 'NEW-1', site: 'greenleaf' };
  for (const body of ['', '\n', 'null', '{}']) {
    expect((await sentWith(orders.pause, pause, body)).state).toBe('done');
    expect((await sentWith(products.delete, removed, body)).state).toBe('done');
  }
  for (const body of [
    'OK',
    '{"ticketData":{"tick',
    '{"orderData":{"receipt":"O1"}}',
    '<html></html>',
  ]) {
    expect([body, (await sentWith(orders.pause, pause, body)).state]).toEqual([body, 'unknown']);
  }
});

test('finds a write that appears 9 s after its response was lost', async () => {
  const { client, clock } = await servedClient((method, _, at) => {
    if (isWrite(method)) return undefined;
    return { status: 200, body: at < 9000 ? 'null' : `{"shippingNoticeData":${written}}` };
  });
  const options = { wait: 10_000, clock, allowDuplicate: false };
  const result = await writeOnce(client, notices3.add, notice, options);
  expect(result.how).toBe('verified');
  expect(result.reply).toMatchObject({ trackingId: 'T1' });
});

test('does not mistake an equal earlier notice for the one that was sent', async () => {
  const { client, clock } = await servedClient((method) => {
    if (isWrite(method)) return { status: 504 };
    return { status: 200, body: `{"shippingNoticeData":${written}}` };
  });
  const options = { wait: 10_000, clock, allowDuplicate: true };
  await expect(writeOnce(client, notices3.add, notice, options)).rejects.toMatchObject({
    kind: 'unknown-outcome',
    hint: 'Check whether it was done before you run it again.',
  });
});

test('reports an unknown outcome for a canceled write without waiting', async () => {
  const stop = new AbortController();
  const { client, clock } = await servedClient(
    (method) => {
      if (isWrite(method)) stop.abort();
      return { status: 200, body: isWrite(method) ? written : 'null' };
    },
    { signal: stop.signal },
  );
  const verification = { wait: 10_000, clock, signal: stop.signal };
  const outcome = await sendOnce(client, notices3.add, notice, 0, verification);
  expect(outcome.state).toBe('unknown');
  expect(clock.waited).toBe(0);
});

const blocked = expect.stringContaining('A proxy or gateway returned 403 Forbidden');

test.each([
  [{ status: 500 }, { message: expect.stringContaining('500') }],
  [
    { status: 403, body: page },
    { kind: 'failed', status: 403, maybeDone: false, message: blocked },
  ],
])('sends nothing if the read before the write fails with %j', async (response, error) => {
  const { client, clock, asked } = await servedClient(() => response);
  const options = { wait: 10_000, clock, allowDuplicate: false };
  await expect(writeOnce(client, notices3.add, notice, options)).rejects.toMatchObject(error);
  expect(asked.every(({ method }) => !isWrite(method))).toBe(true);
});
