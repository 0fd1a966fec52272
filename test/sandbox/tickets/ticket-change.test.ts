import { expect } from 'vitest';
import { ticket } from '../../../src/operations/tickets.ts';
import { faultsInJson } from '../codec/shape.ts';
import { getJson, keyed, lineOf, linesIn, openSandbox, ordersOf, post, test } from '../raw.ts';
import {
  bodyOf,
  DAY,
  FULL,
  logOf,
  moneyOf,
  open,
  put,
  stateOf,
  TECH,
  TICKETS,
  ticketOf,
} from './ticket-raw.ts';

test('seeds the fixed tickets as described in the examples', async () => {
  for (const day of ['2026-03-18T07:00:01Z', '2026-07-01T19:00:00Z', '2026-11-02T07:30:00Z']) {
    const sandbox = await openSandbox({ now: () => new Date(day) });
    const shown = [];
    for (const id of [1001, 1002, 1003, 1004]) {
      const { type, status, receipt } = await ticketOf(sandbox, id);
      shown.push([id, type, status, receipt]);
    }
    expect(shown, day).toEqual([
      [1001, 'REFUND', 'OPEN', 'TICKET01'],
      [1002, 'TECH_SUPPORT', 'CLOSED', 'DIGITAL1'],
      [1003, 'TECH_SUPPORT', 'OPEN', 'MONTHLY1'],
      [1004, 'REFUND', 'OPEN', 'RETURN01'],
    ]);
    for (const receipt of ['DIGITAL1', 'PARCEL01']) {
      expect(await stateOf(sandbox, receipt)).toBe('REFUNDABLE');
    }
    expect((await lineOf(sandbox, 'MONTHLY1')).status).toBe('ACTIVE');
  }
});

test('returns a ticket to its vendor', async ({ sandbox }) => {
  for (const id of [1001, 1002]) {
    expect(faultsInJson(ticket, await ticketOf(sandbox, id))).toEqual([]);
  }
  for (const path of ['1001', 'refundAmounts/MONTHLY1?refundType=FULL&refundAmount=1']) {
    const seen = await getJson(sandbox, `${TICKETS}/${path}`, keyed(sandbox, 'affiliate'));
    expect(seen.status).toBe(403);
  }
  for (const id of ['999', '99999999', 'abc', '1001.0', '0x3e9', '9'.repeat(30)]) {
    expect((await getJson(sandbox, `${TICKETS}/${id}`)).status, id).toBe(403);
  }
});

test('cancels the refund when closing an open refund ticket', async ({ sandbox }) => {
  const closed = bodyOf(await put(sandbox, '1001?action=close&comment=Solved'));
  expect(closed).toMatchObject({ status: 'CLOSED', closedDate: '2026-03-18T12:00:00-07:00' });
  expect(closed.comments).toMatchObject([
    { action: 'OPENED', commentRole: 'CUSTOMER' },
    { action: 'CLOSED', commentRole: 'VENDOR', comment: 'Solved' },
  ]);
  expect(await stateOf(sandbox, 'TICKET01')).toBe('REFUNDABLE');
  await sandbox.advance(30 * DAY);
  expect(await moneyOf(sandbox, 'TICKET01')).toEqual(['SALE 37.00']);
  expect((await put(sandbox, '1001?action=close')).status).toBe(400);
  expect((await open(sandbox, `TICKET01?${FULL}`)).status).toBe(200);
});

test('reopens only a closed ticket, with a comment', async ({ sandbox }) => {
  expect((await put(sandbox, '1002?action=reopen')).status).toBe(400);
  const reopened = bodyOf(await put(sandbox, '1002?action=reopen&comment=Again'));
  expect(reopened).toMatchObject({ status: 'REOPENED', closedDate: { '@nil': 'true' } });
  expect(logOf(reopened)).toEqual(['OPENED', 'CLOSED', 'REOPENED']);
  for (const id of [1001, 1002, 1003]) {
    expect((await put(sandbox, `${id}?action=reopen&comment=x`)).status).toBe(400);
  }
});

