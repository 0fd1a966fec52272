import { expect } from 'vitest';
import { DAY, lineOf, linesIn, openSandbox, ordersOf, test } from '../raw.ts';
import {
  bodyOf,
  expectTickets,
  FULL,
  logOf,
  moneyOf,
  open,
  partial,
  put,
  stateOf,
  TECH,
  ticketOf,
} from './ticket-raw.ts';

test('seeds the fixed tickets as described in the examples', async () => {
  for (const day of ['2026-03-18T07:00:01Z', '2026-07-01T19:00:00Z', '2026-11-02T07:30:00Z']) {
    const sandbox = await openSandbox({ now: () => new Date(day) });
    const shown = [];
    for (const id of [1001, 1002, 1003, 1004, 1005]) {
      const ticket = await ticketOf(sandbox, id);
      const { type, receipt, status } = ticket;
      shown.push(`${id} ${type} ${receipt} ${status}: ${logOf(ticket).join(', ')}`);
    }
    expect(shown, day).toEqual([
      '1001 REFUND TICKET01 OPEN: OPENED',
      '1002 TECH_SUPPORT DIGITAL1 CLOSED: OPENED, CLOSED',
      '1003 TECH_SUPPORT MONTHLY1 OPEN: OPENED',
      '1004 REFUND RETURN01 OPEN: OPENED',
      '1005 TECH_SUPPORT UPSELL01 REOPENED: OPENED, CLOSED, REOPENED',
    ]);
    for (const receipt of ['DIGITAL1', 'PARCEL01']) {
      expect(await stateOf(sandbox, receipt)).toBe('REFUNDABLE');
    }
    expect((await lineOf(sandbox, 'MONTHLY1')).status).toBe('ACTIVE');
  }
});

test('refuses unknown tickets, types and actions, and those of other vendors or roles', async ({
  sandbox,
}) => {
  const unknown = ['999', '99999999', 'abc', '1001.0', '0x3e9', '9'.repeat(30)];
  const changes = ['action=close', 'action=reopen&comment=x', 'action=change&type=tech'];
  await expectTickets(
    sandbox,
    `${unknown.map((id) => `GET ${id} 403`).join('\n')}
    affiliate: GET 1001 403
    affiliate: GET refundAmounts/MONTHLY1?refundType=FULL&refundAmount=1 403
    ${changes.map((query) => `PUT 999?${query} 403\naffiliate: PUT 1002?${query} 403`).join('\n')}
    PUT 999?comment=x 403
    PUT 999 403
    affiliate: POST 1004/returned 403
    PUT 1001?action=change 400
    PUT 1001?action=change&type=REFUND 400
    PUT 1001?action=eat 400`,
  );
  expect(await stateOf(sandbox, 'RETURN01')).toBe('HAS_OPEN_REFUND');
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
  await expectTickets(sandbox, `PUT 1001?action=close 400\nTICKET01?${FULL} 200`);
});

test('reopens only a closed ticket, with a comment, while no other refund is open', async ({
  sandbox,
}) => {
  await expectTickets(sandbox, 'PUT 1002?action=reopen 400');
  const reopened = bodyOf(await put(sandbox, '1002?action=reopen&comment=Again'));
  expect(reopened).toMatchObject({ status: 'REOPENED', closedDate: { '@nil': 'true' } });
  expect(logOf(reopened)).toEqual(['OPENED', 'CLOSED', 'REOPENED']);
  const ids = [1001, 1002, 1003];
  await expectTickets(
    sandbox,
    `${ids.map((id) => `PUT ${id}?action=reopen&comment=x 400`).join('\n')}
    PUT 1001?action=close 200
    TICKET01?${FULL} 200
    PUT 1001?action=reopen&comment=x 400 Refund ticket already open`,
  );
  expect((await ticketOf(sandbox, 1001)).status).toBe('CLOSED');
});

test('makes a reopened refund pending for another day, and never refunds twice', async ({
  sandbox,
}) => {
  const refunded = ['SALE 37.00', 'RFND -37.00'];
  await put(sandbox, '1001?action=close');
  await sandbox.advance(10 * DAY);
  await put(sandbox, '1001?action=reopen&comment=Please');
  expect(await stateOf(sandbox, 'TICKET01')).toBe('HAS_OPEN_REFUND');
  await sandbox.advance(DAY - 1);
  expect(await moneyOf(sandbox, 'TICKET01')).toEqual(['SALE 37.00']);
  await sandbox.advance(1);
  expect(await moneyOf(sandbox, 'TICKET01')).toEqual(refunded);
  for (const _ of [1, 2]) {
    const reopened = bodyOf(await put(sandbox, '1001?action=reopen&comment=Where%20is%20it'));
    expect(reopened.status).toBe('REOPENED');
    await expectTickets(sandbox, 'PUT 1001?action=change&type=rfnd 200');
    await sandbox.advance(3 * DAY);
    await put(sandbox, '1001?action=close');
  }
  expect(await moneyOf(sandbox, 'TICKET01')).toEqual(refunded);
});