test('makes a reopened refund pending for another day', async ({ sandbox }) => {
  await put(sandbox, '1001?action=close');
  await sandbox.advance(10 * DAY);
  await put(sandbox, '1001?action=reopen&comment=Please');
  expect(await stateOf(sandbox, 'TICKET01')).toBe('HAS_OPEN_REFUND');
  await sandbox.advance(DAY - 1);
  expect(await moneyOf(sandbox, 'TICKET01')).toEqual(['SALE 37.00']);
  await sandbox.advance(1);
  expect(await moneyOf(sandbox, 'TICKET01')).toEqual(['SALE 37.00', 'RFND -37.00']);
});

test('never refunds twice when reopening a ticket', async ({ sandbox }) => {
  await sandbox.advance(DAY);
  for (const _ of [1, 2]) {
    const reopened = bodyOf(await put(sandbox, '1001?action=reopen&comment=Where%20is%20it'));
    expect(reopened.status).toBe('REOPENED');
    expect((await put(sandbox, '1001?action=change&type=rfnd')).status).toBe(200);
    await sandbox.advance(3 * DAY);
    await put(sandbox, '1001?action=close');
  }
  expect(await moneyOf(sandbox, 'TICKET01')).toEqual(['SALE 37.00', 'RFND -37.00']);
});

test('rejects reopening while another refund is open', async ({ sandbox }) => {
  await put(sandbox, '1001?action=close');
  await open(sandbox, `TICKET01?${FULL}`);
  const response = await put(sandbox, '1001?action=reopen&comment=x');
  expect([response.status, response.text]).toEqual([400, 'Refund ticket already open']);
  expect((await ticketOf(sandbox, 1001)).status).toBe('CLOSED');
});

test('requests a full refund when changing a ticket to rfnd', async ({ sandbox }) => {
  const { ticketid } = bodyOf(await open(sandbox, `DIGITAL1?${TECH}`));
  const changed = bodyOf(await put(sandbox, `${ticketid}?action=change&type=rfnd`));
  expect(changed).toMatchObject({ type: 'REFUND', refundType: 'FULL', refundAmount: '37.00' });
  expect(logOf(changed)).toEqual(['OPENED', 'CHANGED']);
  expect(await stateOf(sandbox, 'DIGITAL1')).toBe('HAS_OPEN_REFUND');
  const back = bodyOf(await put(sandbox, `${ticketid}?action=change&type=tech`));
  expect(back).toMatchObject({ type: 'TECH_SUPPORT', refundType: { '@nil': 'true' } });
  await sandbox.advance(5 * DAY);
  expect(await moneyOf(sandbox, 'DIGITAL1')).toEqual(['SALE 37.00']);
  await put(sandbox, `${ticketid}?action=change&type=rfnd`);
  await sandbox.advance(DAY);
  expect(await moneyOf(sandbox, 'DIGITAL1')).toEqual(['SALE 37.00', 'RFND -37.00']);
});

test('turns a partial refund into a full one when changed to rfnd', async ({ sandbox }) => {
  const half = 'type=rfnd&reason=ticket.type.refund.8&refundType=PARTIAL_PERCENT&refundAmount=50';
  const { ticketid, refundAmount } = bodyOf(await open(sandbox, `DIGITAL1?${half}`));
  expect(refundAmount).toBe('18.50');
  const changed = bodyOf(await put(sandbox, `${ticketid}?action=change&type=rfnd`));
  expect(changed).toMatchObject({ refundType: 'FULL', refundAmount: '37.00' });
});

test('ends the subscription when changing a ticket to cncl', async ({ sandbox }) => {
  const changed = bodyOf(await put(sandbox, '1003?action=change&type=cncl&comment=Done'));
  expect(changed).toMatchObject({ type: 'CANCEL', status: 'OPEN' });
  expect((await lineOf(sandbox, 'MONTHLY1')).status).toBe('CANCELED');
  expect((await open(sandbox, 'MONTHLY1?type=cncl&reason=ticket.type.cancel.1')).status).toBe(400);
  await sandbox.advance(40 * DAY);
  expect(await moneyOf(sandbox, 'MONTHLY1')).toHaveLength(4);
});

test('rejects unknown types and actions', async ({ sandbox }) => {
  for (const query of ['action=change', 'action=change&type=REFUND', 'action=eat']) {
    expect((await put(sandbox, `1001?${query}`)).status, query).toBe(400);
  }
});

test('adds a comment for a PUT without an action', async ({ sandbox }) => {
  const commented = bodyOf(await put(sandbox, '1001?comment=We%20%3Care%3E%20on%20it%20%E2%98%95'));
  expect(commented).toMatchObject({ status: 'OPEN', updateTime: '2026-03-18T12:00:00-07:00' });
  expect(commented.comments).toMatchObject([
    {},
    { action: 'COMMENTED', commentRole: 'VENDOR', comment: 'We <are> on it ☕' },
  ]);
  await sandbox.advance(DAY);
  expect(await moneyOf(sandbox, 'TICKET01')).toHaveLength(2);
});

test('returns the ticket unchanged for a PUT without an action or comment', async ({ sandbox }) => {
  const before = (await getJson(sandbox, '/rest/1.3/tickets/1001')).text;
  for (const query of ['', 'comment=', 'type=cncl']) {
    const response = await put(sandbox, `1001?${query}`);
    expect([query, response.status, response.text]).toEqual([query, 200, before]);
  }
  expect((await getJson(sandbox, '/rest/1.3/tickets/1001')).text).toBe(before);
  expect((await put(sandbox, '999')).status).toBe(403);
});

test('returns 403 for unknown tickets and those of other vendors or roles', async ({ sandbox }) => {
  for (const query of ['action=close', 'action=reopen&comment=x', 'action=change&type=tech']) {
    expect((await put(sandbox, `999?${query}`)).status).toBe(403);
    for (const name of ['read-only', 'affiliate']) {
      expect((await put(sandbox, `1002?${query}`, keyed(sandbox, name))).status).toBe(403);
    }
  }
  expect((await put(sandbox, '999?comment=x')).status).toBe(403);
});

test('holds a physical refund until its return', async ({ sandbox }) => {
  await sandbox.advance(20 * DAY);
  expect(await stateOf(sandbox, 'RETURN01')).toBe('HAS_OPEN_REFUND');
  const response = await post(sandbox, `${TICKETS}/1004/returned`);
  expect([response.status, response.text]).toEqual([204, '']);
  const [, back] = await ordersOf(sandbox, 'RETURN01');
  expect(back).toMatchObject({
    transactionType: 'RFND',
    totalOrderAmount: '-52.40',
    totalShippingAmount: '-7.90',
    transactionTime: '2026-04-07T12:00:00-07:00',
  });
  expect(linesIn(back)[0]).toMatchObject({ customerAmount: '-44.50' });
  const closed = await ticketOf(sandbox, 1004);
  expect([closed.status, logOf(closed)]).toEqual(['CLOSED', ['OPENED', 'REFUND_ACKED', 'CLOSED']]);
  expect((await post(sandbox, `${TICKETS}/1004/returned`)).status).toBe(400);
});

test('returns 400 to returned without a physical refund, 403 without access', async ({
  sandbox,
}) => {
  for (const id of ['999', 'abc', '1001', '1003']) {
    expect((await post(sandbox, `${TICKETS}/${id}/returned`)).status, id).toBe(400);
  }
  const made = bodyOf(await open(sandbox, `PARCEL01?${TECH}`));
  expect((await post(sandbox, `${TICKETS}/${made.ticketid}/returned`)).status).toBe(400);
  for (const name of ['read-only', 'no-orders', 'affiliate']) {
    const response = await post(sandbox, `${TICKETS}/1004/returned`, keyed(sandbox, name));
    expect([name, response.status]).toEqual([name, 403]);
  }
  expect(await stateOf(sandbox, 'RETURN01')).toBe('HAS_OPEN_REFUND');
});

test('opens only one of two concurrent refunds', async ({ sandbox }) => {
  const responses = await Promise.all([1, 2, 3].map(() => open(sandbox, `DIGITAL1?${FULL}`)));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
});