test('does not repeat a partial refund when its ticket is reopened', async ({ sandbox }) => {
  const { ticketid } = bodyOf(await open(sandbox, `DIGITAL1?${partial('PERCENT', '50')}`));
  await sandbox.advance(DAY);
  await expectTickets(sandbox, `PUT ${ticketid}?action=reopen&comment=More 200`);
  await sandbox.advance(3 * DAY);
  expect(await moneyOf(sandbox, 'DIGITAL1')).toEqual(['SALE 37.00', 'RFND -18.50']);
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
  const half = partial('PERCENT', '50');
  const { ticketid, refundAmount } = bodyOf(await open(sandbox, `DIGITAL1?${half}`));
  expect(refundAmount).toBe('18.50');
  const changed = bodyOf(await put(sandbox, `${ticketid}?action=change&type=rfnd`));
  expect(changed).toMatchObject({ refundType: 'FULL', refundAmount: '37.00' });
});

test('ends the subscription when changing a ticket to cncl', async ({ sandbox }) => {
  const changed = bodyOf(await put(sandbox, '1003?action=change&type=cncl&comment=Done'));
  expect(changed).toMatchObject({ type: 'CANCEL', status: 'OPEN' });
  expect((await lineOf(sandbox, 'MONTHLY1')).status).toBe('CANCELED');
  await expectTickets(sandbox, 'MONTHLY1?type=cncl&reason=ticket.type.cancel.1 400');
  await sandbox.advance(40 * DAY);
  expect(await moneyOf(sandbox, 'MONTHLY1')).toHaveLength(4);
});

test('adds a comment for a PUT without an action, and changes nothing without a comment', async ({
  sandbox,
}) => {
  const before = await ticketOf(sandbox, 1001);
  for (const query of ['', 'comment=', 'type=cncl']) {
    expect([query, bodyOf(await put(sandbox, `1001?${query}`))]).toEqual([query, before]);
  }
  expect(await ticketOf(sandbox, 1001)).toEqual(before);
  const commented = bodyOf(await put(sandbox, '1001?comment=We%20%3Care%3E%20on%20it%20%E2%98%95'));
  expect(commented).toMatchObject({ status: 'OPEN', updateTime: '2026-03-18T12:00:00-07:00' });
  expect(commented.comments).toMatchObject([
    {},
    { action: 'COMMENTED', commentRole: 'VENDOR', comment: 'We <are> on it ☕' },
  ]);
  await sandbox.advance(DAY);
  expect(await moneyOf(sandbox, 'TICKET01')).toHaveLength(2);
});

test('holds a physical refund until its return', async ({ sandbox }) => {
  await sandbox.advance(20 * DAY);
  expect(await stateOf(sandbox, 'RETURN01')).toBe('HAS_OPEN_REFUND');
  await expectTickets(sandbox, 'POST 1004/returned 204');
  const [, back] = await ordersOf(sandbox, 'RETURN01');
  expect(back).toMatchObject({
    ...{ transactionType: 'RFND', totalOrderAmount: '-52.40', totalShippingAmount: '-7.90' },
    transactionTime: '2026-04-07T12:00:00-07:00',
  });
  expect(linesIn(back)[0]).toMatchObject({ customerAmount: '-44.50' });
  const closed = await ticketOf(sandbox, 1004);
  expect([closed.status, logOf(closed)]).toEqual(['CLOSED', ['OPENED', 'REFUND_ACKED', 'CLOSED']]);
  const { ticketid } = bodyOf(await open(sandbox, `PARCEL01?${TECH}`));
  const others = ['1004', '999', 'abc', '1001', '1003', ticketid];
  const answers = others.map((id) => `POST ${id}/returned 400`);
  await expectTickets(sandbox, answers.join('\n'));
});

test('opens only one of two concurrent refunds', async ({ sandbox }) => {
  const responses = await Promise.all([1, 2, 3].map(() => open(sandbox, `DIGITAL1?${FULL}`)));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
});
